// Module: what a module of the model offers besides its sockets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include <systemc>

#include "subcore/model/hardware/inventory.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/statistics/statistics.h"
#include "subcore/modules/protocol/port.h"
#include "subcore/modules/protocol/signal.h"
#include "subcore/modules/protocol/timing_wheel.h"

namespace subcore {

class AccessPort;  // access_port.h

class Module : public sc_core::sc_module {
 public:
  explicit Module(const sc_core::sc_module_name& name) : sc_module(name) {}
  // Registers the counters of counter_list_ in the group of this module. A derived module may add more.
  virtual void register_statistics(StatisticsGroup& group) { group.counters(counter_list_); }
  // Adds the parts that the module is built of, for area and leakage (model/hardware/inventory.h).
  virtual void inventory(Inventory&) const {}
  // Signals for waveforms, in display order.
  virtual std::vector<Signal> signals() { return {}; }
  // Whether nothing is stored or under way in this module. At the end of a run every module must be drained.
  virtual bool drained() const { return true; }
  // Memory requests that made progress here. The watchdog needs the number, because a slow memory answers
  // many requests before an instruction can retire.
  virtual std::uint64_t requests_served() const { return 0; }
  // For the watchdog's report: what is stored here and what it waits for, one line per item; nothing if idle.
  virtual void report_waiting(std::ostream&) const {}
  // Ports at which the accesses of the module's stores can be observed.
  const std::vector<AccessPort*>& access_ports() const { return access_ports_; }

 protected:
  CounterList counter_list_;  // the counters that this module has declared

 private:
  friend class AccessPort;
  std::vector<AccessPort*> access_ports_;  // in order of declaration
};

// A module with work of its own: the conductor calls tick() in the cycles the module asked for.
class TickingModule : public Module {
 public:
  using Module::Module;
  // Does the work of cycle `now`. Returns the next cycle in which the module wants to be called, or `never`.
  // A call that the module did not ask for changes nothing.
  virtual Cycle tick(Cycle now) = 0;
  // Asks for a tick in cycle `at`, or in the first cycle not yet begun, if that is later.
  void wake(Cycle at) { ring_->wake(position_, at); }

 protected:
  // Asks for a tick in this cycle, or in the next one if this cycle's pass has begun. From any process, once
  // the simulation has started.
  void wake_now() { wake(ring_->present()); }
  // Takes back all ticks that were asked for, which would keep the simulation going. Only from within a tick.
  void sleep() { ring_->forget(position_); }
  bool begun(Cycle cycle) const { return ring_->begun(cycle); }

 private:
  friend class Conductor;
  TimingWheel* ring_ = nullptr;
  unsigned position_ = 0;  // in the conductor's order
};

// Whether all of the queues or ports are empty.
template <class Queues>
bool all_empty(const Queues& queues) {
  return std::all_of(queues.begin(), queues.end(), [](const auto& q) { return q.empty(); });
}

}  // namespace subcore
