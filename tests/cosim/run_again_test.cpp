// A host that launches kernels while the simulation runs: run() is called again, from any process, when a
// trace has finished.
#include <algorithm>
#include <functional>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/trace_driver.h"
#include "tests/cosim/rig.h"
#include "tests/unit/trace_files.h"

namespace run_again_test {

using namespace subcore;
using namespace subcore::test;

namespace {

PlatformParameters shipped(const std::string& name) {
  PlatformParameters p = load_platform(find_platform(name));
  p.sthld.interval = 300;  // several intervals in each run
  return p;
}

// One kernel of the project's own.
TraceProgram kernel(const std::string& trace, unsigned number = 1) {
  TraceProgram all = open_trace(project_traces() / trace);
  all.kernels = {all.kernels.at(number - 1)};
  return all;
}

// How a run ended, and every counter.
std::string outcome(Gpu& gpu) {
  std::ostringstream text;
  text << (gpu.finished() ? "finished" : "not finished") << " in " << gpu.finish_cycle() << ", over at "
       << sc_core::sc_time_stamp() / gpu.period() << ", left:";
  for (const std::string& l : gpu.leftovers()) text << ' ' << l;
  StatisticsGroup root("root");
  gpu.register_statistics(root);
  return text.str() + '\n' + statistics_json(root);
}

enum class From { method, thread, callback, event, tick };

// Runs three kernels one after the other. Each kernel after the first is launched from a process of this
// kind.
class Host : public TickingModule {
 public:
  std::vector<Cycle> finished;

  Host(const sc_core::sc_module_name& name, Gpu& gpu, From from, Cycle pause)
      : TickingModule(name), gpu_(gpu), from_(from), pause_(static_cast<double>(pause) * gpu.period()) {
    SC_HAS_PROCESS(Host);
    if (from == From::method) {
      SC_METHOD(launch);
      sensitive << launch_event_;
      dont_initialize();
    }
    if (from == From::thread) SC_THREAD(wait_and_launch);
    if (from == From::event) {
      SC_METHOD(launch);
      sensitive << gpu.finish_event();
      dont_initialize();
    }
    gpu.driver.on_finish([this] {
      finished.push_back(gpu_.finish_cycle());
      if (from_ == From::callback) launch();
      if (from_ == From::method || from_ == From::thread) launch_event_.notify(pause_);
      if (from_ == From::tick) wake(gpu_.finish_cycle() + 100);
    });
  }
  Cycle tick(Cycle now) override {
    if (from_ == From::tick && now != 0) launch();
    return never;
  }
  void launch() {
    if (launched_ == 3) return;
    gpu_.run(kernel("bfs", ++launched_));
  }

 private:
  void wait_and_launch() {
    while (true) {
      sc_core::wait(launch_event_);
      launch();
    }
  }
  Gpu& gpu_;
  From from_;
  sc_core::sc_time pause_;
  sc_core::sc_event launch_event_;
  unsigned launched_ = 0;
};

// Runs three kernels, the first of them launched before the simulation starts. Returns a line of finish
// cycles, and the outcome.
std::string three_runs(PlatformParameters p, From from, TickOrder order = TickOrder::pipeline) {
  return in_child([&] {
    p.tick_order = order;
    Gpu gpu("gpu", p);
    Host host("host", gpu, from, 1000);
    gpu.sms[0].conductor.add(host);
    host.launch();
    sc_core::sc_start();
    std::string text;
    for (const Cycle c : host.finished) text += std::to_string(c) + ' ';
    return text + '\n' + outcome(gpu);
  });
}

// Calls `act` with a GPU in a process of its own. Returns the result of `act`.
std::string with_gpu(const PlatformParameters& p, const std::function<std::string(Gpu&)>& act) {
  return in_child([&] {
    Gpu gpu("gpu", p);
    return act(gpu);
  });
}

}  // namespace

TEST_CASE("a host launches kernels at run time, from any process, whatever the order of ticks") {
  for (const char* name : {"malekeh", "rtx2060_third/malekeh"}) {
    for (const From from : {From::method, From::thread, From::callback, From::event, From::tick}) {
      INFO(name << ", launched from " << static_cast<int>(from));
      const std::string usual = three_runs(shipped(name), from);
      const std::string line = usual.substr(0, usual.find('\n'));
      CHECK(std::count(line.begin(), line.end(), ' ') == 3);
      CHECK_THAT(usual, Catch::Contains("\nfinished in ") && Catch::Contains(", left:\n"));
      for (const TickOrder order : {TickOrder::reverse, TickOrder::shuffled})
        CHECK(three_runs(shipped(name), from, order) == usual);
    }
  }
}

TEST_CASE("kernels launched when the one before has finished run as those of one trace do, a cycle later") {
  const std::string one_trace = with_gpu(shipped("baseline"), [](Gpu& gpu) {
    TraceProgram all = open_trace(project_traces() / "bfs");
    all.kernels.resize(3);
    gpu.run(all);
    sc_core::sc_start();
    return std::to_string(gpu.finish_cycle() + 2) + " with " + std::to_string(gpu.instructions_retired());
  });
  CHECK(with_gpu(shipped("baseline"), [](Gpu& gpu) {
          Host host("host", gpu, From::callback, 0);
          gpu.sms[0].conductor.add(host);
          host.launch();
          sc_core::sc_start();
          return std::to_string(gpu.finish_cycle()) + " with " + std::to_string(gpu.instructions_retired());
        }) == one_trace);
}

TEST_CASE("a GPU that has been idle runs a trace as one that starts with it") {
  for (const char* name : {"baseline", "malekeh", "rtx2060_third/malekeh"}) {
    INFO(name);
    const auto cycles_after = [&](double idle) {
      return with_gpu(shipped(name), [&](Gpu& gpu) {
        if (idle > 0) sc_core::sc_start(idle * gpu.period());
        gpu.run(kernel("bfs"));
        sc_core::sc_start();
        return std::to_string(static_cast<double>(gpu.finish_cycle()) - idle) + outcome(gpu).substr(0, 8) +
               std::to_string(gpu.instructions_retired());
      });
    };
    const std::string usual = cycles_after(0);
    CHECK_THAT(usual, Catch::Contains("finished"));
    CHECK(cycles_after(70) == usual);
    CHECK(cycles_after(1234567) == usual);
  }
}

TEST_CASE("sc_start() without a time returns when the last event is over, however patient the watchdog is") {
  const auto ended = [](const char* name, Cycle patience) {
    PlatformParameters p = shipped(name);
    p.checks.watchdog_cycles = static_cast<std::uint32_t>(patience);
    return with_gpu(p, [](Gpu& gpu) {
      gpu.run(kernel("bfs"));
      sc_core::sc_start();
      const std::string first = outcome(gpu);
      gpu.run(kernel("bfs", 2));
      sc_core::sc_start();
      const double idle = sc_core::sc_time_stamp() / gpu.period() - static_cast<double>(gpu.finish_cycle());
      return std::to_string(idle) + " idle\n" + first + outcome(gpu);
    });
  };
  CHECK_THAT(ended("malekeh", 100000), Catch::StartsWith("0.0"));
  CHECK_THAT(ended("rtx2060_third/malekeh", 100000), Catch::Contains("left:\n"));
  for (const char* name : {"malekeh", "rtx2060_third/malekeh"})
    CHECK(ended(name, 5000) == ended(name, 100000));
}

TEST_CASE("run() while a trace is running is an error, and changes nothing") {
  const auto act = [](bool again) {
    return with_gpu(shipped("baseline"), [again](Gpu& gpu) {
      std::string said;
      const auto run_again = [&] {
        try {
          gpu.run(kernel("vectoradd"));
        } catch (const sc_core::sc_report& r) {
          said += std::string(r.get_msg_type()) + ": " + r.get_msg() + '\n';
        }
      };
      gpu.run(kernel("bfs"));
      if (again) run_again();
      sc_core::sc_start(100 * gpu.period());
      if (again) run_again();
      sc_core::sc_start();
      return said + outcome(gpu);
    });
  };
  const std::string error =
      "/subcore/run: gpu.driver.kernel_dispatcher: run() with vectoradd while bfs is running (kernel ";
  CHECK(act(true) ==
        error + "0 of 1); expected finished()\n" + error + "1 of 1); expected finished()\n" + act(false));
}

namespace {

// A memory that answers at once until it is told to be silent.
class MoodyMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;
  bool silent = false;
  explicit MoodyMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase&,
                                     sc_core::sc_time&) override {
    if (silent) return tlm::TLM_ACCEPTED;
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

}  // namespace

TEST_CASE("the watchdog watches over every run, and over nothing between them") {
  PlatformParameters p = shipped("baseline");
  p.checks.watchdog_cycles = 5000;
  StreamingMultiprocessor sm("sm", 0, p);
  MoodyMemory memory("memory");
  sm.memory_socket().bind(memory.socket);
  TraceDriver driver("driver", p, {&sm});
  driver.run(kernel("vectoradd"));
  sc_core::sc_start();
  CHECK(driver.finished());
  CHECK(driver.leftovers().empty());
  sc_core::sc_start(100000 * driver.conductor.period());  // the watchdog does not report
  const Cycle begin = driver.conductor.now();
  memory.silent = true;
  driver.run(kernel("vectoradd"));
  try {
    sc_core::sc_start();
    FAIL("no error");
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/watchdog");
    // There was progress before the first look, and none before the second.
    CHECK_THAT(report.get_msg(), Catch::Contains("until cycle " + std::to_string(begin + 10000)) &&
                                     Catch::Contains("has had no END_REQ"));
  }
}

}  // namespace run_again_test
