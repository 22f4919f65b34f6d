// Conductor: the only process of an SM. A conductor walks the cycles that have work, skips idle ones, and
// calls the modules that are awake in a fixed order. Several conductors can share one process.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include <systemc>

#include "subcore/modules/conductor/calendar.h"
#include "subcore/modules/conductor/method_process.h"
#include "subcore/modules/conductor/tick_order.h"
#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/module.h"

namespace subcore {

// Called after the ticks of each cycle in which one conductor had work. Results must not depend on observers.
class CycleObserver {
 public:
  virtual ~CycleObserver() = default;
  // Returns true to be called after the next cycle, even if no module has work in it.
  virtual bool cycle_done(Cycle cycle) = 0;
};

class Conductor;

// Called after the ticks of each cycle in which any of the conductors that share a process had work, and
// after cycle 0. For waveforms: results must not depend on observers. Observer and conductor may be destroyed
// in either order.
class BeatObserver {
 public:
  BeatObserver() = default;
  BeatObserver(const BeatObserver&) = delete;
  BeatObserver& operator=(const BeatObserver&) = delete;
  virtual ~BeatObserver();
  // Returns the next cycle after which the observer is to be called even if no module has work in it;
  // `never`: none.
  virtual Cycle beat_done(Cycle cycle) = 0;

 private:
  friend class Conductor;
  Conductor* observed_ = nullptr;
};

// A clock period as simulation time. The user sets the time resolution. A resolution that cannot express the
// period (to a tenth of a percent) is an error with id "/subcore/clock".
sc_core::sc_time clock_period(double nanoseconds);
// Why this simulation's time resolution cannot express the period, in one line; empty if it can.
std::string problem_of_clock(double nanoseconds);

class Conductor : public sc_core::sc_module, private TimingWheel {
 public:
  Conductor(const sc_core::sc_module_name& name, sc_core::sc_time period, TickOrder order,
            std::uint64_t seed);
  ~Conductor() override;

  // Adds a module, before elaboration ends. Modules tick in the order in which they are added
  // (TickOrder::pipeline). The tick of a final class is called directly, because the cache line with the
  // pointer to a module's virtual functions holds nothing else that a tick needs.
  template <class M>
  void add(M& module) {
    add(module, [](TickingModule* m, Cycle now) { return static_cast<M*>(m)->tick(now); });
  }
  void observe(CycleObserver& observer) { observers_.push_back(&observer); }
  // Adds an observer to a leader or a follower, before the simulation starts.
  void observe_beats(BeatObserver& observer);
  // Makes this conductor a follower, before elaboration ends. `leader` has the same period and follows
  // nobody. The leader calls the passes of this conductor from its own process. So many SMs cost the kernel
  // of SystemC one event a cycle, and none while all are idle.
  void follow(Conductor& leader);

  // The cycle of the current simulation time.
  Cycle now() const { return leader_->beating_ ? leader_->last_cycle() : cycle_of(sc_core::sc_time_stamp()); }
  Cycle cycle_of(const sc_core::sc_time& t) const { return t.value() / period_.value(); }
  // The cycle `delay` after the current time.
  Cycle cycle_after(const sc_core::sc_time& delay) const {
    return delay.value() == 0 ? now() : cycle_of(sc_core::sc_time_stamp() + delay);
  }
  const sc_core::sc_time& period() const { return period_; }

  // Whether a module of the conductors that share the process has reported an error. From then on no module
  // ticks, and calls from outside change nothing.
  bool failed() const { return leader_->failed_; }
  // Makes failed() true.
  void stop() const;
  // Calls `f` once, when failed() becomes true.
  void on_failure(std::function<void()> f) { on_failure_.push_back(std::move(f)); }
  // Calls act(), unless failed(). For calls that come to a module from outside. Returns false if act() was
  // not called, or if act() has failed.
  template <class Act>
  bool enter(Act act) const {
    if (failed()) return false;
    try {
      act();
    } catch (const Failure&) {
      stop();
      return false;
    } catch (...) {
      stop();
      throw;
    }
    return true;
  }

  // Progress of a leader, for another thread that watches whether the model still moves. The values are how
  // many cycles with work have ended, which one began last, and the module whose tick has not returned, if
  // any.
  std::uint64_t cycles_ended() const { return ended_.load(std::memory_order_relaxed); }
  Cycle last_cycle() const { return beat_.load(std::memory_order_relaxed); }
  const TickingModule* ticking() const { return ticking_.load(std::memory_order_relaxed); }

 private:
  friend class BeatObserver;
  struct Ticked {  // the order of ticks
    TickingModule* module;
    Cycle (*tick)(TickingModule*, Cycle);
  };
  void add(TickingModule& module, Cycle (*tick)(TickingModule*, Cycle));
  void before_end_of_elaboration() override;
  void end_of_elaboration() override { calendar_.resize(static_cast<unsigned>(group_.size())); }
  void start_of_simulation() override;
  void beat();
  void pass_all(Cycle now);
  void tell_beat_observers(Cycle now);
  void pass(Cycle now);
  void wake_outside(Cycle at) override { schedule(at); }
  Cycle present() const override { return now(); }
  void schedule(Cycle at);
  void notify(Cycle at);

  Conductor* leader_ = this;
  unsigned number_ = 0;  // number in the leader's group
  // The conductors of a leader's group.
  std::vector<Conductor*> group_{this};
  Calendar calendar_;       // next passes of the group
  Cycle notified_ = never;  // cycle of the pending notification
  bool beating_ = false;
  bool failed_ = false;
  // This thread writes the next members, and a thread that watches reads them. In effect they are plain
  // stores.
  std::atomic<Cycle> beat_{0};  // cycle whose passes are called
  std::atomic<std::uint64_t> ended_{0};
  std::atomic<const TickingModule*> ticking_{nullptr};
  std::vector<Ticked> ticked_;
  std::vector<CycleObserver*> observers_;
  std::vector<std::function<void()>> on_failure_;
  std::vector<BeatObserver*> beat_observers_;  // observers of a leader, complete when the simulation starts
  sc_core::sc_time period_;
  sc_core::sc_event wake_event_;
  TickOrder order_;
  std::uint64_t seed_;
  MethodProcess process_;
};

}  // namespace subcore
