// A module of the user's between each collector and the dispatch scheduler of its sub-core: an operand bus
// that takes three cycles, with a process of its own.
#include <iostream>
#include <memory>
#include <vector>

#include <systemc>

#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/memory/simple_memory.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/memory/simple.h"
#include "subcore/platforms/streaming_multiprocessor.h"
#include "subcore/platforms/trace_driver.h"

namespace {

using subcore::Cycle;

class SlowBus : public subcore::Module {
 public:
  subcore::InPort<subcore::DispatchTransfer> from_collector;
  subcore::OutPort<subcore::DispatchTransfer> to_scheduler;

  SlowBus(const sc_core::sc_module_name& name, const subcore::Conductor& conductor, std::uint64_t& carried)
      : Module(name),
        from_collector("from_collector"),
        to_scheduler("to_scheduler"),
        conductor_(conductor),
        carried_(carried) {
    SC_HAS_PROCESS(SlowBus);
    from_collector.on_receive<&SlowBus::take>(this);
    to_scheduler.on_credit<&SlowBus::give_back>(this);
    SC_METHOD(pass_on);
    sensitive << arrived_;
    dont_initialize();
  }
  bool drained() const override { return held_.instruction == nullptr; }

 private:
  static constexpr Cycle delay = 3;

  // A collector has one instruction, so at most one transfer is here. Its stamp is the first cycle in which
  // the receiver may use it. We send it on in the cycle before the first one in which it may leave us.
  void take(unsigned, subcore::DispatchTransfer& t) {
    held_ = t;
    held_.stamp += delay;
    arrived_.notify((held_.stamp - 1) * conductor_.period() - sc_core::sc_time_stamp());
  }
  void pass_on() {
    subcore::DispatchTransfer t = held_;
    held_.instruction = nullptr;
    ++carried_;
    to_scheduler.send(t);
  }
  void give_back(unsigned, subcore::DispatchTransfer& t) { from_collector.credit(t); }

  const subcore::Conductor& conductor_;
  std::uint64_t& carried_;
  subcore::DispatchTransfer held_;
  sc_core::sc_event arrived_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) {
    std::cerr << "usage: spliced_module TRACE_FOLDER\n";
    return 2;
  }
  const subcore::PlatformParameters p = subcore::load_platform(subcore::find_platform("baseline"));
  const sc_core::sc_time period = subcore::clock_period(p.clock_period_ns);

  std::uint64_t carried = 0;
  subcore::SubCoreHooks hooks;
  hooks.dispatch_path = [&](const subcore::SubCoreSite& site, auto& collector, auto& scheduler) {
    auto bus =
        std::make_unique<SlowBus>(("bus_" + std::to_string(site.index)).c_str(), site.conductor, carried);
    collector.bind(bus->from_collector);
    bus->to_scheduler.bind(scheduler);
    return bus;
  };

  // One trace runs on an SM without the buses and on an SM with them, in one simulation.
  subcore::StreamingMultiprocessor plain("plain", 0, p), spliced("spliced", 0, p, hooks);
  subcore::SimpleMemory plain_memory("plain_memory",
                                     p.memory.kind.as<subcore::SimpleMemoryChoice>().parameters, period),
      spliced_memory("spliced_memory", p.memory.kind.as<subcore::SimpleMemoryChoice>().parameters, period);
  plain.memory_socket().bind(plain_memory.memory_socket);
  spliced.memory_socket().bind(spliced_memory.memory_socket);
  subcore::TraceDriver plain_driver("plain_driver", p, {&plain}), driver("driver", p, {&spliced});
  for (auto* d : {&plain_driver, &driver}) d->run(subcore::open_trace(argv[1]));
  sc_core::sc_start();  // until nothing is left to do

  std::cout << "spliced_module: " << carried << " instructions over the buses, " << driver.finish_cycle()
            << " cycles instead of " << plain_driver.finish_cycle() << '\n';
  return driver.finished() && driver.leftovers().empty() && carried == driver.instructions_retired() &&
                 carried == plain_driver.instructions_retired() &&
                 driver.finish_cycle() > plain_driver.finish_cycle()
             ? 0
             : 1;
}
