// An SM outside a Gpu whose platform wants an adaptive threshold: a controller must be there that adapts it.
#include <algorithm>
#include <deque>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/base/formatted.h"
#include "subcore/modules/control_registers/control_registers.h"
#include "subcore/modules/memory/simple_memory.h"
#include "subcore/modules/sthld_controller/sthld_controller.h"
#include "subcore/observers/run_recorder.h"
#include "subcore/observers/run_timer.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/simple.h"
#include "tests/cosim/rig.h"
#include "tests/module/register_master.h"

namespace sthld_test {

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

// The cycles of the run, and the decisions of the controller.
std::string of_start(std::uint64_t start_cycle, SthldIntervals intervals, SthldMode mode, unsigned sms) {
  return in_child([=] {
    PlatformParameters p = malekeh_of(mode);
    p.sthld.intervals = intervals;
    p.gpu.start_cycle = start_cycle;
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
  // With one CTA at a time, and an interval of a cycle, intervals also end when a CTA has left and the next
  // one has not come.
  const auto cycles_of = [](SthldIntervals intervals, std::uint32_t interval, unsigned cta_slots) {
    return in_child([=] {
      PlatformParameters p = malekeh_of(SthldMode::adaptive);
      p.sthld.intervals = intervals;
      p.sthld.interval = interval;
      p.multiprocessor.cta_slots = cta_slots;
      Gpu gpu("gpu", p);
      TraceProgram trace = open_trace(source + "/scenarios/traces/bfs");
      trace.kernels.resize(1);
      gpu.run(trace);
      sc_core::sc_start();
      return std::to_string(gpu.finish_cycle()) + ' ' + number_text(gpu.sthld_controller->sthld_mean());
    });
  };
  for (const std::uint32_t interval : {1u, 100u}) {
    for (const unsigned cta_slots : {1u, 16u}) {
      CAPTURE(interval, cta_slots);
      CHECK(cycles_of(SthldIntervals::kernel, interval, cta_slots) ==
            cycles_of(SthldIntervals::absolute, interval, cta_slots));
    }
  }
}

namespace {

// The time of each kernel, and every change of STHLD and of the machine's state, from rows of one cycle.
std::string kernels_text(const RunResult& result, const std::string& intervals_csv,
                         std::uint32_t launch_cycles) {
  std::istringstream rows(intervals_csv);
  std::string row, text;
  std::getline(rows, row);  // the header
  std::uint64_t end = 0;
  for (const KernelResult& k : result.per_kernel) {
    const std::uint64_t start = end + launch_cycles;
    end += k.cycles;
    text += k.name + ": " + std::to_string(end - start) + " cycles\n";
    std::uint64_t instructions = 0;
    std::uint64_t cycle = 0;
    std::string state_before;
    while (cycle < end && std::getline(rows, row)) {
      std::istringstream columns(row);
      std::string cell[8];
      for (std::string& c : cell) std::getline(columns, c, ',');
      cycle = std::stoull(cell[0]);
      if (cycle <= start) continue;
      instructions += std::stoull(cell[1]);
      const std::string state = "STHLD " + cell[6] + ", state " + cell[7];
      if (state == state_before) continue;
      state_before = state;
      text += "  cycle " + std::to_string(cycle - start) + ", " + std::to_string(instructions) +
              " instructions: " + state + '\n';
    }
  }
  return text;
}

// kernels_text() of a run that is recorded cycle by cycle. Cycles count from the first CTA of each kernel.
std::string kernels_of(std::uint32_t launch_cycles, unsigned sms, SthldMode mode, SthldIntervals intervals) {
  return in_child([=] {
    PlatformParameters p = malekeh_of(mode);
    p.sthld.intervals = intervals;
    p.gpu.kernel_launch_cycles = launch_cycles;
    p.gpu.sms = sms;
    p.interval_cycles = 1;
    Gpu gpu("gpu", p);
    RunRecorder recorder("recorder", gpu);
    TraceProgram trace = open_trace(source + "/scenarios/traces/bfs");
    trace.kernels.resize(5);
    gpu.run(trace);
    sc_core::sc_start();
    const RunResult r = recorder.result();
    return recorder.problem() + "mean STHLD " + number_text(r.sthld_mean.value_or(-1)) + '\n' +
           kernels_text(r, recorder.intervals_csv_text(), launch_cycles);
  });
}

}  // namespace

TEST_CASE("how long kernels take to launch moves no kernel's own intervals") {
  const auto adaptive = SthldMode::adaptive;
  for (const unsigned sms : {1u, 3u}) {
    CAPTURE(sms);
    const std::string at_once = kernels_of(0, sms, adaptive, SthldIntervals::kernel);
    CHECK_THAT(at_once, Catch::Contains("cycle 101, ") && Catch::Contains(", state 6"));
    for (const std::uint32_t launch_cycles : {1u, 137u, 5000u, 20000u}) {
      CAPTURE(launch_cycles);
      CHECK(kernels_of(launch_cycles, sms, adaptive, SthldIntervals::kernel) == at_once);
    }
    // The rest of the platform does not depend on the launch time of kernels, either.
    const auto any = SthldIntervals::kernel;
    CHECK(kernels_of(137, sms, SthldMode::fixed, any) == kernels_of(0, sms, SthldMode::fixed, any));
    CHECK(kernels_of(137, sms, adaptive, SthldIntervals::absolute) !=
          kernels_of(0, sms, adaptive, SthldIntervals::absolute));
  }
}

TEST_CASE("the control registers of an SM count the operands and hits that its statistics count") {
  const std::string found = in_child([] {
    Gpu gpu("gpu", malekeh_of(SthldMode::fixed));
    StreamingMultiprocessor& sm = gpu.sms[0];
    RegisterMaster master("master");
    master.socket.bind(sm.control_socket());
    gpu.run(open_trace(source + "/scenarios/traces/bfs"));
    sc_core::sc_start();
    StatisticsGroup all("all");
    sm.register_statistics(all);
    const auto text = [&](const char* name, std::uint64_t address) {
      const std::uint64_t counted = all.sum(name);
      if (counted == 0) return std::string(name) + " are none";
      return std::string(name) + (master.read(address) == counted ? " agree" : " differ");
    };
    return text("source_operands", control_register::source_operands) + ", " +
           text("cache_read_hits", control_register::cache_read_hits);
  });
  CHECK(found == "source_operands agree, cache_read_hits agree");
}

TEST_CASE("the control registers of all SMs tell how many CTAs the kernel dispatcher waits for") {
  const std::string found = in_child([] {
    PlatformParameters p = malekeh_of(SthldMode::fixed);
    p.gpu.sms = 3;
    p.gpu.kernel_launch_cycles = 7;
    p.multiprocessor.cta_slots = 2;
    Gpu gpu("gpu", p);
    std::deque<RegisterMaster> masters;
    for (StreamingMultiprocessor& sm : gpu.sms) {
      masters.emplace_back((std::string(sm.basename()) + "_master").c_str());
      masters.back().socket.bind(sm.control_socket());
    }
    const auto signals = gpu.driver.kernel_dispatcher.signals();
    const auto live =
        std::find_if(signals.begin(), signals.end(), [](const Signal& s) { return s.name == "live_ctas"; });
    unsigned with = 0, without = 0, wrong = 0;
    const auto look = [&] {
      std::uint64_t ctas = 0;
      for (RegisterMaster& m : masters) ctas += m.read(control_register::ctas);
      ++(ctas == 0 ? without : with);
      if (ctas != live->value(gpu.driver.conductor.now())) ++wrong;
    };
    const auto timer = std::make_shared<RunTimer>("timer", gpu, 1, look);
    gpu.keep(timer, {});
    gpu.run(open_trace(source + "/scenarios/traces/hotspot"));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    timer->start();
    sc_core::sc_start();
    return std::to_string(wrong) + " wrong, " + std::to_string(without) + " without a CTA, " +
           (with > 1000 ? "the rest with" : "too few with");
  });
  CHECK(found ==
        "0 wrong, 21 without a CTA, the rest with");  // three kernels are launched, for 7 cycles each
}

}  // namespace sthld_test
