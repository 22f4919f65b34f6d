// Runs with other seeds and starts (--seeds), and the cautions of results.
#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace seeds_test {

using namespace subcore::test;
using Json = nlohmann::json;
using Catch::Contains;

namespace {

const Json& run_of(const Json& results, const std::string& platform) {
  for (const Json& r : results)
    if (r["platform"] == platform) return r;
  throw std::runtime_error("no run of " + platform);
}

}  // namespace

TEST_CASE("several seeds: --seeds runs each platform again with other seeds and starts, the first as ever") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings compare{"compare", "-p", "baseline", "-p", "malekeh", "-t", "t"};
  desk.succeed(with(compare, {"-r", "once"}));
  const Outcome outcome = desk.succeed(with(compare, {"-r", "r", "--seeds", "3"}));
  CHECK_THAT(outcome.out, Contains("over 3 seeds and starts: mean, half of the mean's 95 % interval") &&
                              !Contains("member=") && !Contains("--seeds N"));
  const Json results = desk.json("r/results.json"), once = desk.json("once/results.json");
  REQUIRE(results.size() == 6);
  CHECK(run_of(results, "malekeh")["cycles"] == run_of(once, "malekeh")["cycles"]);
  CHECK(run_of(results, "malekeh")["seed"] == 1);
  CHECK(run_of(results, "malekeh")["start_cycle"] == 0);
  CHECK(run_of(results, "malekeh")["spread"]["members"] == 3);
  CHECK(run_of(results, "malekeh")["spread"].contains("ipc_normalised_worst"));
  CHECK_FALSE(run_of(once, "malekeh").contains("spread"));
  for (const char* p : {"baseline", "malekeh"})
    for (const int m : {1, 2}) {
      const Json& r = run_of(results, std::string(p) + ",member=" + std::to_string(m));
      CHECK(r["seed"] == 1 + m);
      CHECK(r["start_cycle"] > 0);
      CHECK(r["start_cycle"] < 10000);
      CHECK(r["member"] == m);
      CHECK(r["member_of"] == p);
      // The baseline makes no random choices, so a later start changes nothing.
      if (std::string(p) == "baseline") CHECK(r["cycles"] == run_of(once, p)["cycles"]);
    }
  CHECK(run_of(results, "malekeh,member=2")["start_cycle"] ==
        run_of(results, "baseline,member=2")["start_cycle"]);
  // When the command is repeated, it runs nothing.
  CHECK_THAT(desk.run(with(compare, {"-r", "r", "--seeds", "3", "--resume"})).err,
             Contains("6 of 6 runs are kept"));
}

TEST_CASE("a scenario says how many seeds, and --seeds says it again") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\nseeds: 2\n");
  CHECK_THAT(desk.succeed({"run", "s.yaml"}).out, Contains("over 2 seeds and starts"));
  CHECK_THAT(desk.succeed({"run", "s.yaml", "--seeds", "4"}).out, Contains("over 4 seeds and starts"));
  CHECK(desk.succeed({"run", "s.yaml", "--seeds", "1"}).out.find("seeds and starts") == std::string::npos);
  desk.write("wrong.yaml", "platforms: [baseline]\ntraces: [t]\nseeds: none\n");
  desk.refuse({"run", "wrong.yaml"},
              {"wrong.yaml:3", "seeds: 'none'; expected a whole number from 1 to 1000"});
  desk.refuse({"run", "s.yaml", "--seeds", "0"}, {"--seeds 0; expected a whole number from 1 to 1000"});
  desk.refuse({"compare", "-p", "baseline", "-t", "t", "--seeds", "3"},
              {"one platform; expected at least two"});
}

TEST_CASE("what may not be read as a result says so wherever it is shown") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Outcome outcome =
      desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "r", "--profile"});
  CHECK_THAT(outcome.out, Contains("caution D: malekeh on t: few STHLD decisions") &&
                              Contains("caution W: all runs: few waves of CTAs") &&
                              Contains("malekeh   DW") &&
                              Contains("differences of IPC below 2 % may be noise: --seeds N measures it"));
  const Json malekeh = run_of(desk.json("r/results.json"), "malekeh");
  CHECK(malekeh["cautions"][0] == "few_decisions");
  CHECK(malekeh["cautions"][1] == "few_waves");
  CHECK(malekeh["sthld_decisions"] == 0);
  CHECK(malekeh["ipc_busy"] >= malekeh["ipc"]);
  CHECK_THAT(desk.file("r/malekeh/t/stats.csv"), Contains("root.result.caution_few_decisions,1,") &&
                                                     Contains("root.result.caution_few_waves,1,") &&
                                                     Contains("root.result.ipc_busy,"));
  CHECK_THAT(desk.file("r/baseline/t/stats.csv"), Contains("root.result.caution_few_decisions,0,"));
  CHECK_THAT(desk.succeed({"explain", "r"}).out, Contains("caution: malekeh: few STHLD decisions"));
  CHECK_THAT(desk.succeed({"explain", "r/malekeh/t/profile.json"}).out,
             Contains("caution: malekeh: few STHLD decisions"));
  CHECK_THAT(desk.succeed({"run", "-p", "malekeh", "-t", "t", "--lines"}).out, Contains(" !DW\n"));
  CHECK_THAT(desk.succeed({"run", "-p", "malekeh", "-t", "t"}).out, Contains("  vs first   busy  "));
  CHECK_THAT(desk.succeed({"run", "-p", "malekeh", "-t", "t", "--wide"}).out,
             Contains("  vs first   busy  "));
  desk.succeed({"report", "r", "-o", "report.html", "--figures", "f"});
  for (const char* figure : {"ipc_ratio", "energy", "energy_by_table", "intervals_1_t"})
    CHECK_THAT(desk.file(std::string("f/") + figure + ".svg"),
               Contains("cautions: few_decisions: malekeh; few_waves: all"));
  CHECK_THAT(desk.file("report.html"), Contains("few_decisions (1), few_waves (1)") &&
                                           Contains("caution: malekeh on t: few STHLD decisions") &&
                                           Contains("IPC busy") && Contains("energy by tables") &&
                                           Contains("id=\"energy_by_table\""));
}

TEST_CASE("figures draw intervals over members") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "r", "--seeds", "3"});
  desk.succeed({"report", "r", "-o", "report.html", "--figures", "f"});
  CHECK_THAT(desk.file("f/ipc_ratio.svg"), Contains("LineCollection"));
  CHECK_THAT(desk.file("f/ipc_ratio.csv"), Contains("\"malekeh, 95 %\""));
  CHECK(desk.file("report.html").find("member=") == std::string::npos);
}

}  // namespace seeds_test
