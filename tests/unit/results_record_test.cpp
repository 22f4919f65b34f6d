// results.json of a folder that several commands write to, and the records of its runs.
#include "subcore/program/runs/results_record.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "subcore/base/files.h"
#include "subcore/base/json_text.h"
#include "subcore/program/runs/finished_run.h"
#include "tests/unit/config_text.h"
#include "tests/unit/trace_files.h"

namespace results_record_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;
using Json = nlohmann::ordered_json;

namespace {

RunResult run(const std::string& platform, const std::string& trace, double ipc) {
  RunResult r;
  r.platform = platform;
  r.trace = trace;
  r.cycles = 1000;
  r.ipc = ipc;
  r.energy_pj = {{"bank_rd", 10 * ipc}};
  r.energy_total_pj = 10 * ipc;
  r.energy_by_preset_pj = {{"a", 10 * ipc}, {"b", 10 / ipc}};
  r.wall_seconds = 7;
  return r;
}

}  // namespace

TEST_CASE(
    "runs come to a record in their places or behind it, and all are compared with the first platform") {
  const std::string first = with_results("", {run("p", "t", 2), run("p", "u", 4)});
  CHECK(first ==
        to_json(std::vector{run("p", "t", 2), run("p", "u", 4)}));  // with one platform nothing is compared
  const std::string second = with_results(first, {run("q", "t", 3), run("p", "u", 5)});
  const Json list = Json::parse(second);
  REQUIRE(list.size() == 3);
  CHECK(list[1]["ipc"] == 5);
  CHECK(list[1]["ipc_normalised"] == 1);
  CHECK(list[2]["ipc_normalised"] == 1.5);
  CHECK(list[2]["energy_normalised"] == 1.5);
  CHECK_THAT(list[2]["notes"].at(0).get<std::string>(),
             Contains("energy presets disagree: less than p by b"));
  CHECK(runs_in(second, "r") == std::vector<RunName>{{"p", "t"}, {"p", "u"}, {"q", "t"}});
  // The note stands there once, and runs that are not affected are unchanged.
  CHECK(with_results(second, {run("q", "t", 3)}) == second);
  std::vector<RunResult> together{run("p", "t", 2), run("p", "u", 5), run("q", "t", 3)};
  normalise(together);
  note_disagreeing_presets(together);
  CHECK(second == to_json(together));
}

TEST_CASE("what a system adds in area is a share of the first one's registers") {
  std::vector<RunResult> list{run("p", "t", 2), run("q", "t", 3), run("r", "t", 3)};
  list[0].area_mm2 = {{"bank.registers", 2}, {"ocu.slots", 1}};
  list[0].area_total_mm2 = 3;
  list[1].area_mm2 = {{"bank.registers", 2}, {"ocu.slots", 1.5}};
  list[1].area_total_mm2 = 3.5;
  normalise(list);
  CHECK(list[0].area_overhead == 0);
  CHECK(list[1].area_overhead == 0.25);
  CHECK_FALSE(list[2].area_overhead);  // the energy table has no areas
}

TEST_CASE("what a system adds to a chip is the difference of two shares") {
  std::vector<RunResult> list{run("p", "t", 2), run("q", "t", 3), run("r", "t", 3)};
  list[0].chip_area_ratio = 0.25;
  list[1].chip_area_ratio = 0.375;
  normalise(list);
  CHECK(list[0].chip_area_overhead == 0);
  CHECK(list[1].chip_area_overhead == 0.125);
  CHECK_FALSE(list[2].chip_area_overhead);  // the machine is no whole chip
}

TEST_CASE("runs of another version keep what they have, and what they lack") {
  Json old = Json::parse(to_json(std::vector{run("p", "t", 2)}));
  old[0].erase("stall_cycles");
  old[0]["later"] = 3;
  const Json list = Json::parse(with_results(old.dump(), {run("q", "t", 3)}));
  CHECK_FALSE(list[0].contains("stall_cycles"));
  CHECK(list[0]["later"] == 3);
  CHECK(list[0]["wall_seconds"] == 7);
  CHECK(list[0]["ipc_normalised"] == 1);
}

TEST_CASE("the record of a run is protected against changes, and its numbers have the ranges of results") {
  const test::TemporaryFolder folder;
  folder.write("stats.json", "{}");
  write_finished_run(folder.path(), {"a", "b", "c"}, run("p", "t", 2));
  const auto found = read_finished_run(folder.path());
  REQUIRE(found);
  CHECK(found->result.ipc == 2);
  CHECK(found->files.count("stats.json") == 1);
  const Json record = Json::parse(*file_text(folder.path() / finished_file));
  const auto is_read = [&](Json changed, bool hash_too) {
    if (hash_too) {
      changed.erase("hash");
      changed["hash"] = Hash().add(json_text(changed, -1)).text();
    }
    folder.write(finished_file, json_text(changed));
    return read_finished_run(folder.path()).has_value();
  };
  CHECK(is_read(record, true));
  for (const char* key : {"program", "platform", "trace"}) {
    Json changed = record;
    changed[key] = "x";
    CHECK_FALSE(is_read(changed, false));
    CHECK(is_read(changed, true));
  }
  Json changed = record;
  changed["result"]["cycles"] = 1;
  CHECK_FALSE(is_read(changed, false));
  for (const char* cycles : {"-5", "1e100", "1.5", "\"7\"", "null", "18446744073709551616"}) {
    changed["result"]["cycles"] = Json::parse(cycles);
    CHECK_FALSE(is_read(changed, true));
  }
  changed = record;
  changed["result"]["unknown_opcodes"] = {{"FOO", -1}};
  CHECK_FALSE(is_read(changed, true));
  changed = record;
  changed.erase("hash");
  CHECK_FALSE(is_read(changed, false));
}

}  // namespace results_record_test
