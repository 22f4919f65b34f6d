// Runs that end in the middle, on every shipped platform that can run as it is: whatever is under way then is
// torn down without a sound.
#include <chrono>
#include <sstream>
#include <thread>

#include <catch2/catch.hpp>
#include <signal.h>

#include "tests/program/program.h"

using namespace subcore::test;

namespace {

Strings runnable_platforms(const Desk& desk) {
  Strings names;
  std::istringstream printed(desk.succeed({"platforms"}).out);
  for (std::string name; std::getline(printed, name);) {
    if (name.find('/') == std::string::npos) names.push_back(name);  // the others are parts of platforms
  }
  CHECK(names.size() >= 25);
  return names;
}

}  // namespace

TEST_CASE("a trace cut in the middle is refused by file and line on every platform") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", cut_kernel(500));
  for (const std::string& name : runnable_platforms(desk))
    desk.refuse({"run", "-p", name, "-t", "t"}, {"t/kernel-1.traceg:7003: ", "expected 9 lines"});
}

TEST_CASE("a signal ends a run in one line on every platform") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", busy_kernel(20000));  // seconds, to be met in the middle
  const std::set<std::string> before = desk.files();
  int number = SIGINT;
  for (const std::string& name : runnable_platforms(desk)) {
    INFO(name << ", signal " << number);
    const pid_t child = desk.start({"run", "-p", name, "-t", "t", "--vcd", "wave.vcd"});
    // Not before the run has begun to write.
    for (int i = 0; i < 6000 && desk.files() == before; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(child, number);
    const Outcome o = desk.finish(child);
    CHECK(o.signal == 0);
    CHECK(o.code == 1);
    CHECK(o.err == "subcore: error: interrupted\n");
    CHECK(o.out.empty());
    CHECK(desk.files() == before);
    number = number == SIGINT ? SIGTERM : SIGINT;
  }
}
