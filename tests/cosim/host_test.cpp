// A host in the same simulation launches kernels by registers and is told of their ends by an interrupt.
#include <cmath>
#include <functional>
#include <iomanip>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/power/power_monitors.h"
#include "tests/cosim/rig.h"
#include "tests/module/register_master.h"
#include "tests/unit/trace_files.h"

namespace host_test {

using namespace subcore;
using namespace subcore::test;
namespace reg = subcore::launch_register;

namespace {

// A thread of the host's own.
class Host : public RegisterMaster {
 public:
  sc_core::sc_in<bool> interrupt;
  Host(const sc_core::sc_module_name& name, std::function<void(Host&)> act)
      : RegisterMaster(name), interrupt("interrupt"), act_(std::move(act)) {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }
  void launch(std::uint64_t kernel) {
    if (write(reg::kernel, kernel) != tlm::TLM_OK_RESPONSE || write(reg::doorbell, 1) != tlm::TLM_OK_RESPONSE)
      SC_REPORT_ERROR("/test", "a launch was refused");  // a child's CHECKs are not counted
  }
  void await_all() {
    write(reg::interrupt_enable, launch_interrupt::all_ended);
    if (!interrupt.read()) wait(interrupt.posedge_event());
    write(reg::interrupt_status, launch_interrupt::all);
    // Write-backs may still be under way, because no warp waits for them.
    while (read(reg::status) != 0) wait(100, sc_core::SC_NS);
  }
  void pause(double nanoseconds) { wait(nanoseconds, sc_core::SC_NS); }

 private:
  void run() { act_(*this); }
  std::function<void(Host&)> act_;
};

TraceProgram kernels(const std::string& trace, std::size_t count) {
  TraceProgram all = open_trace(project_traces() / trace);
  all.kernels.resize(count);
  return all;
}

PlatformParameters shipped(const std::string& name) {
  PlatformParameters p = load_platform(find_platform(name));
  p.sthld.interval = 300;  // several intervals in each run
  return p;
}

struct HostedGpu {
  explicit HostedGpu(const PlatformParameters& p, std::function<void(Host&)> act)
      : gpu("gpu", p), power(attach_monitors(gpu)), host("host", std::move(act)), line("line") {
    host.socket.bind(gpu.control_socket());
    gpu.interrupt()(line);
    host.interrupt(line);
  }
  Gpu gpu;
  std::shared_ptr<PowerMonitors> power;
  Host host;
  sc_core::sc_signal<bool> line;
};

// The counters of a run, without cycles.
std::string counts(Gpu& gpu, const PowerMonitors& power) {
  std::ostringstream text;
  StatisticsGroup root("root");
  gpu.register_statistics(root);
  text << gpu.instructions_retired() << " instructions, " << root.sum("source_operands") << " operands, "
       << root.sum("cache_read_hits") << " hits, " << std::setprecision(17) << power.total_pj()
       << " pJ, left:";
  for (const std::string& l : gpu.leftovers()) text << ' ' << l;
  return text.str();
}

std::string every_statistic(Gpu& gpu) {
  StatisticsGroup root("root");
  gpu.register_statistics(root);
  return statistics_json(root);
}

}  // namespace

TEST_CASE("kernels launched by registers run as those of one trace do, a cycle later") {
  for (const char* name : {"baseline", "malekeh", "rtx2060_third/malekeh", "rtx2060_third/baseline"}) {
    INFO(name);
    const std::string one_trace = in_child([&] {
      Gpu gpu("gpu", shipped(name));
      const auto power = attach_monitors(gpu);
      gpu.run(kernels("bfs", 2));
      sc_core::sc_start();
      return std::to_string(gpu.finish_cycle() + 1) + ": " + counts(gpu, *power);
    });
    std::string first;
    for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled}) {
      const std::string launched = in_child([&] {
        PlatformParameters p = shipped(name);
        p.tick_order = order;
        std::ostringstream registers;
        HostedGpu g(p, [&](Host& host) {
          host.launch(0);
          host.launch(1);
          host.await_all();
          registers << host.read(reg::finish_cycle) << ": " << host.read(reg::instructions_retired)
                    << " instructions, " << host.read(reg::source_operands) << " operands, "
                    << host.read(reg::cache_read_hits) << " hits, ";
          if (host.read(reg::energy) != static_cast<std::uint64_t>(std::llround(1000 * g.power->total_pj())))
            registers << "other energy";
        });
        g.gpu.load(kernels("bfs", 2));
        sc_core::sc_start();
        const std::string text = std::to_string(g.gpu.finish_cycle()) + ": " + counts(g.gpu, *g.power);
        // The registers must agree with the model.
        return text.rfind(registers.str(), 0) == 0 ? text + every_statistic(g.gpu) : registers.str();
      });
      CHECK(launched.substr(0, launched.find('{')) == one_trace);
      if (order == TickOrder::pipeline) first = launched;
      CHECK(launched == first);
    }
  }
}

TEST_CASE("launches are queued, rung whenever, as many as one likes") {
  const auto finish = in_child([&] {
    std::ostringstream text;
    HostedGpu g(shipped("rtx2060_third/malekeh"), [&](Host& host) {
      for (unsigned n = 0; n < 30; ++n) host.launch(0);
      host.pause(30000.5);
      const std::uint64_t early = host.read(reg::finished);
      text << (early > 0 && early < 30) << ' ';
      for (unsigned n = 0; n < 10; ++n) {
        host.launch(n % 2);
        host.pause(37.25);
      }
      host.await_all();
      text << host.read(reg::launched) << ' ' << host.read(reg::finished) << ", ";
      // After a pause, and with another kernel that was added then.
      host.pause(100000);
      g.gpu.load(kernels("vectoradd", 1));
      text << host.read(reg::kernels) << ", ";
      const std::uint64_t before = host.read(reg::instructions_retired);
      host.launch(2);
      host.await_all();
      text << host.read(reg::finished) << ", " << host.read(reg::instructions_retired) - before;
    });
    g.gpu.load(kernels("bfs", 2));
    sc_core::sc_start();
    text << (g.gpu.finished() ? ", finished" : "");
    for (const std::string& l : g.gpu.leftovers()) text << ", left: " << l;
    return text.str();
  });
  const std::string alone = in_child([] {
    Gpu gpu("gpu", shipped("baseline"));
    gpu.run(kernels("vectoradd", 1));
    sc_core::sc_start();
    return std::to_string(gpu.instructions_retired());
  });
  CHECK(finish == "1 40 40, 3, 41, " + alone + ", finished");
}

TEST_CASE("a launch waits for a run() that is under way, and run() for launches") {
  const std::string said = in_child([] {
    std::string text;
    HostedGpu g(shipped("baseline"), [&](Host& host) {
      host.pause(100);
      host.launch(0);
      host.pause(100);
      try {
        g.gpu.run(kernels("vectoradd", 1));
      } catch (const sc_core::sc_report& r) {
        text += std::string(r.get_msg_type()) + ": " + r.get_msg() + '\n';
      }
      host.await_all();
      text += std::to_string(host.read(reg::finished)) + ' ';
      host.launch(0);
      host.pause(100);
      try {
        g.gpu.run(kernels("vectoradd", 1));
      } catch (const sc_core::sc_report& r) {
        text += std::string(r.get_msg_type()) + ": " + r.get_msg() + '\n';
      }
    });
    g.gpu.load(kernels("bfs", 1));
    g.gpu.run(kernels("hotspot", 2));
    g.gpu.driver.kernel_dispatcher.on_kernel_end(
        [&](const std::string& name) { text += name.substr(0, 20) + ' '; });
    sc_core::sc_start();
    return text + std::to_string(g.gpu.driver.kernel_dispatcher.kernels_started()) +
           (g.gpu.finished() ? " finished" : "");
  });
  CHECK(said ==
        "/subcore/run: gpu.driver.kernel_dispatcher: run() with vectoradd while hotspot is running (kernel 1 "
        "of 3); expected finished()\n"
        "k_hotspot k_hotspot k_bfs1 1 /subcore/run: gpu.driver.kernel_dispatcher: run() with vectoradd while "
        "bfs is running (kernel 1 of "
        "1); expected finished()\n"
        "k_bfs1 4 finished");
}

TEST_CASE("a GPU with a host that launches nothing is at rest") {
  CHECK(in_child([] {
          HostedGpu g(shipped("rtx2060_third/malekeh"), [](Host& host) { host.read(reg::status); });
          g.gpu.load(kernels("bfs", 1));
          sc_core::sc_start();
          return std::to_string(sc_core::sc_time_stamp().to_seconds() < 1e-6) +
                 std::to_string(g.gpu.finished());
        }) == "11");
}

}  // namespace host_test
