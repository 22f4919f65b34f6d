// BetweenCycles: tells a process outside all SMs when it can look at SMs and see whole cycles, after every
// tick of one cycle and before every tick of the next.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>

#include <systemc>

namespace subcore {

// For a MethodProcess that acts once in `interval` cycles. The n-th call comes half a cycle before the edge
// of cycle n x interval, counted from the start. If the time resolution has no half cycle, the call comes at
// the edge before. The call is then put off by `deltas` delta cycles. The first delta cycle lets the ticks of
// that instant go ahead. Of two methods that are due at one instant, the one with fewer deltas acts first.
class BetweenCycles {
 public:
  // `interval` in cycles and `deltas`: 1 or more.
  BetweenCycles(std::uint64_t interval, const sc_core::sc_time& period, unsigned deltas = 1)
      : period_(period.value()),
        interval_(interval * period.value()),
        before_(std::max<std::uint64_t>(1, period.value() / 2)),
        deltas_(deltas) {}

  const sc_core::sc_event& event() const { return event_; }
  // Counts intervals from the current cycle on. Not to be called before the start of simulation.
  void start() { start(sc_core::sc_time_stamp().value() / period_); }
  // Counts intervals from `cycle` on. Calls that would have come before now are left out.
  void start(std::uint64_t cycle) {
    stop();
    const std::uint64_t time = sc_core::sc_time_stamp().value();
    std::uint64_t first = cycle * period_ + interval_ - before_;
    if (first < time) first += (time - first + interval_ - 1) / interval_ * interval_;
    event_.notify(sc_core::sc_time::from_value(first - time));
  }
  // During a call: the cycle before whose edge the call comes, which is the first cycle that is not over.
  std::uint64_t next_cycle() const { return (sc_core::sc_time_stamp().value() + before_) / period_; }
  void stop() {
    event_.cancel();
    waited_ = 0;
  }
  // Whether the method is to act now. To be asked whenever the method is called; sets the time of the next
  // call.
  bool due() {
    if (waited_ < deltas_) {
      ++waited_;
      event_.notify(sc_core::SC_ZERO_TIME);
      return false;
    }
    waited_ = 0;
    event_.notify(sc_core::sc_time::from_value(interval_));
    return true;
  }

 private:
  std::uint64_t period_, interval_, before_;  // in units of the time resolution
  unsigned deltas_;
  unsigned waited_ = 0;  // delta cycles since the time of the call
  sc_core::sc_event event_;
};

}  // namespace subcore
