// Scenario files with a grid of parameters and several parts, and runs of them.
#include <map>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace sweep_test {

using namespace subcore::test;

namespace {

Strings platforms_in(const nlohmann::json& results, const std::string& trace) {
  Strings names;
  for (const auto& r : results)
    if (r["trace"] == trace) names.push_back(r["platform"]);
  return names;
}

struct SweepDesk : Desk {
  SweepDesk() {
    trace("a", sound_lines());
    trace("b", sound_lines() + sound_lines());
  }
};

}  // namespace

TEST_CASE("a sweep runs every combination, each as a platform of its own") {
  const SweepDesk desk;
  desk.write("s.yaml",
             "platforms: [baseline, malekeh]\ntraces: [a, b]\nresults: r\n"
             "sweep: {sub_core.collector.count: [2, 4], sub_core.register_file.banks: [2, 4]}\n");
  desk.succeed({"run", "s.yaml", "-j", "x.json"});
  const auto results = desk.json("x.json");
  CHECK(platforms_in(results, "b") == Strings{"baseline,count=2,banks=2", "baseline,count=2,banks=4",
                                              "baseline,count=4,banks=2", "baseline,count=4,banks=4",
                                              "malekeh,count=2,banks=2", "malekeh,count=2,banks=4",
                                              "malekeh,count=4,banks=2", "malekeh,count=4,banks=4"});
  CHECK(results[0].at("ipc_normalised") == 1.0);
  CHECK(results[14].at("system") == "malekeh");
  CHECK(results[14].at("swept") ==
        nlohmann::json{{"sub_core.collector.count", "4"}, {"sub_core.register_file.banks", "2"}});
  CHECK(desk.json("r/malekeh,count=4,banks=2/b/run.json").at("result").at("swept") ==
        results[14].at("swept"));
  CHECK(desk.file("r/malekeh,count=4,banks=2/b/platform.yaml").find("count: 4") != std::string::npos);
  desk.succeed({"run", "-p", "malekeh", "-t", "b", "-s", "sub_core.collector.count=4", "-j", "y.json"});
  CHECK(desk.json("y.json").at("cycles") == results[14].at("cycles"));
}

TEST_CASE("results say which system a platform is of, and what was swept") {
  const SweepDesk desk;
  desk.write("s.yaml",
             "gpu: v100\nplatforms: [baseline]\ntraces: [a]\nset: [gpu.sms=1]\nseeds: 2\nparts:\n"
             "  - {label: more, vary: {few: [sub_core.collector.count=1]}}\n");
  desk.succeed({"run", "s.yaml", "-j", "x.json"});
  const auto results = desk.json("x.json");
  REQUIRE(results.size() == 4);
  for (const auto& r : results) {
    CHECK(r.at("system") == "baseline,more");
    const std::string platform = r.at("platform");
    if (platform.rfind("v100/baseline,more,few", 0) == 0)
      CHECK(r.at("swept") == nlohmann::json{{"sub_core.collector.count", "1"}});
    else
      CHECK(r.count("swept") == 0);
  }
}

TEST_CASE("what a platform refuses of a sweep is an error, or left out with a note") {
  const SweepDesk desk;
  const std::string sweep =
      "platforms: [malekeh, baseline]\ntraces: [a]\nsweep: {sub_core.collector.entries: [5, 8, 6, 9]}\n";
  desk.write("e.yaml", sweep);
  desk.refuse({"run", "e.yaml"}, {"e.yaml: sweep: ", "expected sub_core.collector.entries of at least 7"});
  desk.write("s.yaml", sweep + "skip_refused: true\n");
  const Outcome some = desk.run({"run", "s.yaml", "-j", "x.json"});
  CHECK(some.code == 0);
  CHECK_THAT(some.err,
             Catch::Contains("note: skip_refused: 2 of 4 are left out: s.yaml: sweep: entries=5 of") &&
                 Catch::Contains("expected sub_core.collector.entries of at least 7"));
  CHECK(platforms_in(desk.json("x.json"), "a") ==
        Strings{"malekeh,entries=8", "malekeh,entries=9", "baseline"});
  desk.write(
      "n.yaml",
      "platforms: malekeh\ntraces: [a]\nskip_refused: true\nsweep: {sub_core.collector.entries: [5]}\n");
  desk.refuse({"run", "n.yaml"}, {"n.yaml: sweep: entries=5 of", "of at least 7"});
  desk.write(
      "k.yaml",
      "platforms: malekeh\ntraces: [a]\nskip_refused: true\nsweep: {sub_core.colector.entries: [8]}\n");
  desk.refuse({"run", "k.yaml"}, {"sub_core.colector"});
  desk.write("v.yaml",
             "platforms: malekeh\ntraces: [a]\nskip_refused: true\n"
             "vary: {few: [sub_core.collector.entries=5], many: [sub_core.collector.entries=9]}\n");
  CHECK(desk.run({"run", "v.yaml", "-j", "v.json"}).code == 0);
  CHECK(platforms_in(desk.json("v.json"), "a") == Strings{"malekeh", "malekeh,many"});
}

TEST_CASE("a platform that does not read what is swept runs once") {
  const SweepDesk desk;
  desk.write("s.yaml",
             "platforms: [baseline, malekeh]\ntraces: [a]\nsweep: {sub_core.collector.entries: [7, 8]}\n");
  desk.succeed({"run", "s.yaml", "-j", "x.json"});
  CHECK(platforms_in(desk.json("x.json"), "a") ==
        Strings{"baseline", "malekeh,entries=7", "malekeh,entries=8"});
}

TEST_CASE("parts have what they do not say from above them, and may share runs") {
  const SweepDesk desk;
  desk.write("s.yaml",
             "platforms: [baseline, malekeh]\ntraces: [a]\nset: [seed=7]\nparts:\n"
             "  - {}\n"
             "  - {platforms: [malekeh, bow], traces: [a, b]}\n"
             "  - {platforms: [malekeh], set: [seed=8], label: other}\n");
  desk.succeed({"run", "s.yaml", "-j", "x.json"});
  const auto results = desk.json("x.json");
  CHECK(platforms_in(results, "a") == Strings{"baseline", "malekeh", "bow", "malekeh,other"});
  CHECK(platforms_in(results, "b") == Strings{"malekeh", "bow"});
  CHECK(results[1].at("seed") == 7);
  CHECK(results[3].at("seed") == 8);
  CHECK_FALSE(results[4].contains("ipc_normalised"));  // the first platform has not run this trace
}

TEST_CASE("variations run one at a time, on platforms that read all of one") {
  const SweepDesk desk;
  desk.write("s.yaml",
             "platforms: [baseline, malekeh]\ntraces: [a]\nresults: r\nvary:\n"
             "  banks=4: [sub_core.register_file.banks=4, sub_core.register_file.bank_kilobytes=16]\n"
             "  entries=12: [sub_core.register_file.banks=4, sub_core.collector.entries=12]\n");
  desk.succeed({"run", "s.yaml", "-j", "x.json"});
  CHECK(platforms_in(desk.json("x.json"), "a") ==
        Strings{"baseline", "baseline,banks=4", "malekeh", "malekeh,banks=4", "malekeh,entries=12"});
  CHECK(desk.file("r/malekeh,banks=4/a/platform.yaml").find("bank_kilobytes: 16") != std::string::npos);
  CHECK(desk.file("r/malekeh,entries=12/a/platform.yaml").find("bank_kilobytes: 32") != std::string::npos);
}

TEST_CASE("of a sample the first eight that are there run, and without any the first eight traces") {
  const SweepDesk desk;
  for (const char* name : {"c", "d", "e", "f", "g", "h", "i"}) desk.trace(name, sound_lines());
  const auto traces = [&](const std::string& sample) {
    desk.write("s.yaml", "platforms: [baseline]\ntraces: [.]\nsample: " + sample + "\n");
    const Outcome o = desk.run({"run", "s.yaml", "-j", "x.json"});
    CHECK(o.code == 0);
    Strings names;
    for (const auto& r : desk.json("x.json")) names.push_back(r.at("trace"));
    return std::pair(names, o.err.find("no trace has a name of the sample") != std::string::npos);
  };
  CHECK(traces("[i, none, a]") == std::pair(Strings{"i", "a"}, false));
  CHECK(traces("[i, h, g, f, e, d, c, b, a]") ==
        std::pair(Strings{"i", "h", "g", "f", "e", "d", "c", "b"}, false));
  CHECK(traces("[none]") == std::pair(Strings{"a", "b", "c", "d", "e", "f", "g", "h"}, true));
}

TEST_CASE("sweeps and parts with mistakes") {
  const SweepDesk desk;
  const auto refuse = [&](const std::string& rest, const Strings& words) {
    desk.write("s.yaml", "platforms: [baseline, malekeh]\ntraces: [a]\n" + rest);
    desk.refuse({"run", "s.yaml", "-r", "r"}, words);
  };
  refuse("sweep: {sub_core.collector.count: []}\n", {"s.yaml:3: ", "expected a list"});
  refuse("sweep: [a]\n", {"s.yaml:3: sweep", "expected"});
  refuse("sweep: {gpu.sms: [1, 1]}\n",
         {"s.yaml:3: sweep.gpu.sms: a value is given twice; expected distinct values"});
  refuse("sweep: {gpu.sm: [1, 2]}\n", {"s.yaml: sweep: gpu.sm=1", "unknown key; did you mean 'sms'?"});
  refuse("sweep: {gpu.sms: [0, 1]}\n", {"s.yaml: sweep: gpu.sms=0", "expected"});
  refuse("sweep: {sub_core.operand_cache.entries: [2, 4]}\n", {"sub_core.operand_cache.entries", "expected"});
  refuse("set: [gpu.sms=0]\n", {"s.yaml:3: set: gpu.sms=0: ", "expected"});
  refuse("set: gpu.sm=2\n", {"s.yaml:3: set: gpu.sm=2: unknown key; did you mean 'sms'?"});
  refuse("set:\n  - gpu.sms=2\n  - sthld.fixed = x\n", {"s.yaml:5: set: sthld.fixed=x: "});
  refuse("set: [sub_core.operand_cache.entries=2]\n", {"s.yaml:3: set: sub_core.operand_cache.entries=2: "});
  refuse("parts: [{set: [gpu.sms]}]\n",
         {"s.yaml:3: parts.set: gpu.sms: is not an assignment; expected key=value"});
  refuse("set: [gpu.sms=0]\nsweep: {seed: [1, 2]}\n", {"s.yaml:3: set: gpu.sms=0: "});
  refuse("sweep: {gpu.sms: [1, 2]}\nset: [sm.sub_cores=3]\n", {"s.yaml:4: set: sm.sub_cores=3: "});
  refuse("vary: {a: []}\n", {"s.yaml:3: ", "expected a list"});
  refuse("vary: {a: gpu.sm=2}\n", {"s.yaml: vary: gpu.sm=2", "unknown key; did you mean 'sms'?"});
  refuse("sweep: {gpu.sms: [1, 2]}\nvary: {a: gpu.sms=4}\n",
         {"s.yaml: vary: a: gpu.sms is swept, too; expected one of them"});
  refuse("vary: {a: gpu.sms=0}\n", {"s.yaml: vary: gpu.sms=0", "expected"});
  refuse("vary: {a: sub_core.operand_cache.entries=2}\n", {"sub_core.operand_cache.entries", "expected"});
  refuse("sample: []\n", {"s.yaml:3: sample: ", "expected a list"});
  refuse("parts: []\n", {"s.yaml:3: parts: ", "expected a list of parts"});
  refuse("parts: [{name: x}]\n", {"s.yaml:3: parts.name: unknown key; ", "expected one of"});
  refuse("parts: [{}, {set: [seed=2]}]\n", {"'baseline' was given before, with other parameters", "'label'"});
  refuse("parts: [{platforms: [malekeh, malekeh]}]\n",
         {"'malekeh' was given before; expected distinct names"});
  refuse("parts: [{label: a/b}]\n", {"a/b", "expected a name without '/'"});
}

TEST_CASE("every shipped scenario can run") {
  const SweepDesk desk;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SUBCORE_SOURCE_DIR "/scenarios"))
    if (entry.path().extension() == ".yaml") {
      ++count;
      CHECK_THAT(desk.succeed({"run", entry.path().string(), "--dry-run"}).out,
                 Catch::Contains(" runs to do"));
    }
  CHECK(count >= 2);
}

TEST_CASE("a dry run says what is left to do, and writes nothing") {
  const SweepDesk desk;
  desk.write("s.yaml",
             "name: mine\nplatforms: [baseline, malekeh]\ntraces: [a, b]\nsweep: {gpu.sms: [1, 2]}\n");
  const Outcome before = desk.succeed({"run", "s.yaml", "--dry-run", "-r", "r", "--jobs", "2"});
  CHECK(before.out.find("8 of 8 runs to do, 2 at once: about ") != std::string::npos);
  CHECK(desk.files().count("r") == 0);

  desk.write("some", "malekeh,sms=1/b\nbaseline,sms=2/a\n");
  desk.succeed({"run", "s.yaml", "--only", "some", "-r", "r", "--quiet"});
  const Outcome left = desk.succeed({"run", "s.yaml", "-n", "-r", "r", "--resume", "-j", "x.json"});
  CHECK(left.out.find("6 of 8 runs to do") != std::string::npos);
  const auto plan = desk.json("x.json");
  CHECK(plan.at("name") == "mine");
  REQUIRE(plan.at("runs").size() == 8);
  std::set<std::string> finished, keys;
  std::map<std::string, int> instructions;
  for (const auto& run : plan["runs"]) {
    if (run.at("finished") == true) finished.insert(run.at("run"));
    keys.insert(run.at("key"));
    CHECK(run.at("seconds") > 0);
    CHECK(run.at("megabytes") > 0);
    instructions[run.at("trace")] = run.at("instructions");
  }
  CHECK(finished == std::set<std::string>{"malekeh,sms=1/b", "baseline,sms=2/a"});
  CHECK(keys.size() == 8);
  for (const auto& r : desk.json("r/results.json"))
    CHECK(r.at("instructions_retired") == instructions[r.at("trace")]);
}

TEST_CASE("a dry run knows that register systems take longer than the baseline") {
  const SweepDesk desk;
  desk.succeed({"run", "-p", "rtx2060_third/baseline", "-p", "rtx2060_third/malekeh", "-p",
                "rtx2060_third/rfc", "-p", "rtx2060_third/bow", "-t",
                SUBCORE_SOURCE_DIR "/scenarios/traces/bfs", "-n", "-j", "x.json"});
  double last = 0;
  for (const auto& run : desk.json("x.json").at("runs")) {
    CHECK(run.at("seconds") > last);
    last = run.at("seconds");
  }
}

TEST_CASE("chunks that were run apart are gathered without running anything again") {
  const SweepDesk desk;
  desk.write("s.yaml", "platforms: [baseline, malekeh]\ntraces: [a, b]\nsweep: {gpu.sms: [1, 2]}\n");
  desk.succeed({"run", "s.yaml", "-r", "whole", "--quiet"});
  desk.write("1", "malekeh,sms=1/b\nbaseline,sms=2/a\nbaseline,sms=1/a\n");
  desk.write("2", "malekeh,sms=1/a\nbaseline,sms=2/b\nbaseline,sms=1/b\nmalekeh,sms=2/b\nmalekeh,sms=2/a\n");
  for (const char* chunk : {"1", "2"})
    desk.succeed({"run", "s.yaml", "--only", chunk, "-r", std::string("chunks/") + chunk, "--quiet"});
  const Outcome gathered = desk.run({"run", "s.yaml", "--finished", "chunks", "-r", "all"});
  CHECK(gathered.code == 0);
  CHECK(gathered.err.find("8 of 8 runs are kept from before") != std::string::npos);
  auto whole = desk.json("whole/results.json"), all = desk.json("all/results.json");
  for (auto* results : {&whole, &all})
    for (auto& r : *results) r.erase("wall_seconds");
  CHECK(whole == all);
}

TEST_CASE("a list of runs with mistakes") {
  const SweepDesk desk;
  const auto refuse = [&](const std::string& content, const Strings& words) {
    desk.write("some", content);
    desk.refuse(everything({"run", "-p", "baseline", "-t", "a", "--only", "some"}), words);
  };
  refuse("baseline/a\nbaselin/a\n",
         {"some:2: 'baselin/a': no such run; did you mean 'baseline/a'? expected PLATFORM/TRACE"});
  refuse("\n", {"some: names no run; expected a line PLATFORM/TRACE for each"});
  desk.refuse({"run", "-p", "baseline", "-t", "a", "--only", "none"},
              {"none: cannot be read (No such file or directory); expected a file of runs"});
}

}  // namespace sweep_test
