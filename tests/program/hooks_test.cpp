// The program with a function of a user's main (hooked_main.cpp), which is called with the GPU of every run.
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace hooks_test {

using namespace subcore::test;
using Catch::Contains;

namespace {

// As long as this object lives, desks run the user's main.
class Hooked {
 public:
  Hooked() { setenv("SUBCORE", SUBCORE_HOOKED, 1); }
  ~Hooked() {
    if (before_)
      setenv("SUBCORE", before_->c_str(), 1);
    else
      unsetenv("SUBCORE");
  }
  Hooked(const Hooked&) = delete;
  Hooked& operator=(const Hooked&) = delete;

 private:
  static std::optional<std::string> text_of(const char* value) {
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }
  std::optional<std::string> before_ = text_of(std::getenv("SUBCORE"));
};

constexpr const char* heading = "memory requests that the observer has seen";
constexpr const char* external = "extends: malekeh.yaml\nname: open\nmemory: {kind: external}\n";

// The lines of calls.txt that begin with a word, without the word and the process. `processes` gets the
// processes.
std::multiset<std::string> calls(const Desk& desk, const std::string& event, Strings* processes = nullptr) {
  std::multiset<std::string> all;
  for (const std::string& line : lines_in(desk.file("calls.txt"))) {
    if (line.rfind(event + ' ', 0) != 0) continue;
    const std::size_t begin = event.size() + 1, end = line.find(' ', begin);
    if (processes != nullptr) processes->push_back(line.substr(begin, end - begin));
    all.insert(line.substr(end + 1));
  }
  return all;
}

}  // namespace

TEST_CASE("a user's function is called with the GPU of every run, in the process that simulates the run") {
  const Hooked hooked;
  const Desk desk;
  desk.trace("a", sound_lines());
  desk.trace("b", sound_lines() + sound_lines());
  const Strings command{"compare", "-p", "baseline", "-p", "malekeh", "-t", "a", "-t", "b", "-r", "results"};
  const Outcome o = desk.succeed(with(command, {"--jobs", "2"}));
  Strings begun, ended;
  CHECK(calls(desk, "gpu", &begun).size() == 4);
  CHECK(calls(desk, "end", &ended) ==
        std::multiset<std::string>{"baseline a", "baseline b", "malekeh a", "malekeh b"});
  CHECK(std::set<std::string>(begun.begin(), begun.end()).size() == 4);
  CHECK(std::set<std::string>(ended.begin(), ended.end()) ==
        std::set<std::string>(begun.begin(), begun.end()));

  // The usual table has the column, and results, kernels and statistics have its counter.
  CHECK_THAT(o.out, Contains(std::string(heading) + '\n'));
  const auto results = desk.json("results/results.json");
  REQUIRE(results.size() == 4);
  for (const auto& run : results) {
    CHECK(run["seen_requests"] > 0);
    CHECK(run["per_kernel"][0]["seen_requests"] == run["seen_requests"]);
  }
  CHECK_THAT(desk.file("results/malekeh/a/stats.csv"), Contains("root.counter.seen_requests,"));

  // --resume takes finished runs, and the function is not called for them.
  std::filesystem::remove(desk.path() / "calls.txt");
  CHECK_THAT(desk.run(with(command, {"--resume"})).err, Contains("4 of 4 runs are kept from before"));
  CHECK_FALSE(std::filesystem::exists(desk.path() / "calls.txt"));
}

TEST_CASE("a user's function takes part in scenarios, timelines, waveforms and drawings") {
  const Hooked hooked;
  const Desk desk;
  desk.trace("a", sound_lines());
  desk.write("two.yaml",
             "name: two\nplatforms: [malekeh]\ntraces: [a]\nsweep:\n  sub_core.collector.count: [2, 4]\n");
  CHECK_THAT(desk.succeed({"run", "two.yaml"}).out, Contains(heading));
  CHECK(calls(desk, "end").size() == 2);
  desk.succeed({"run", "-p", "malekeh", "-t", "a", "--vcd", "a.vcd"});
  CHECK(calls(desk, "end").size() == 3);
  CHECK_THAT(desk.file("a.vcd"), Contains(" requests "));
  desk.succeed({"timeline", "-p", "malekeh", "-t", "a"});
  CHECK(calls(desk, "gpu").size() == 4);
  desk.succeed({"draw", "malekeh", "-o", "malekeh.svg"});
  CHECK(calls(desk, "gpu").size() == 5);
  desk.succeed({"run", "-p", "malekeh", "-t", "a", "--dry-run"});
  CHECK(calls(desk, "gpu").size() == 5);
}

TEST_CASE("a user's function binds the memory of platforms that leave it open") {
  const Desk desk;
  desk.trace("a", sound_lines());
  desk.write("open.yaml", external);
  const Strings command{"run", "-p", "open.yaml", "-t", "a", "--json", "-"};
  desk.refuse(command, {"its memory is bound in C++"});
  const Hooked hooked;
  const auto run = nlohmann::json::parse(desk.succeed(command).out);
  CHECK(run["seen_requests"] > 0);
  CHECK(run["cycles"] > 300);
  desk.succeed({"draw", "open.yaml", "-o", "open.svg"});
  desk.write("unbound", "");
  desk.refuse(command, {"open on a: ", "port not bound", "memory_socket"});
}

TEST_CASE("what a user's function throws ends the run in one line") {
  const Hooked hooked;
  const Desk desk;
  desk.trace("a", sound_lines());
  desk.write("broken", "");
  for (const char* form : {"run", "timeline"})
    desk.refuse({form, "-p", "malekeh", "-t", "a"}, {"the function of the user's main is broken"});
  desk.refuse(everything({"run", "-p", "malekeh", "-t", "a"}), {"is broken"});
}

}  // namespace hooks_test
