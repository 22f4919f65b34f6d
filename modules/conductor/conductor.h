// The only process of an SM: walks the cycles that have work and calls the modules that are awake, in a fixed
// order. Idle cycles are skipped (architecture, section 2).
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
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

class Conductor : public sc_core::sc_module {
 public:
  Conductor(const sc_core::sc_module_name& name, sc_core::sc_time period, TickOrder order,
            std::uint64_t seed);

  // Before elaboration ends. Modules tick in the order in which they are added (TickOrder::pipeline).
  void add(TickingModule& module);
  void observe(CycleObserver& observer) { observers_.push_back(&observer); }

  // Asks for a tick of the module in cycle `at`. Wakes are kept by cycle: one that comes from a foreign
  // process while the pass of the same cycle is still due, or already over, is not lost.
  void wake(unsigned place, Cycle at);

  // The cycle of the current simulation time.
  Cycle now() const { return in_pass_ ? cycle_ : cycle_of(sc_core::sc_time_stamp()); }
  Cycle cycle_of(const sc_core::sc_time& t) const { return t.value() / period_.value(); }
  const sc_core::sc_time& period() const { return period_; }
  std::uint64_t passes() const { return passes_; }

 private:
  static constexpr unsigned ring_cycles = 64;  // one bit each in occupied_
  void before_end_of_elaboration() override;
  void start_of_simulation() override;
  void pass();
  void mark(unsigned place, Cycle at);
  Cycle next_work() const;
  void schedule(Cycle at);

  struct Far {
    Cycle at;
    unsigned place;
    bool operator>(const Far& o) const { return at > o.at; }
  };

  Cycle cycle_ = 0;       // last cycle whose pass has begun
  bool started_ = false;  // a first pass has begun
  bool in_pass_ = false;
  Cycle scheduled_ = never;     // cycle of the pending notification
  std::uint64_t occupied_ = 0;  // ring rows that are not empty
  unsigned words_ = 0;
  std::vector<std::uint64_t> ring_;  // ring_cycles rows of one bit per module
  std::vector<std::uint64_t> row_;   // the row being walked
  std::vector<TickingModule*> modules_;
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
  std::vector<CycleObserver*> observers_;
  sc_core::sc_time period_;
  sc_core::sc_event wake_event_;
  TickOrder order_;
  std::uint64_t seed_;
  std::uint64_t passes_ = 0;
};

inline void TickingModule::wake(Cycle at) {
  conductor_->wake(place_, at);
}

}  // namespace subcore
