// Results are counted in cycles, so neither the time resolution nor the clock period may change them.
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/simple.h"
#include "tests/cosim/rig.h"

namespace resolution_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct Clock {
  double steps;
  sc_core::sc_time_unit unit;  // unit of the resolution
  double period_ns;
};
const std::vector<Clock> clocks{{1, sc_core::SC_FS, 1.0},   {1, sc_core::SC_FS, 0.73},
                                {100, sc_core::SC_PS, 1.0}, {10, sc_core::SC_PS, 3.7},
                                {1, sc_core::SC_NS, 1.0},   {1, sc_core::SC_NS, 3.0}};

// The finish cycle and every counter of a GPU on a trace, whose memory has this bandwidth.
std::string outcome(const Clock& clock, const std::string& trace, double bytes_per_cycle) {
  return in_child([&] {
    const std::string source = SUBCORE_SOURCE_DIR;
    sc_core::sc_set_time_resolution(clock.steps, clock.unit);
    PlatformParameters p = load_platform(source + "/platforms/baseline.yaml");
    p.clock_period_ns = clock.period_ns;
    p.memory.kind.as<SimpleMemoryChoice>().parameters.bytes_per_cycle = bytes_per_cycle;
    Gpu gpu("gpu", p);
    gpu.run(open_trace(source + "/scenarios/traces/" + trace));
    sc_core::sc_start();
    std::ostringstream text;
    text << gpu.finished() << ' ' << gpu.finish_cycle() << '\n';
    StatisticsGroup root("root");
    gpu.register_statistics(root);
    return text.str() + statistics_json(root);
  });
}

}  // namespace

TEST_CASE("a memory's bandwidth does not depend on the time resolution") {
  struct Load {
    const char* trace;
    double bytes_per_cycle;
  };
  // The default bandwidth, at which a sector takes a quarter of a cycle; a bandwidth that no resolution
  // divides; a bottleneck.
  for (const Load& load : {Load{"bfs", 128}, Load{"bfs", 37}, Load{"vectoradd", 0.7}}) {
    const std::string usual = outcome({1, sc_core::SC_PS, 1.0}, load.trace, load.bytes_per_cycle);
    CHECK(usual.substr(0, 2) == "1 ");
    for (const Clock& clock : clocks) {
      INFO(load.trace << " at " << load.bytes_per_cycle << ", " << clock.steps << " units of " << clock.unit
                      << ", " << clock.period_ns << " ns");
      CHECK(outcome(clock, load.trace, load.bytes_per_cycle) == usual);
    }
  }
}

}  // namespace resolution_test
