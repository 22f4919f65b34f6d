// The only process of an SM: walks the cycles that have work and calls the modules that are awake, in a fixed
// order. Idle cycles are skipped (architecture, section 2).
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "model/policy/kinds.h"
#include "modules/protocol/module.h"

namespace subcore {

// Called after the ticks of each cycle that had work. For waveforms; results must not depend on it.
class CycleObserver {
 public:
  virtual ~CycleObserver() = default;
  // True: call again after the next cycle, even if nobody else has work in it.
  virtual bool cycle_done(Cycle cycle) = 0;
};

// A clock period as simulation time. The time resolution belongs to the user: one that cannot express the
// period (to a tenth of a percent) is an error with id "/subcore/clock".
sc_core::sc_time clock_period(double nanoseconds);

class Conductor : public sc_core::sc_module, private WakeRing {
 public:
  Conductor(const sc_core::sc_module_name& name, sc_core::sc_time period, TickOrder order,
            std::uint64_t seed);

  // Before elaboration ends. Modules tick in the order in which they are added (TickOrder::pipeline).
  void add(TickingModule& module);
  void observe(CycleObserver& observer) { observers_.push_back(&observer); }

  // The cycle of the current simulation time.
  Cycle now() const { return in_pass() ? cycle() : cycle_of(sc_core::sc_time_stamp()); }
  Cycle cycle_of(const sc_core::sc_time& t) const { return t.value() / period_.value(); }
  const sc_core::sc_time& period() const { return period_; }

 private:
  void before_end_of_elaboration() override;
  void start_of_simulation() override;
  void pass();
  void wake_outside(Cycle at) override { schedule(at); }
  void schedule(Cycle at);

  Cycle scheduled_ = never;  // cycle of the pending notification
  std::vector<TickingModule*> modules_;
  std::vector<CycleObserver*> observers_;
  sc_core::sc_time period_;
  sc_core::sc_event wake_event_;
  TickOrder order_;
  std::uint64_t seed_;
};

}  // namespace subcore
