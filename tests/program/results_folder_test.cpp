// A results folder that several commands write to. Runs that are there stay, and the same run is replaced.
#include <csignal>

#include <catch2/catch.hpp>

#include "tests/program/lease.h"
#include "tests/program/program.h"

namespace results_folder_test {

using namespace subcore::test;
using Catch::Contains;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in(const Desk& desk, const std::string& folder) {
  std::vector<std::string> names;
  for (const Json& r : desk.json(folder + "/results.json"))
    names.push_back(r["platform"].get<std::string>() + " " + r["trace"].get<std::string>());
  return names;
}

std::map<std::string, std::string> contents_below(const Desk& desk, const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const std::string& f : desk.files())
    if (f.rfind(folder + "/", 0) == 0 && !fs::is_directory(desk.path() / f)) all[f] = desk.file(f);
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("results of another platform come to those that are there") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines() + sound_lines());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-t", "u", "-r", "r"});
  desk.write("r/malekeh/t/mine.txt", "mine");
  const auto before = contents_below(desk, "r");
  const Json earlier = desk.json("r/results.json");
  const Outcome o = desk.succeed({"run", "-p", "traditional", "-t", "u", "-r", "r", "-j", "x.json"});
  CHECK_THAT(o.out, Contains("results: r, with 4 runs from before\n"));
  CHECK(desk.json("x.json")["platform"] == "traditional");  // the runs that were asked for
  CHECK(names_in(desk, "r") == Names{"baseline t", "malekeh t", "baseline u", "malekeh u", "traditional u"});
  for (const auto& [file, content] : before) {
    INFO(file);
    if (file != "r/results.json") CHECK(desk.file(file) == content);
  }
  const Json now = desk.json("r/results.json");
  for (std::size_t i = 0; i < earlier.size(); ++i) CHECK(now[i] == earlier[i]);
  // All runs are compared with the first platform of the folder.
  CHECK(now[4]["ipc_normalised"].get<double>() ==
        Approx(now[4]["ipc"].get<double>() / now[2]["ipc"].get<double>()));
  CHECK(now[4]["energy_normalised"].get<double>() ==
        Approx(now[4]["energy_pj"]["total"].get<double>() / now[2]["energy_pj"]["total"].get<double>()));
  // The results are as if all runs belonged to one command, apart from their order.
  desk.succeed({"compare", "-p", "baseline", "-p", "traditional", "-p", "malekeh", "-t", "u", "-r", "all"});
  for (const Json& together : desk.json("all/results.json"))
    for (Json one : now)
      if (one["platform"] == together["platform"] && one["trace"] == together["trace"]) {
        one["wall_seconds"] = together["wall_seconds"];
        CHECK(one == together);
      }
  desk.succeed({"report", "r", "-o", "r.html"});
}

TEST_CASE("the same run again is replaced, in its place") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings both{"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"};
  desk.succeed(both);
  desk.write("base.yaml", "extends: baseline.yaml\nname: baseline\n");  // the same platform from another file
  desk.succeed({"run", "-p", "base.yaml", "-t", "t", "-r", "r", "--profile", "--quiet"});
  CHECK(names_in(desk, "r") == Names{"baseline t", "malekeh t"});
  CHECK(desk.files().count("r/baseline/t/profile.json") == 1);
  desk.succeed(both);
  CHECK(names_in(desk, "r") == Names{"baseline t", "malekeh t"});
  CHECK(desk.files().count("r/baseline/t/profile.json") == 0);
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
}

TEST_CASE("another platform, trace or seed of the same name gets a name of its own, each time the same") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings command{"run", "-p", "baseline", "-t", "t", "-r", "r", "--quiet"};
  desk.succeed(command);
  const auto before = contents_below(desk, "r/baseline");
  const auto add = [&](const Strings& more, const std::string& name, std::size_t size) {
    for (int twice = 0; twice < 2; ++twice) {
      const Outcome o = desk.run(with(command, more));
      CHECK(o.code == 0);
      CHECK_THAT(o.err, Contains("subcore: note: r has results of another ") && Contains(name + " there\n"));
      CHECK(names_in(desk, "r").size() == size);
      CHECK(contents_below(desk, "r/baseline/t") == before);
    }
  };
  add({"-s", "seed=2"}, "baseline,seed=2", 2);
  CHECK(desk.json("r/results.json")[1]["seed"] == 2);
  CHECK(desk.json("r/results.json")[1]["platform"] == "baseline,seed=2");
  CHECK(desk.files().count("r/baseline,seed=2/t/stats.json") == 1);
  add({"-s", "seed=2", "-s", "memory.hit_latency=77"}, "baseline,hit_latency=77,seed=2", 3);
  // Many parameters differ.
  desk.write("baseline.yaml", "extends: malekeh.yaml\n");
  const Strings other{"run", "-p", "baseline.yaml", "-t", "t", "-r", "r", "--quiet"};
  for (int twice = 0; twice < 2; ++twice) {
    CHECK(desk.run(other).err ==
          "subcore: note: r has results of another platform baseline, which stay; the new results are called "
          "baseline,2 there\n");
    CHECK(names_in(desk, "r").size() == 4);
  }
  // A name stands for one platform on all traces, and for one trace on all platforms.
  desk.trace("u", sound_lines() + sound_lines());
  CHECK_THAT(desk.run({"run", "-p", "baseline", "-t", "u", "-s", "seed=2", "-r", "r", "--quiet"}).err,
             Contains("the new results are called baseline,seed=2 there"));
  desk.trace("t", sound_lines() + sound_lines());
  CHECK_THAT(desk.run({"run", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"}).err,
             Contains("r has results of another trace t, which stay; the new results are called t,2 there"));
  CHECK(names_in(desk, "r") == Names{"baseline t", "baseline,seed=2 t", "baseline,hit_latency=77,seed=2 t",
                                     "baseline,2 t", "baseline,seed=2 u", "malekeh t,2"});
  CHECK(contents_below(desk, "r/baseline/t") == before);
  desk.succeed({"report", "r", "-o", "r.html"});
}

TEST_CASE("kernels of a trace are traces of their own") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  desk.write("t/kernel-2.traceg", header() + one_warp(sound_lines() + sound_lines()));
  const Strings command{"run", "-p", "baseline", "-t", "t", "-r", "r", "--quiet"};
  desk.succeed(command);
  desk.run(with(command, {"--kernel", "2"}));
  desk.run(with(command, {"--kernel", "1"}));
  desk.run(with(command, {"--kernel", "2"}));
  CHECK(names_in(desk, "r") == Names{"baseline t", "baseline t,kernel=2", "baseline t,kernel=1"});
}

TEST_CASE("only --overwrite removes results, and says which") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines());
  const Strings all{"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-t", "u", "-r", "r", "--quiet"};
  desk.succeed(all);
  desk.write("r/malekeh/t/mine.txt", "mine");
  const auto before = contents_below(desk, "r");
  // The old results are not removed before the new runs have succeeded.
  desk.write("bad/kernelslist.g", "kernel-1.traceg\n");
  desk.write("bad/kernel-1.traceg", "no trace");
  CHECK(desk.run({"run", "-p", "baseline", "-t", "bad", "-r", "r", "--overwrite"}).code == 1);
  CHECK(contents_below(desk, "r") == before);
  const Outcome o =
      desk.run({"run", "-p", "baseline", "-t", "u", "-s", "seed=2", "-r", "r", "--overwrite", "--quiet"});
  CHECK(o.code == 0);
  CHECK(o.err ==
        "subcore: note: removed from r, as --overwrite says: baseline on t, malekeh on t and malekeh on u\n");
  CHECK(names_in(desk, "r") == Names{"baseline u"});
  CHECK(desk.json("r/results.json")[0]["seed"] == 2);
  std::set<std::string> left;
  for (const auto& [file, content] : contents_below(desk, "r")) left.insert(file);
  CHECK(left == std::set<std::string>{"r/baseline/u/intervals.csv", "r/baseline/u/platform.yaml",
                                      "r/baseline/u/power.csv", "r/baseline/u/run.json",
                                      "r/baseline/u/stats.csv", "r/baseline/u/stats.json",
                                      "r/malekeh/t/mine.txt", "r/results.json"});
  desk.refuse({"run", "-p", "baseline", "-t", "u", "--overwrite"},
              {"--overwrite without results", "expected --results"});
}

TEST_CASE("a command that is ended leaves the results of others whole") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines() + sound_lines());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"});
  const auto before = contents_below(desk, "r");
  const Strings more{"compare", "-p", "baseline", "-p", "traditional", "-t", "t",
                     "-t",      "u",  "-r",       "r",  "--jobs",      "1",  "--lines"};
  for (const int s : {SIGINT, SIGTERM, SIGKILL}) {
    pid_t program = 0;
    {
      const Lease lease(desk.path() / "u/kernel-1.traceg");
      program = desk.start(more);
      lease.await_other();
      kill(program, s);
    }
    const Outcome o = desk.finish(program);
    CHECK((o.code == 128 + s || o.signal == s));
    auto now = contents_below(desk, "r");
    for (auto f = now.begin(); f != now.end();)
      f = f->first.find(".subcore-") == std::string::npos ? std::next(f) : now.erase(f);
    CHECK(now == before);
  }
  // Runs that a failed command has finished are kept for --resume, whatever other commands do meanwhile.
  CHECK(desk.run({"run", "-p", "bow_wr", "-t", "u", "-r", "r", "--quiet"}).code == 0);
  const Outcome o = desk.run(with(more, {"--resume"}));
  CHECK(o.code == 0);
  CHECK_THAT(o.err, Contains("1 of 4 runs is kept from before"));
  CHECK(names_in(desk, "r") ==
        Names{"baseline t", "malekeh t", "bow_wr u", "traditional t", "baseline u", "traditional u"});
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
}

TEST_CASE("a run that somebody has removed from a folder by hand does not keep its name") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r", "--quiet"});
  fs::remove_all(desk.path() / "r/baseline");
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r", "--quiet", "-s", "seed=2"});
  CHECK(names_in(desk, "r") == Names{"baseline t"});
  CHECK(desk.json("r/results.json")[0]["seed"] == 2);
}

TEST_CASE("a file of a finished run that is missing is an error of a report, and of an explanation") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r", "--quiet", "--profile"});
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"});
  const Outcome o = desk.run({"explain", "r"});
  CHECK(o.code == 0);
  CHECK_THAT(o.err, Contains("left out, because they have no profile: malekeh on t"));
  const std::string profile = desk.file("r/baseline/t/profile.json");
  fs::remove(desk.path() / "r/baseline/t/profile.json");
  desk.refuse({"explain", "r"},
              {"r/baseline/t/profile.json: is not there, although run.json in its folder names it"});
  desk.write("r/baseline/t/profile.json", profile);
  fs::remove(desk.path() / "r/malekeh/t/intervals.csv");
  desk.refuse({"report", "r"},
              {"r/malekeh/t/intervals.csv: is not there, although run.json in its folder names it"});
}

TEST_CASE("explain runs into a folder with other results, and tells of its own") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"});
  const Outcome o = desk.succeed({"explain", "-p", "baseline", "-t", "t", "-r", "r", "--quiet"});
  CHECK_THAT(o.out, Contains("baseline") && !Contains("malekeh"));
  CHECK(names_in(desk, "r") == Names{"malekeh t", "baseline t"});
}

TEST_CASE("a missing file of a finished run is an error, whoever needs it") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"});
  const auto refuse_all = [&](const std::string& words) {
    desk.refuse({"report", "r"}, {words});
    desk.refuse({"run", "-p", "traditional", "-t", "t", "-r", "r", "--quiet"}, {words});
  };
  for (const char* file : {"stats.json", "stats.csv", "power.csv", "platform.yaml"}) {
    const std::string name = "r/malekeh/t/" + std::string(file), content = desk.file(name);
    fs::remove(desk.path() / name);
    refuse_all(name + ": is not there, although run.json in its folder names it; expected all files");
    desk.write(name, content);
  }
  fs::remove_all(desk.path() / "r/malekeh");
  refuse_all("r/malekeh/t: is not there, although r/results.json lists the run; expected all files");
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"});  // the same run again
  desk.succeed({"report", "r"});
}

TEST_CASE("results.json is checked against the records of its runs") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"});
  const Json sound = desk.json("r/results.json");
  Json wrong = sound;
  wrong[0]["cycles"] = 99;
  desk.write("r/results.json", wrong.dump());
  const std::string words = "r/results.json: has another result of baseline on t than r/baseline/t/run.json";
  desk.refuse({"report", "r"}, {words});
  desk.refuse({"run", "-p", "traditional", "-t", "t", "-r", "r", "--quiet"}, {words});
  struct Case {
    const char *key, *value, *expected;
  };
  for (const Case c :
       {Case{"ipc", "-1", "a number from 0 to 1e18"}, Case{"ipc", "1e308", "a number from 0 to 1e18"},
        Case{"read_hit_ratio", "7", "a number from 0 to 1"}, Case{"cycles", "0", "at least 1"}}) {
    wrong = sound;
    wrong[0][c.key] = Json::parse(c.value);
    desk.write("x.json", wrong.dump());
    desk.refuse({"report", "x.json"},
                {"x.json: run 1: '" + std::string(c.key) + "' is ", "; expected ", c.expected});
  }
}

TEST_CASE("runs of a folder that has lost its results.json are found by their records") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "r", "--quiet"});
  fs::remove(desk.path() / "r/results.json");
  const Outcome o = desk.run({"run", "-p", "baseline", "-s", "seed=3", "-t", "t", "-r", "r", "--quiet"});
  CHECK(o.code == 0);
  CHECK_THAT(o.err, Contains("baseline,seed=3"));
  CHECK(names_in(desk, "r") == Names{"baseline t", "malekeh t", "baseline,seed=3 t"});
  fs::remove(desk.path() / "r/results.json");
  const Outcome all = desk.run({"run", "-p", "bow", "-t", "t", "-r", "r", "--quiet", "--overwrite"});
  CHECK_THAT(all.err, Contains("removed from r"));
  CHECK(names_in(desk, "r") == Names{"bow t"});
  CHECK(desk.files().count("r/malekeh") == 0);
}

}  // namespace results_folder_test
