// Several traces on a platform. The platform is put together once, in a process that forks a process for each
// of its runs.
#include <chrono>
#include <functional>
#include <thread>

#include <catch2/catch.hpp>
#include <signal.h>

#include "tests/program/program.h"

namespace several_runs_test {

using namespace subcore::test;
using Json = nlohmann::json;

namespace {

void wait_for(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(condition());
}

// Two runs at once that take minutes, which is longer than any test here waits.
struct LongRuns {
  LongRuns() {
    std::string list;
    for (int i = 0; i < 2000; ++i) list += "kernel-1.traceg\n";
    for (const char* t : {"t", "u"}) {
      desk.trace(t, many_lines());
      desk.write(std::string(t) + "/kernelslist.g", list);
    }
    before = desk.files();
    program = desk.start({"run", "-p", "baseline", "-t", "t", "-t", "u", "--jobs", "2", "--results",
                          "some/where/results", "--json", "result.json"});
    wait_for([&] { return children_of(program).size() == 1; });
    platform = children_of(program).front();
    wait_for([&] { return children_of(platform).size() == 2; });
    runs = children_of(platform);
  }
  void check_dead() const {
    wait_for([&] { return is_dead(platform); });
    for (const pid_t run : runs) wait_for([&] { return is_dead(run); });
  }
  void check_nothing_left() const {
    CHECK(desk.files() == before);
    check_dead();
  }
  void check_refused(const std::string& name) const {
    const Outcome o = desk.finish(program);
    CHECK(o.code == 1);
    CHECK(lines_of(o.err) == 1);
    CHECK_THAT(o.err,
               Catch::StartsWith("subcore: error: " + name + ": the run was ended by signal 9 (Killed)") &&
                   Catch::Contains("memory ran out; in the second case expected"));
    check_nothing_left();
  }

  Desk desk;
  std::set<std::string> before;
  pid_t program = 0, platform = 0;
  std::vector<pid_t> runs;
};

void without_time(Json& results) {
  for (Json& r : results) r.erase("wall_seconds");
}

}  // namespace

TEST_CASE("runs of a comparison come to what each comes to alone, however many go on at once") {
  const Desk desk;
  desk.trace("small", sound_lines());
  desk.trace("large", many_lines());
  desk.trace("tiny", "0000 ffffffff 1 R1 MOV 0 0 \n0010 ffffffff 0 EXIT 0 0 \n");
  const Strings platforms{"malekeh", "bow_wr"}, traces{"small", "large", "tiny"};
  Strings comparison{"compare"};
  for (const std::string& p : platforms) comparison.insert(comparison.end(), {"-p", p});
  for (const std::string& t : traces) comparison.insert(comparison.end(), {"-t", t});
  std::vector<Json> together;
  for (const char* jobs : {"1", "4"}) {
    const std::string folder = std::string("jobs") + jobs;
    Strings arguments = comparison;
    arguments.insert(arguments.end(), {"--jobs", jobs, "--results", folder, "--profile"});
    desk.succeed(arguments);
    together.push_back(desk.json(folder + "/results.json"));
    without_time(together.back());
  }
  CHECK(together.front() == together.back());
  REQUIRE(together.front().size() == platforms.size() * traces.size());
  std::size_t n = 0;
  for (const std::string& t : traces) {
    for (const std::string& p : platforms) {
      CAPTURE(p, t);
      const std::string alone_folder = "alone_" + p + '_' + t;
      desk.succeed({"run", "-p", p, "-t", t, "--results", alone_folder, "--profile"});
      Json alone = desk.json(alone_folder + "/results.json");
      without_time(alone);
      Json& of_comparison = together.front()[n++];
      for (const char* relative : {"ipc_normalised", "energy_normalised", "area_normalised", "area_overhead",
                                   "chip_area_overhead", "energy_by_preset_normalised"})
        of_comparison.erase(relative);
      of_comparison["notes"] = alone.front()["notes"];  // compares presets of energy
      of_comparison["cautions"] = alone.front()["cautions"];
      CHECK(of_comparison == alone.front());
      for (const char* file :
           {"stats.json", "stats.csv", "intervals.csv", "power.csv", "platform.yaml", "profile.json"}) {
        const std::string place = p + "/" + t + "/" + file;
        CAPTURE(file);
        CHECK_FALSE(desk.file(alone_folder + "/" + place).empty());
        for (const char* folder : {"jobs1/", "jobs4/"})
          CHECK(desk.file(folder + place) == desk.file(alone_folder + "/" + place));
      }
    }
  }
}

TEST_CASE("of several traces the one that fails is named, and nothing is published of the others") {
  const Desk desk;
  desk.trace("good", sound_lines());
  desk.trace("bad", sound_lines(), "7");
  desk.trace("better", many_lines());
  for (const char* jobs : {"1", "2", "4"})
    desk.refuse({"compare", "-p", "baseline", "-p", "malekeh", "-t", "good", "-t", "bad", "-t", "better",
                 "--jobs", jobs, "--json", "result.json"},
                {"bad/kernel-1.traceg"});
  // An error that only a run can find.
  const Outcome o = desk.run({"compare", "-p", "baseline", "-p", "malekeh", "-t", "good", "-t", "better",
                              "-s", "checks.watchdog_cycles=1000", "-s", "memory.miss_latency=90000",
                              "--results", "r", "--jobs", "1"});
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Catch::StartsWith("subcore: error: baseline on good: no progress in 1000 cycles"));
  CHECK_FALSE(desk.files().count("r"));
}

TEST_CASE("one of several runs that the system kills says so") {
  const LongRuns long_runs;
  kill(long_runs.runs.back(), SIGKILL);
  long_runs.check_refused("baseline on u");
}

TEST_CASE("a platform that the system kills takes its runs with it, and says so") {
  const LongRuns long_runs;
  kill(long_runs.platform, SIGKILL);
  long_runs.check_refused("baseline on t");
}

TEST_CASE("no run outlives the program") {
  const LongRuns long_runs;
  kill(long_runs.program, SIGKILL);
  CHECK(long_runs.desk.finish(long_runs.program).signal == SIGKILL);
  long_runs.check_dead();
}

TEST_CASE("several interrupted runs leave nothing behind") {
  struct Case {
    int number;
    bool group;
    const char* message;
  };
  for (const Case c : {Case{SIGINT, false, "2 (Interrupt)"}, Case{SIGINT, true, "2 (Interrupt)"},
                       Case{SIGTERM, false, "15 (Terminated)"}, Case{SIGHUP, true, "1 (Hangup)"}}) {
    const LongRuns long_runs;
    kill(c.group ? -long_runs.program : long_runs.program, c.number);
    const Outcome o = long_runs.desk.finish(long_runs.program);
    CHECK(o.code == 128 + c.number);
    CHECK(o.err == "subcore: error: interrupted by signal " + std::string(c.message) + "\n");
    CHECK(o.out.empty());
    long_runs.check_nothing_left();
  }
}

TEST_CASE("a comparison that is interrupted at any moment leaves all, or what is finished") {
  for (int milliseconds = 0; milliseconds < 120; milliseconds += 4) {
    const bool group = milliseconds % 8 == 0;
    const Desk desk;
    for (const char* t : {"t", "u", "v"}) desk.trace(t, sound_lines());
    const std::set<std::string> before = desk.files();
    const pid_t program = desk.start({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-t", "u",
                                      "-t", "v", "-r", "r", "-j", "x.json"});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(group ? -program : program, SIGTERM);
    const Outcome o = desk.finish(program);
    INFO(milliseconds << " ms, code " << o.code << ", signal " << o.signal << "\n" << o.err);
    if (o.code == 0) {
      CHECK(desk.json("r/results.json").size() == 6);
      CHECK(desk.json("x.json").size() == 6);
    } else {
      CHECK((o.code == 128 + SIGTERM || o.signal == SIGTERM));
      CHECK(lines_of(o.err) <= 1);
      std::map<std::string, unsigned> kept;  // files of each run
      std::set<std::string> others;
      for (const std::string& f : desk.files()) {
        if (f.rfind("r/.subcore-part/", 0) != 0)
          others.insert(f);
        else if (!std::filesystem::is_directory(desk.path() / f))
          ++kept[std::filesystem::path(f).parent_path().string()];
      }
      for (const auto& [run, files] : kept) CHECK(files == 6);
      if (!kept.empty()) {
        CHECK_THAT(o.err, Catch::Contains("; " + std::to_string(kept.size()) + " of 6 runs "));
        CHECK(others.erase("r") + others.erase("r/.subcore-part") == 2);
      }
      CHECK(others == before);
    }
  }
}

#ifndef __SANITIZE_ADDRESS__  // the sanitizer takes more addresses than any limit would leave
TEST_CASE("a platform that has no memory for itself, or for one of its runs, is one line") {
  const Desk desk;
  for (const char* t : {"t", "u"}) desk.trace(t, sound_lines());
  const Strings outputs{"--json", "result.json"};
  const auto refuse = [&](Strings arguments, const char* words, const char* limit) {
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    desk.refuse(arguments, {words}, limit);
  };
  refuse({"run", "-p", "v100/malekeh", "-t", "t", "-t", "u"},
         "v100/malekeh on t: out of memory; expected more of it", "ulimit -v 60000");
  // A warp of twelve million instructions: not the first of the traces.
  constexpr unsigned pieces = 120, lines = 100000;
  const std::string head = header() + one_warp("", std::to_string(pieces * lines + 1));
  std::string piece;
  for (unsigned i = 0; i < lines; ++i) piece += "0010 ffffffff 1 R2 IADD3 2 R1 R3 0 \n";
  piece = compressed(piece, false);
  std::string file = compressed(head.substr(0, head.find("#END_TB")), false);
  for (unsigned i = 0; i < pieces; ++i) file += piece;
  desk.write("big/kernel-1.traceg.gz", file + compressed("0050 ffffffff 0 EXIT 0 0 \n#END_TB\n", false));
  desk.write("big/kernelslist.g", "kernel-1.traceg.gz\n");
  refuse({"run", "-p", "baseline", "-t", "t", "-t", "big", "-t", "u"},
         "baseline on big: out of memory; expected", "ulimit -v 100000");
}
#endif

}  // namespace several_runs_test
