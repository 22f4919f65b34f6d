// Runs that end in the middle, on every shipped platform that can run as it is. Everything that is under way
// is then destroyed without a message.
#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include <catch2/catch.hpp>
#include <signal.h>

#include "tests/program/program.h"

namespace mid_flight_test {

using namespace subcore::test;

namespace {

// Every shipped system on one SM, every second one on a GPU, and one of them on a larger GPU.
Strings runnable_platforms(const Desk& desk) {
  Strings names{"v100/baseline"};
  desk.succeed({"platforms", "--json", "platforms.json"});
  const auto shipped = desk.json("platforms.json");
  for (const auto& p : shipped["systems"]) {
    const std::string name = p["name"];
    if (names.size() % 3 == 0) names.push_back("rtx2060_third/" + name);
    names.push_back(name);
  }
  std::filesystem::remove(desk.path() / "platforms.json");
  CHECK(names.size() >= 25);
  return names;
}

// A platform with many SMs gets few, because SMs differ only in number.
Strings with_few_sms(const std::string& name, Strings arguments) {
  const bool many = name.find('/') != std::string::npos;
  if (many && name != "v100/baseline") arguments.insert(arguments.end(), {"--set", "gpu.sms=2"});
  return arguments;
}

}  // namespace

TEST_CASE("a trace cut in the middle is refused by file and line on every platform") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", cut_kernel(500));
  for (const std::string& name : runnable_platforms(desk))
    desk.refuse(with_few_sms(name, {"run", "-p", name, "-t", "t"}),
                {"t/kernel-1.traceg:7003: ", "expected 9 lines"});
}

TEST_CASE("a signal ends a run in one line on every platform") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", busy_kernel(20000));  // seconds, to be met in the middle
  const std::set<std::string> before = desk.files();
  int number = SIGINT;
  for (const std::string& name : runnable_platforms(desk)) {
    INFO(name << ", signal " << number);
    const pid_t child = desk.start(with_few_sms(name, {"run", "-p", name, "-t", "t", "--vcd", "wave.vcd"}));
    // The signal waits until the run has begun to write.
    for (int i = 0; i < 6000 && desk.files() == before; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(child, number);
    const Outcome o = desk.finish(child);
    CHECK(o.signal == 0);
    CHECK(o.code == 128 + number);
    CHECK_THAT(o.err, Catch::StartsWith("subcore: error: interrupted by signal " + std::to_string(number) +
                                        (number == SIGINT ? " (Interrupt)" : " (Terminated)")));
    CHECK(lines_of(o.err) == 1);
    CHECK(o.out.empty());
    for (const std::string& f : desk.files())  // the next run begins without these files
      if (f.find(".partial.") != std::string::npos) std::filesystem::remove(desk.path() / f);
    CHECK(desk.files() == before);
    number = number == SIGINT ? SIGTERM : SIGINT;
  }
}

}  // namespace mid_flight_test
