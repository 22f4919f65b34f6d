// subcore explain: its columns sum to the totals, live and from saved results.
#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace explain_test {

using namespace subcore::test;
using Json = nlohmann::json;

namespace {

std::filesystem::path project_trace(const std::string& name) {
  return std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces" / name;
}

std::uint64_t whole(const Json& value) {
  return value.get<std::uint64_t>();
}

std::uint64_t sum_of(const Json& cycles) {
  std::uint64_t sum = 0;
  for (const auto& [name, value] : cycles.items()) sum += whole(value);
  return sum;
}

// Checks the sums of an explained run against `result`, the results of the same run.
void check_sums(const Json& run, const Json& result, std::uint64_t warp_slots) {
  const std::uint64_t slots = whole(result["cycles"]) * whole(result["schedulers"]);
  CHECK(run["issue_slots"] == slots);
  double percent = 0;
  std::uint64_t all_states = 0;
  for (const auto& [state, line] : run["tree"].items()) {
    CAPTURE(state);
    CHECK(line["cycles"] == result["scheduler_cycles"][state]);
    CHECK(line["cycles"] == sum_of(line["causes"]));
    for (const auto& [cause, cycles] : line["causes"].items()) CHECK(cycles == result["stall_cycles"][cause]);
    percent += line["percent"].get<double>();
    all_states += whole(line["cycles"]);
  }
  CHECK(percent == Approx(100));
  CHECK(all_states == slots);

  const Json& all = run["all"];
  Json parts = run["worst"];
  parts.push_back(run["others"]);
  parts.push_back(run["no_instruction"]);
  for (const char* key : {"issues", "source_operands", "bank_reads", "bank_wait_cycles", "stalls"}) {
    std::uint64_t sum = 0;
    for (const Json& part : parts) sum += whole(part[key]);
    CAPTURE(key);
    CHECK(sum == all[key]);
  }
  for (const Json& part : parts) {
    std::uint64_t stalls = sum_of(part["warp_cycles"]);
    for (const char* busy : {"issue", "not_selected"}) stalls -= part["warp_cycles"].value(busy, 0u);
    CHECK(stalls == part["stalls"]);
  }
  CHECK(sum_of(all["warp_cycles"]) == slots * warp_slots);
  CHECK(all["warp_cycles"]["issue"] == result["instructions_retired"]);
  CHECK(all["issues"] == result["instructions_retired"]);
  CHECK(all["source_operands"] == result["source_operands"]);
  CHECK(all["bank_reads"] == result["bank_reads"]);
  CHECK(all["bank_wait_cycles"] == result["bank_read_wait_cycles"]);
  CHECK(run["cache_read_hits"] == result["cache_read_hits"]);
  CHECK(run["no_instruction"]["bank_reads"] == result["prefetches"]);
  std::uint64_t reads = 0, waits = 0, writes = 0;
  for (const Json& bank : run["banks"]) {
    reads += whole(bank["reads"]);
    waits += whole(bank["read_wait_cycles"]);
    writes += whole(bank["writes"]);
  }
  CHECK(reads == result["bank_reads"]);
  CHECK(waits == result["bank_read_wait_cycles"]);
  CHECK(writes == result["bank_writes"]);
}

void check_platform(const std::string& platform, std::uint64_t warp_slots = 8) {
  const Desk desk;
  for (const std::string trace : {"bfs", "hgemm_f16"}) {
    CAPTURE(platform, trace);
    const std::string folder = project_trace(trace).string();
    desk.succeed({"run", "-p", platform, "-t", folder, "--json", "r.json"});
    desk.succeed({"explain", "-p", platform, "-t", folder, "--top", "3", "--json", "e.json"});
    const Json run = desk.json("e.json")["runs"][0];
    CHECK(run["worst"].size() == 3);
    check_sums(run, desk.json("r.json"), warp_slots);
  }
}

}  // namespace

TEST_CASE("explain: everything sums to the totals, in order") {
  check_platform("baseline");
  check_platform("malekeh");
}

TEST_CASE("explain: everything sums to the totals, with windows that write back") {
  check_platform("bow");
  check_platform("bow_wr_hints");
}

TEST_CASE("explain: everything sums to the totals, out of order") {
  check_platform("socgpu");
  check_platform("malekeh_socgpu");
}

TEST_CASE("explain: everything sums to the totals, with two levels of warps") {
  check_platform("rfc");
  check_platform("ltrf");
  check_platform("software_rfc_monolithic", 32);
}

TEST_CASE("explain: everything sums to the totals, on a GPU of several SMs") {
  check_platform("rtx2060_third/register_cache");
}

TEST_CASE("explain: the worst instructions come first, with their operands and hints") {
  const Desk desk;
  const Outcome o = desk.succeed({"explain", "-p", "malekeh", "-t", project_trace("bfs").string()});
  // The user of a load waits longest. Ten instructions are listed, and the rest are summed up.
  CHECK_THAT(o.out, Catch::Contains("k_bfs1 01e0  SHF.R.S32.HI  R11 near <- R10 near"));
  CHECK_THAT(o.out, Catch::Contains("raw_long "));
  CHECK_THAT(o.out, Catch::Contains("61 others"));
  CHECK_THAT(o.out, Catch::Contains("100.0 %"));
}

TEST_CASE("explain: saved results say the same as runs do, and two of them what differs") {
  const Desk desk;
  const std::string bfs = project_trace("bfs").string();
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", bfs, "-t", project_trace("lstm").string(),
                "--profile", "-r", "r"});
  desk.succeed({"explain", "-p", "baseline", "-p", "malekeh", "-t", bfs, "-t", project_trace("lstm").string(),
                "--json", "live.json"});
  const Outcome o = desk.succeed({"explain", "r", "--json", "saved.json"});
  CHECK(desk.file("live.json") == desk.file("saved.json"));
  CHECK(o.out == desk.succeed({"explain", "r/"}).out);
  const Json both = desk.json("saved.json");
  REQUIRE(both.size() == 2);
  for (const Json& trace : both) {
    const Json &first = trace["runs"][0]["tree"], &second = trace["runs"][1]["tree"];
    std::int64_t sum = 0;
    for (const auto& [state, line] : first.items()) {
      for (const auto& [cause, cycles] : line["causes"].items()) {
        const auto change = trace["difference"]["causes"][cause].get<std::int64_t>();
        CHECK(change == second[state]["causes"][cause].get<std::int64_t>() - cycles.get<std::int64_t>());
        sum += change;
      }
    }
    CHECK(sum == trace["difference"]["issue_slots"]);
  }

  desk.succeed({"run", "-p", "baseline", "-t", bfs, "--profile", "-r", "before"});
  desk.succeed({"run", "-p", "baseline", "-t", bfs, "--profile", "-r", "after", "--set",
                "sub_core.collector.count=4"});
  desk.succeed({"explain", "before", "after", "--json", "two.json"});
  const Json two = desk.json("two.json");
  CHECK(two["runs"][0]["name"] == "before:baseline");
  CHECK(two["runs"][1]["name"] == "after:baseline");
  CHECK(two["difference"]["causes"]["operands"].get<std::int64_t>() < 0);
  CHECK_FALSE(two["difference"]["instructions"].empty());
}

TEST_CASE("explain: a profile changes no result, and tick order no profile") {
  const Desk desk;
  const std::string bfs = project_trace("bfs").string();
  for (const std::string platform : {"malekeh", "rfc", "socgpu"}) {
    CAPTURE(platform);
    desk.succeed({"run", "-p", platform, "-t", bfs, "-r", "plain"});
    std::string first;
    for (const std::string order : {"pipeline", "reverse", "shuffled"}) {
      desk.succeed(
          {"run", "-p", platform, "-t", bfs, "-r", order, "--profile", "--set", "tick_order=" + order});
      const std::string run = platform + "/bfs/";
      CHECK(desk.file(order + "/" + run + "stats.json") == desk.file("plain/" + run + "stats.json"));
      if (first.empty()) first = desk.file(order + "/" + run + "profile.json");
      CHECK(desk.file(order + "/" + run + "profile.json") == first);
    }
  }
}

TEST_CASE("explain: a run without a profile removes that of the run before") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "baseline", "-t", "t", "--profile", "-r", "r"});
  CHECK(desk.files().count("r/baseline/t/profile.json") == 1);
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r"});
  CHECK(desk.files().count("r/baseline/t/profile.json") == 0);
  CHECK(desk.files().count("r/baseline/t/stats.json") == 1);
  desk.succeed({"run", "-p", "baseline", "-t", "t", "--profile", "-r", "r"});
  CHECK(desk.files().count("r/baseline/t/profile.json") == 1);
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "-r", "r"});
  CHECK(desk.files().count("r/baseline/t/profile.json") == 1);  // runs of other commands stay
}

TEST_CASE("explain: bad input") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.refuse({"explain"}, {"no platform", "expected --platform"});
  desk.refuse({"explain", "-p", "baseline"}, {"no trace", "expected --trace"});
  desk.refuse({"explain", "-p", "baseline", "-t", "t", "--top", "0"}, {"--top 0; expected at least 1"});
  desk.refuse({"explain", "-p", "baseline", "-t", "t", "--top", "x"}, {"'x' for --top"});
  desk.refuse({"explain", "nowhere"}, {"nowhere: has no results.json; expected a results folder"});
  desk.refuse({"explain", "t"}, {"t: has no results.json; expected a results folder"});
  desk.refuse({"explain", "t", "-p", "baseline"},
              {"--platform with results folders, which need no runs", "expected"});
  desk.refuse({"explain", "a", "b", "c"}, {"unexpected argument 'c'", "expected one or two results folders"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--profile"},
              {"--profile", "expected --results FOLDER, too"});
  desk.refuse({"explain", "-p", "baseline", "-t", "t", "--json", "t/kernelslist.g"}, {"--json", "the trace"});
}

TEST_CASE("explain: saved results that cannot be used") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r"});
  const auto refuse = [&](const Strings& words) {
    const Outcome o = desk.run({"explain", "r", "--json", "e.json"});
    CHECK(o.code == 1);
    CHECK(o.out.empty());
    CHECK(lines_of(o.err) == 1);
    for (const std::string& word : words) CHECK_THAT(o.err, Catch::Contains(word));
    CHECK(desk.files().count("e.json") == 0);
  };
  refuse({"r/baseline/t/profile.json: is not there; expected results of runs with --profile"});
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r", "--profile"});
  const Json sound = desk.json("r/baseline/t/profile.json");
  Json wrong = sound;
  wrong["instructions"][0]["issues"] = whole(wrong["instructions"][0]["issues"]) + 1;
  desk.write("r/baseline/t/profile.json", wrong.dump());
  refuse({"r/baseline/t/profile.json: a profile that does not add up: ",
          "issues of all instructions; expected"});
  wrong = sound;
  wrong["stall_cycles"]["boredom"] = 1;
  desk.write("r/baseline/t/profile.json", wrong.dump());
  refuse({"r/baseline/t/profile.json: not a profile: there is no cause 'boredom'"});
  wrong = sound;
  wrong.erase("banks");
  desk.write("r/baseline/t/profile.json", wrong.dump());
  refuse({"r/baseline/t/profile.json: not a profile: "});
  desk.write("r/baseline/t/profile.json", "{");
  refuse({"r/baseline/t/profile.json: not a profile: "});
  for (const auto& [key, value, expected] : {std::tuple("cycles", Json(-5), "0 to 18446744073709551615"),
                                             {"prefetches", Json(1e100), "0 to 18446744073709551615"},
                                             {"prefetches", Json(2.5), "0 to 18446744073709551615"},
                                             {"trace", Json(3), "text"}}) {
    wrong = sound;
    wrong[key] = value;
    desk.write("r/baseline/t/profile.json", wrong.dump());
    refuse({"r/baseline/t/profile.json: not a profile: '" + std::string(key) + "' is " + value.dump() +
                "; expected ",
            expected});
  }
  wrong = sound;
  wrong["banks"][0]["bank"] = 1ull << 32;
  desk.write("r/baseline/t/profile.json", wrong.dump());
  refuse({"'bank' is 4294967296; expected a whole number from 0 to 4294967295"});
  desk.write("r/baseline/t/profile.json", sound.dump());
  desk.refuse(
      {"explain", "r/results.json"},
      {"r/results.json: not a profile: not a JSON object; expected profile.json as --profile writes it"});
  desk.refuse({"explain", "r/baseline/t/platform.yaml"},
              {"platform.yaml: not a profile: no JSON; expected profile.json"});
  desk.write("r/results.json", "[]");
  refuse({"r/results.json: has no run; expected"});
  desk.write("r/results.json", "[3]");
  refuse({"r/results.json: run 1: is not a JSON object; expected"});
  std::filesystem::remove_all(desk.path() / "r");
  // An explanation does not overwrite the profile that it reads.
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r", "--profile"});
  const Outcome o = desk.run({"explain", "r", "--json", "r/baseline/t/profile.json"});
  CHECK(o.code == 1);
  CHECK(desk.json("r/baseline/t/profile.json") == sound);
}

}  // namespace explain_test
