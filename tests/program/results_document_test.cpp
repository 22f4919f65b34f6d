// docs/results.md names every key that runs write, and no others.
#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/manual.h"
#include "tests/program/program.h"

namespace results_document_test {

using namespace subcore::test;
using Json = nlohmann::json;

namespace {

Names columns_of(const std::string& csv) {
  Names columns;
  std::istringstream in(csv.substr(0, csv.find('\n')));
  for (std::string column; std::getline(in, column, ',');) columns.insert(column);
  return columns;
}

Names with(Names names, const std::string& one_more) {
  names.insert(one_more);
  return names;
}

// "bank" of bank_1.
std::string without_number(const std::string& name) {
  static const std::regex number("_[0-9]+$");
  return std::regex_replace(name, number, "");
}

// Platforms that together have every part of the model, on a trace with everything that a result may have.
const Strings platforms{"baseline",           "malekeh",
                        "malekeh_write_back", "bow_wr_hints",
                        "ltrf_plus",          "software_rfc",
                        "malekeh_socgpu",     "near_cache_pool",
                        "register_cache",     "monolithic_baseline",
                        "rtx2060_third/bow",  "rtx2060_third/malekeh",
                        "v100/war_counters",  "h100_sm/baseline"};

// All runs of one process, once for all tests.
const Desk& desk() {
  static const Desk* const all = [] {
    const Desk* const d = new Desk;
    d->trace("t", sound_lines());
    Strings arguments{"run", "-t", "t", "--profile", "-r", "r", "-s", "gpu.sms=1"};
    for (const std::string& p : platforms) arguments.insert(arguments.end(), {"-p", p});
    d->succeed(arguments);
    d->write("c.yaml",
             "cache_study: {study: {ways: 2}}\ntrace_info: {trace: bow_wr_hints}\ntraces: t\nresults: c\n");
    d->succeed({"run", "c.yaml"});
    d->succeed({"run", "-p", "baseline", "-p", "malekeh", "--gpu", "v100", "-t", "t", "-r", "s", "--seeds",
                "2", "-s", "gpu.sms=1"});
    d->write("w.yaml",
             "platforms: baseline\ntraces: t\nresults: w\nsweep: {sub_core.collector.count: [2]}\n");
    d->succeed({"run", "w.yaml"});
    d->succeed({"run", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "p", "--sample", "waves"});
    return d;
  }();
  return *all;
}

Json results() {
  return desk().json("r/results.json");
}
std::string file_of(const std::string& platform, const std::string& file) {
  return desk().file("r/" + platform + "/t/" + file);
}

// The keys of the objects that stand at `key` in the objects of a list.
Names keys_within(const Json& objects, const std::string& key) {
  Names keys;
  for (const Json& o : objects) keys.merge(keys_of(o.at(key)));
  return keys;
}

}  // namespace

TEST_CASE("every key of a result is in the manual, and no other is") {
  Names run, kernel;
  for (const Json& r : results()) {
    run.merge(keys_of(r));
    for (const Json& k : r["per_kernel"]) kernel.merge(keys_of(k));
  }
  for (const char* folder : {"s", "w", "p"})
    for (const Json& r : desk().json(std::string(folder) + "/results.json")) run.merge(keys_of(r));
  Names counts;
  for (const Json& r : desk().json("c/results.json")) {
    run.merge(keys_of(r));
    counts.merge(keys_of(r.at("counts")));
  }
  CHECK(run == named_below("A run's object"));
  CHECK(counts == named_below("What is counted"));
  CHECK(kernel == named_below("A kernel's object"));
  const Json sample = desk().json("p/results.json")[1]["sample"];
  Names of_sample = keys_of(sample);
  of_sample.merge(keys_of(sample["kernels"][0]));
  of_sample.merge(keys_of(sample["kernels"][0]["simulated"]));
  CHECK(of_sample == named_below("What is sampled"));
}

TEST_CASE("every state, cause and energy event is in the manual, and no other is") {
  CHECK(keys_within(results(), "scheduler_cycles") == named_below("States and causes", 0));
  CHECK(keys_within(results(), "stall_cycles") == named_below("States and causes", 1));
  CHECK(keys_within(results(), "energy_pj") == with(named_below("Energy events"), "total"));
}

TEST_CASE("every file of a run and every column is in the manual, and no other is") {
  Names files;
  for (const std::string& f : desk().files())
    if (f.rfind("r/", 0) == 0 && std::filesystem::is_regular_file(desk().path() / f))
      files.insert(std::filesystem::path(f).filename());
  Names named;
  for (const std::string& f : named_below("What a run writes"))
    if (f.find('.') != std::string::npos) named.insert(f);
  CHECK(named.erase("profile.partial.json") == 1);  // only of a run that failed
  CHECK(files == named);
  for (const std::string& p : platforms) {
    CHECK(columns_of(file_of(p, "intervals.csv")) == named_below("intervals.csv"));
    CHECK(columns_of(file_of(p, "power.csv")) == named_below("power.csv"));
  }
}

TEST_CASE("every counter of every module is in the manual, and no other is") {
  const Names states = named_below("States and causes", 0), causes = named_below("States and causes", 1);
  std::map<std::string, Names> written, named;
  Names columns;
  for (const std::string& p : platforms) {
    std::istringstream csv(file_of(p, "stats.csv"));
    std::string line;
    std::getline(csv, line);
    columns.merge(columns_of(line));
    while (std::getline(csv, line)) {
      const std::string path = line.substr(0, line.find(','));
      const std::size_t name = path.rfind('.') + 1, module = path.rfind('.', name - 2) + 1;
      const std::string counter = path.substr(name);
      const std::string state = counter.substr(0, std::min(counter.size(), counter.rfind("_cycles")));
      const std::string kind = without_number(path.substr(module, name - 1 - module));
      if (kind == "issue_scheduler" && counter != state && states.count(state) + causes.count(state) != 0)
        continue;
      written[kind].insert(counter);
    }
  }
  for (const auto& row : rows_below("stats.csv"))
    for (const std::string& module : words_of(row[0]))
      if (row.size() > 2) named[without_number(module)] = words_of(row[2]);
  CHECK(written == named);
  Names two_columns;
  for (const auto& row : rows_below("stats.csv"))
    if (row.size() == 2) two_columns.merge(words_of(row[0]));
  CHECK(columns == two_columns);
}

TEST_CASE("every key of a profile is in the manual, and no other is") {
  const Names causes = with(named_below("States and causes", 1), "not_selected");
  const Names of_instruction = named_below("Of an instruction");
  Names which{"kernel", "pc", "opcode", "operands"}, sums = of_instruction;
  for (const std::string& w : which) CHECK(sums.erase(w) == 1);
  for (const std::string& p : platforms) {
    const Json profile = Json::parse(file_of(p, "profile.json"));
    CHECK(keys_of(profile) == named_below("profile.json"));
    for (const Json& i : profile["instructions"]) CHECK(keys_of(i) == of_instruction);
    CHECK(keys_of(profile["no_instruction"]) == sums);
    for (const Json& b : profile["banks"]) CHECK(keys_of(b) == named_below("Of a bank"));
    for (const Json& w : profile["warps"]) {
      CHECK(keys_of(w) == named_below("Of a warp slot"));
      for (const std::string& cause : keys_of(w["warp_cycles"])) CHECK(causes.count(cause) == 1);
    }
  }
}

TEST_CASE("every key of a run's record is in the manual, and no other is") {
  for (const std::string& p : platforms) {
    const Json record = Json::parse(file_of(p, "run.json"));
    CHECK(keys_of(record) == named_below("run.json"));
    CHECK(record["result"]["wall_seconds"] == 0);
  }
}

TEST_CASE("what the manual says of sums is so") {
  for (const Json& r : results()) {
    const std::string platform = r["platform"];
    INFO(platform);
    const auto sum = [](const Json& list, const std::string& key) {
      std::uint64_t n = 0;
      for (const Json& o : list) n += o.at(key).get<std::uint64_t>();
      return n;
    };
    for (const char* key : {"cycles", "source_operands", "bank_reads", "bank_writes", "cache_writes"})
      CHECK(sum(r["per_kernel"], key) == r[key]);
    std::map<std::string, double> by_event;
    std::istringstream power(file_of(platform, "power.csv"));
    std::string line;
    std::getline(power, line);
    while (std::getline(power, line)) {
      const std::size_t event = line.find(',') + 1;
      by_event[line.substr(event, line.find(',', event) - event)] +=
          std::stod(line.substr(line.rfind(',') + 1));
    }
    for (const auto& [event, pj] : by_event)
      CHECK(r["energy_pj"][event].get<double>() == Approx(pj).margin(0.5));
    double of_intervals = 0;
    std::istringstream intervals(file_of(platform, "intervals.csv"));
    std::getline(intervals, line);
    while (std::getline(intervals, line)) of_intervals += std::stod(line.substr(line.rfind(',') + 1));
    CHECK(of_intervals == Approx(r["energy_pj"]["total"].get<double>()));
    const Json profile = Json::parse(file_of(platform, "profile.json"));
    for (const auto& [key, of_run] :
         {std::pair("issues", "instructions_retired"), std::pair("source_operands", "source_operands"),
          std::pair("bank_reads", "bank_reads"), std::pair("bank_wait_cycles", "bank_read_wait_cycles")})
      CHECK(sum(profile["instructions"], key) + profile["no_instruction"][key].get<std::uint64_t>() ==
            r[of_run]);
    for (const Json& w : profile["warps"]) {
      std::uint64_t all = 0;
      for (const auto& [cause, cycles] : w["warp_cycles"].items()) all += cycles.get<std::uint64_t>();
      CHECK(all == r["cycles"]);
    }
  }
}

}  // namespace results_document_test
