// An SM outside a Gpu whose platform wants an adaptive threshold: somebody has to be there who adapts it.
#include <catch2/catch.hpp>

#include "looking/run_recorder.h"
#include "model/statistics/number_text.h"
#include "modules/memory/simple_memory.h"
#include "modules/sthld_controller/sthld_controller.h"
#include "platforms/config/reader.h"
#include "platforms/gpu.h"
#include "platforms/memory/simple.h"
#include "tests/cosim/rig.h"

using namespace subcore;
using namespace subcore::test;

namespace {

const std::string source = SUBCORE_SOURCE_DIR;

PlatformParameters malekeh_of(SthldMode mode) {
  PlatformParameters p = load_platform(source + "/platforms/malekeh.yaml");
  p.sthld.mode = mode;
  p.sthld.interval = 100;
  return p;
}

std::string lone_sm(SthldMode mode, bool controlled) {
  return in_child([=] {
    const PlatformParameters p = malekeh_of(mode);
    StreamingMultiprocessor sm("sm", 0, p);
    SimpleMemory memory("memory", p.memory.kind.as<SimpleMemoryChoice>().parameters, cycles(1));
    sm.memory_socket().bind(memory.memory_socket);
    TraceDriver driver("driver", p, {&sm});
    std::unique_ptr<SthldController> controller;
    if (controlled) {
      controller = std::make_unique<SthldController>("controller", 1, p.sthld, cycles(1));
      controller->control_socket[0].bind(sm.control_socket());
      driver.on_finish([&] { controller->stop(); });
    }
    driver.run(open_trace(source + "/scenarios/traces/bfs"));
    sc_core::sc_start();
    return std::to_string(driver.finish_cycle()) + (driver.finished() ? " finished" : " not finished");
  });
}

}  // namespace

TEST_CASE("an adaptive threshold without a controller is refused") {
  CHECK_THAT(lone_sm(SthldMode::adaptive, false),
             Catch::Contains("/subcore/sthld") && Catch::Contains("sm: sthld.mode is adaptive") &&
                 Catch::Contains("control_socket; expected an SthldController"));
  CHECK_THAT(lone_sm(SthldMode::fixed, false), Catch::Contains(" finished"));
}

TEST_CASE("a lone SM with a controller runs as a GPU of one SM does") {
  const std::string gpu = in_child([] {
    Gpu one("gpu", malekeh_of(SthldMode::adaptive));
    one.run(open_trace(source + "/scenarios/traces/bfs"));
    sc_core::sc_start();
    return std::to_string(one.finish_cycle()) + " finished";
  });
  CHECK(lone_sm(SthldMode::adaptive, true) == gpu);
  CHECK(lone_sm(SthldMode::fixed, false) != gpu);
}

namespace {

// Cycles of the result, and what the controller decided.
std::string of_start(std::uint64_t start_cycle, SthldIntervals intervals, SthldMode mode, unsigned sms,
                     std::uint32_t launch_cycles = 0) {
  return in_child([=] {
    PlatformParameters p = malekeh_of(mode);
    p.sthld.intervals = intervals;
    p.gpu.start_cycle = start_cycle;
    p.gpu.kernel_launch_cycles = launch_cycles;
    p.gpu.sms = sms;
    Gpu gpu("gpu", p);
    RunRecorder recorder("recorder", gpu);
    gpu.run(open_trace(source + "/scenarios/traces/bfs"));
    sc_core::sc_start();
    const RunResult r = recorder.result();
    std::string text = recorder.problem() + std::to_string(r.cycles) + ' ' +
                       number_text(r.sthld_mean.value_or(-1)) + ' ' + number_text(r.energy_total_pj);
    for (const KernelResult& k : r.per_kernel) text += ' ' + std::to_string(k.cycles);
    for (const auto& [cause, cycles] : r.stall_cycles) text += ' ' + cause + '=' + std::to_string(cycles);
    return text + '\n' + recorder.intervals_csv_text();
  });
}

}  // namespace

TEST_CASE("when a run starts changes nothing, unless intervals lie on an absolute grid") {
  using Intervals = SthldIntervals;
  for (const unsigned sms : {1u, 3u}) {
    CAPTURE(sms);
    const std::string at_0 = of_start(0, Intervals::kernel, SthldMode::adaptive, sms);
    for (const std::uint64_t start : {1u, 37u, 99u, 100u, 137u, 1000u}) {
      CAPTURE(start);
      CHECK(of_start(start, Intervals::kernel, SthldMode::adaptive, sms) == at_0);
    }
    const std::string fixed = of_start(0, Intervals::kernel, SthldMode::fixed, sms);
    CHECK(of_start(137, Intervals::absolute, SthldMode::fixed, sms) == fixed);
    const std::string absolute = of_start(0, Intervals::absolute, SthldMode::adaptive, sms);
    CHECK(absolute != at_0);
    CHECK(of_start(137, Intervals::absolute, SthldMode::adaptive, sms) != absolute);
  }
}

TEST_CASE("of one kernel that starts at cycle 0 both grids are the same") {
  const auto cycles_of = [](SthldIntervals intervals) {
    return in_child([=] {
      PlatformParameters p = malekeh_of(SthldMode::adaptive);
      p.sthld.intervals = intervals;
      Gpu gpu("gpu", p);
      TraceProgram trace = open_trace(source + "/scenarios/traces/bfs");
      trace.kernels.resize(1);
      gpu.run(trace);
      sc_core::sc_start();
      return std::to_string(gpu.finish_cycle()) + ' ' + number_text(gpu.sthld_controller->sthld_mean());
    });
  };
  CHECK(cycles_of(SthldIntervals::kernel) == cycles_of(SthldIntervals::absolute));
}
