// The only process of an SM: walks the cycles that have work and calls the modules that are awake, in a fixed
// order. Idle cycles are skipped. Conductors can share one process.
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

// Called after the ticks of each cycle that had work in one conductor. Results must not depend on it.
class CycleObserver {
 public:
  virtual ~CycleObserver() = default;
  // True: call again after the next cycle, even if nobody else has work in it.
  virtual bool cycle_done(Cycle cycle) = 0;
};

class Conductor;

// Called after the ticks of each cycle that had work in any conductor of those that share a process, and
// after cycle 0. For waveforms; results must not depend on it. It and the conductor may end in any order.
class BeatObserver {
 public:
  BeatObserver() = default;
  BeatObserver(const BeatObserver&) = delete;
  BeatObserver& operator=(const BeatObserver&) = delete;
  virtual ~BeatObserver();
  // The next cycle after which it is to be called even if nobody else has work in it; `never`: none.
  virtual Cycle beat_done(Cycle cycle) = 0;

 private:
  friend class Conductor;
  Conductor* observed_ = nullptr;
};

// A clock period as simulation time. The time resolution belongs to the user: one that cannot express the
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
  // (TickOrder::pipeline). The tick of a final class is called directly: the line with a module's pointer to
  // its virtual functions holds nothing else that a tick needs.
  template <class M>
  void add(M& module) {
    add(module, [](TickingModule* m, Cycle now) { return static_cast<M*>(m)->tick(now); });
  }
  void observe(CycleObserver& observer) { observers_.push_back(&observer); }
  // Adds an observer, before the simulation starts, to a leader or a follower.
  void observe_beats(BeatObserver& observer);
  // Makes this a follower, before elaboration ends: `leader`, of the same period and nobody's follower, calls
  // the passes of this one from its own process, so that many SMs cost the kernel one event a cycle, and none
  // while all are idle.
  void follow(Conductor& leader);

  // The cycle of the current simulation time.
  Cycle now() const { return leader_->beating_ ? leader_->last_cycle() : cycle_of(sc_core::sc_time_stamp()); }
  Cycle cycle_of(const sc_core::sc_time& t) const { return t.value() / period_.value(); }
  // The cycle `delay` from now.
  Cycle cycle_after(const sc_core::sc_time& delay) const {
    return delay.value() == 0 ? now() : cycle_of(sc_core::sc_time_stamp() + delay);
  }
  const sc_core::sc_time& period() const { return period_; }

  // Whether a module of one of the conductors that share the process has reported an error. From then on
  // nothing ticks, and calls from outside change nothing.
  bool failed() const { return leader_->failed_; }
  // Makes failed() true.
  void stop() const;
  // `f` is called once, when failed() becomes true.
  void on_failure(std::function<void()> f) { on_failure_.push_back(std::move(f)); }
  // For calls that come to a module from outside: calls act(), unless failed(). Returns false if nothing has
  // been called, or if act() has failed.
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

  // Progress of a leader, for another thread that watches whether the model still moves: how many cycles with
  // work have ended, the last one that has begun, and the module whose tick has not returned, if any.
  std::uint64_t cycles_ended() const { return ended_.load(std::memory_order_relaxed); }
  Cycle last_cycle() const { return beat_.load(std::memory_order_relaxed); }
  const TickingModule* ticking() const { return ticking_.load(std::memory_order_relaxed); }

 private:
  friend class BeatObserver;
  struct Ticked {  // in the order of ticks
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
  unsigned number_ = 0;  // in the leader's group
  // A leader's own members.
  std::vector<Conductor*> group_{this};
  Calendar calendar_;       // of the group's next passes
  Cycle notified_ = never;  // cycle of the pending notification
  bool beating_ = false;
  bool failed_ = false;
  // Members written here and read by a thread that watches: plain stores, in effect.
  std::atomic<Cycle> beat_{0};  // cycle whose passes are called
  std::atomic<std::uint64_t> ended_{0};
  std::atomic<const TickingModule*> ticking_{nullptr};
  std::vector<Ticked> ticked_;
  std::vector<CycleObserver*> observers_;
  std::vector<std::function<void()>> on_failure_;
  std::vector<BeatObserver*> beat_observers_;  // a leader's observers, once the simulation has started
  sc_core::sc_time period_;
  sc_core::sc_event wake_event_;
  TickOrder order_;
  std::uint64_t seed_;
  MethodProcess process_;
};

}  // namespace subcore
