// Runs that are ended from outside, at bad moments.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include <catch2/catch.hpp>
#include <signal.h>

#include "tests/program/program.h"
#include "tests/program/vcd.h"

namespace interrupt_test {

using namespace subcore::test;

namespace {

void wait_for(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(condition());
}

Strings long_run(const Desk& desk, const Strings& outputs) {
  desk.trace("t", many_lines());
  Strings arguments{"run", "-p", "baseline", "-t", "t"};
  arguments.insert(arguments.end(), slow_memory.begin(), slow_memory.end());
  arguments.insert(arguments.end(), outputs.begin(), outputs.end());
  return arguments;
}

const Strings outputs{"-r", "some/where/results", "-j", "x.json", "--vcd", "w.vcd", "--pipeline", "p.log"};

bool has_begun(const Desk& desk) {
  const std::set<std::string> files = desk.files();
  return files.count("w.vcd.subcore-part.part") + files.count("p.log.subcore-part.part") == 2;
}

// The run's process: the program's only child.
pid_t child_of(pid_t parent) {
  const std::string file =
      "/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children";
  pid_t child = 0;
  std::istringstream(content_of(file)) >> child;
  return child;
}

}  // namespace

namespace {

// Whether all new files are those that a run has left, up to its end, to look at.
bool has_only_partial(const Desk& desk, const std::set<std::string>& before) {
  const std::set<std::string> files = desk.files();
  return std::all_of(files.begin(), files.end(), [&](const std::string& f) {
    return before.count(f) != 0 || f.find(".partial.") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("an interrupted run leaves its views and its profile, and no result") {
  const Desk desk;
  const Strings arguments =
      long_run(desk, {"-r", "r", "-j", "x.json", "--profile", "--vcd", "w.vcd", "--pipeline", "p.log"});
  const pid_t child = desk.start(arguments);
  wait_for([&] { return has_begun(desk); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child, SIGTERM);
  const Outcome o = desk.finish(child);
  INFO(o.err);
  CHECK(o.code == 128 + SIGTERM);
  CHECK(
      o.err ==
      "subcore: error: interrupted by signal 15 (Terminated); up to there: waveform w.partial.vcd, pipeline "
      "view p.partial.log, profile r/baseline/t/profile.partial.json\n");
  for (const char* name : {"w.vcd", "p.log", "x.json", "r/results.json", "r/baseline/t/run.json"})
    CHECK(desk.files().count(name) == 0);
  CHECK(read_vcd(desk.file("w.partial.vcd")).times.size() > 10);
  CHECK_THAT(desk.file("w.partial.vcd"),
             Catch::Contains("$comment partial: the run failed: interrupted by signal 15"));
  CHECK(desk.file("p.partial.log").rfind("Kanata\t0004\n", 0) == 0);
  CHECK(desk.json("r/baseline/t/profile.partial.json")["partial"] == "interrupted by signal 15 (Terminated)");
}

TEST_CASE("a run that is killed leaves of its views what is on disk") {
  const Desk desk;
  const Strings arguments = long_run(desk, {"--vcd", "w.vcd"});
  const pid_t child = desk.start(arguments);
  wait_for([&] {
    std::error_code error;
    const auto size = std::filesystem::file_size(desk.path() / "w.vcd.subcore-part.part", error);
    return !error && size != 0;
  });
  kill(child_of(child), SIGKILL);
  const Outcome o = desk.finish(child);
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Catch::Contains("ended by signal 9 (Killed)") &&
                        Catch::Contains("; up to there: waveform w.partial.vcd\n"));
  CHECK_THAT(desk.file("w.partial.vcd"), Catch::Contains("$timescale"));
}

TEST_CASE("an interrupted run leaves no result behind") {
  struct Case {
    int number;
    bool group;  // a terminal's way: the signal goes to the runs, too
    const char* message;
  };
  for (const Case c : {Case{SIGINT, false, "2 (Interrupt)"}, Case{SIGINT, true, "2 (Interrupt)"},
                       Case{SIGTERM, false, "15 (Terminated)"}, Case{SIGHUP, false, "1 (Hangup)"},
                       Case{SIGHUP, true, "1 (Hangup)"}}) {
    const Desk desk;
    const Strings arguments = long_run(desk, outputs);
    const std::set<std::string> before = desk.files();
    const pid_t child = desk.start(arguments);
    wait_for([&] { return has_begun(desk); });
    kill(c.group ? -child : child, c.number);
    const Outcome o = desk.finish(child);
    CHECK(o.code == 128 + c.number);
    CHECK_THAT(o.err, Catch::StartsWith("subcore: error: interrupted by signal " + std::string(c.message)));
    CHECK(lines_of(o.err) == 1);
    CHECK(o.out.empty());
    CHECK(has_only_partial(desk, before));
  }
}

TEST_CASE("a run that is interrupted at any moment leaves all or nothing") {
  for (int milliseconds = 0; milliseconds < 60; milliseconds += 3) {
    const Desk desk;
    desk.trace("t", sound_lines());
    std::set<std::string> before = desk.files();
    const pid_t child = desk.start({"run", "-p", "baseline", "-t", "t", "-r", "r", "-j", "x.json", "--vcd",
                                    "w.vcd", "--pipeline", "p.log"});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, SIGHUP);
    const Outcome o = desk.finish(child);
    INFO(milliseconds << " ms, code " << o.code << ", signal " << o.signal << "\n" << o.err);
    if (o.code == 0) {
      CHECK(desk.json("r/results.json").size() == 1);
      CHECK_FALSE(desk.json("x.json").empty());
    } else {
      CHECK((o.code == 128 + SIGHUP || o.signal == SIGHUP));
      CHECK(has_only_partial(desk, before));
    }
  }
}

TEST_CASE("a run that does not mind hangups goes on") {
  const Desk desk;
  const Strings arguments = long_run(desk, outputs);
  const pid_t child = desk.start(arguments, "trap '' HUP");
  wait_for([&] { return has_begun(desk); });
  kill(-child, SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(has_begun(desk));
  kill(child, SIGTERM);
  CHECK(desk.finish(child).code == 128 + SIGTERM);
}

TEST_CASE("after SIGKILL nothing has its final name, and the next run cleans up") {
  const Desk desk;
  const Strings arguments = long_run(desk, outputs);
  const pid_t child = desk.start(arguments);
  wait_for([&] { return has_begun(desk); });
  kill(-child, SIGKILL);
  CHECK(desk.finish(child).signal == SIGKILL);
  for (const char* name :
       {"w.vcd", "p.log", "x.json", "some/where/results/results.json", "some/where/results/baseline"})
    CHECK(desk.files().count(name) == 0);
  // A file that the run would have left while it wrote the second file of its waveform.
  std::ofstream(desk.path() / "w.vcd.subcore-part.gtkw.partial-1-0") << "half";
  desk.trace("t", sound_lines());
  Strings again{"run", "-p", "baseline", "-t", "t"};
  again.insert(again.end(), outputs.begin(), outputs.end());
  desk.succeed(again);
  for (const std::string& f : desk.files()) {
    INFO(f);
    CHECK(f.find(".part") == std::string::npos);
    CHECK(f.find(".subcore-") == std::string::npos);
  }
}

TEST_CASE("a second run to the same place is refused while the first goes on") {
  const Desk desk, elsewhere;
  const Strings arguments = long_run(desk, outputs);
  desk.trace("small", sound_lines());
  const pid_t child = desk.start(arguments);
  wait_for([&] { return has_begun(desk); });
  kill(-child, SIGSTOP);  // the run must not end before the other commands have given up
  const std::set<std::string> before = desk.files();
  const auto refused = [&](const Strings& more) {
    Strings second{"run", "-p", "baseline", "-t", (desk.path() / "small").string()};
    second.insert(second.end(), more.begin(), more.end());
    elsewhere.refuse(second, {"another run is writing there", "expected one at a time"});
    CHECK(desk.files() == before);
  };
  refused({"-r", (desk.path() / "some/where/results").string()});
  refused({"--vcd", (desk.path() / "some/../w.vcd").string()});
  refused({"--pipeline", (desk.path() / "p.log").string()});
  kill(-child, SIGCONT);
  kill(child, SIGTERM);
  CHECK(desk.finish(child).code == 128 + SIGTERM);
}

TEST_CASE("a run that the system kills says so") {
  const Desk desk;
  const Strings arguments = long_run(desk, outputs);
  const std::set<std::string> before = desk.files();
  const pid_t child = desk.start(arguments);
  wait_for([&] { return has_begun(desk); });
  REQUIRE(child_of(child) > 0);
  kill(child_of(child), SIGKILL);
  const Outcome o = desk.finish(child);
  CHECK(o.code == 1);
  CHECK(lines_of(o.err) == 1);
  CHECK_THAT(o.err, Catch::Contains("baseline on t: the run was ended by signal 9 (Killed)") &&
                        Catch::Contains("memory ran out; in the second case expected"));
  CHECK(has_only_partial(desk, before));
}

#ifndef __SANITIZE_ADDRESS__  // the sanitizer takes more addresses than any limit would leave
TEST_CASE("out of memory is one line") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string limit = "ulimit -v 100000";  // kilobytes
  desk.refuse(everything({"run", "-p", "v100/malekeh", "-t", "t"}),
              {"v100/malekeh on t: out of memory; expected more of it"}, limit);
  // A warp of twelve million instructions, all in memory at once; packed, and the same piece again and again.
  constexpr unsigned pieces = 120, lines = 100000;
  const std::string head = header() + one_warp("", std::to_string(pieces * lines + 1));
  std::string piece;
  for (unsigned i = 0; i < lines; ++i) piece += "0010 ffffffff 1 R2 IADD3 2 R1 R3 0 \n";
  std::string file = compressed(head.substr(0, head.find("#END_TB")), false);
  piece = compressed(piece, false);
  for (unsigned i = 0; i < pieces; ++i) file += piece;
  desk.write("big/kernel-1.traceg.gz", file + compressed("0050 ffffffff 0 EXIT 0 0 \n#END_TB\n", false));
  desk.write("big/kernelslist.g", "kernel-1.traceg.gz\n");
  desk.refuse(everything({"run", "-p", "baseline", "-t", "big"}),
              {"baseline on big: out of memory; expected"}, limit);
  desk.refuse({"annotate", "big", "--json", "x.json"}, {"error: out of memory; expected"}, limit);
}

TEST_CASE("a run that nothing can watch over says so") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string limit = "ulimit -s 4000000; ulimit -v 1000000";  // kilobytes: no room for another stack
  desk.refuse(
      {"run", "-p", "baseline", "-t", "t"},
      {"no thread to watch over the run: ", "expected memory for one more, or checks.watchdog_seconds 0"},
      limit);
  CHECK(desk.run({"run", "-p", "baseline", "-t", "t", "-s", "checks.watchdog_seconds=0"}, limit).code == 0);
}
#endif

TEST_CASE("a run without progress says so in one line, and then who waits for whom") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::set<std::string> before = desk.files();
  const Outcome o = desk.run(everything({"run", "-p", "baseline", "-t", "t", "-s",
                                         "checks.watchdog_cycles=1000", "-s", "memory.miss_latency=90000"}));
  CHECK(o.code == 1);
  CHECK(o.out.empty());
  std::istringstream in(o.err);
  std::string line;
  REQUIRE(std::getline(in, line));
  CHECK_THAT(
      line,
      Catch::Matches("subcore: error: baseline on t: no progress in 1000 cycles, until cycle [0-9]+; "
                     "expected an instruction to retire; who waits for whom is below; up to there: waveform "
                     "wave.partial.vcd, pipeline view pipeline.partial.log.gz"));
  unsigned rows = 0;
  for (; std::getline(in, line); ++rows) CHECK_THAT(line, Catch::StartsWith("gpu."));
  CHECK(rows > 1);
  std::set<std::string> left = before;
  for (const char* f :
       {"wave.partial.vcd", "wave.partial.gtkw", "wave.partial.causes", "pipeline.partial.log.gz"})
    left.insert(f);
  CHECK(desk.files() == left);
}

}  // namespace interrupt_test
