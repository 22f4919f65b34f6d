// Bytes as a program of a trace (branches, loops, barriers, lanes that leave, memory, predicates) on a
// platform. The platform is any register system and machine with a handful of other settings. If the reader
// accepts the bytes, the run must end with the right version of every operand, sums that add up, and the same
// results in two orders of ticks.
#include "subcore/program/runs/simulation.h"

#include <typeinfo>

#include "subcore/platforms/config/reader.h"
#include "subcore/program/commands/platforms.h"
#include "tests/fuzz/target.h"
#include "tests/random/divergent_trace.h"
#include "tests/random/random_configuration.h"
#include "tests/random/random_trace.h"

namespace subcore::fuzz {
namespace {

constexpr unsigned longest_run = 60;  // seconds of a processor

// The result; empty if the platform cannot run this trace.
std::string result_of(const PlatformParameters& platform, const TraceProgram& trace) {
  try {
    RunResult result = (new Simulation(platform))->run(trace);  // the process ends behind it
    result.wall_seconds = 0;
    expect(imbalance(result).empty(), imbalance(result));
    expect(result.stale_operands == 0, "stale operands");
    return to_json(result);
  } catch (const TraceError& e) {
    expect_clear(e.what());
  } catch (const ConfigError& e) {
    expect_clear(e.what());
  }
  return {};
}

}  // namespace

void simulation(std::string_view input) {
  random::Draws draws(input);
  random::Configuration configuration = random::random_configuration(draws);
  const std::string order = draws.below(2) == 0 ? "reverse" : "shuffled";
  const std::vector<random::TraceFile> files =
      draws.below(4) == 0 ? random::divergent_trace(draws.next()) : random::random_trace(draws);
  const std::filesystem::path folder = scratch() / "trace";
  std::filesystem::remove_all(folder);
  random::write_trace(files, folder);
  const PlatformChoice choice = find_platform(configuration.platform);
  std::string first;
  for (const std::string& o : {std::string("pipeline"), order}) {
    configuration.overrides.push_back("tick_order=" + o);
    PlatformParameters platform;
    const bool is_whole = accepts([&] {
      platform = load_platform(choice, configuration.overrides);
      require_whole(choice.file, platform);
    });
    if (!is_whole) return;
    configuration.overrides.pop_back();
    const auto what = [&] {
      std::string text = configuration.platform;
      for (const std::string& s : configuration.overrides) text += " --set " + s;
      return text + " --set tick_order=" + o;
    };
    try {
      const ChildEnd end = in_child(longest_run, [&] { return result_of(platform, open_trace(folder)); });
      expect(end.code == 0, "exit code " + std::to_string(end.code) + ": " + end.errors);
      if (first.empty()) first = end.result;
      expect(end.result == first, "not the results of order pipeline");
      if (end.result.empty()) return;
    } catch (const Finding& f) {
      throw Finding(what() + ": " + f.what());
    }
  }
}

}  // namespace subcore::fuzz
