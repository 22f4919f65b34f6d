// When a process of its own may look at SMs and see whole cycles: after every tick of one cycle and before
// every tick of the next.
#pragma once

#include <algorithm>
#include <cstdint>

#include <systemc>

namespace subcore {

// For a MethodProcess that acts once in so many cycles. That is half a cycle before the edge of cycle n x
// interval after the start; where the time resolution knows no half cycle, at the edge before. In either case
// some deltas later: one lets the ticks of that instant go first, and of two methods the one with fewer goes
// first.
class BetweenCycles {
 public:
  // `interval` in cycles and `deltas`: 1 or more.
  BetweenCycles(std::uint64_t interval, const sc_core::sc_time& period, unsigned deltas = 1)
      : period_(period.value()),
        interval_(interval * period.value()),
        before_(std::max<std::uint64_t>(1, period.value() / 2)),
        deltas_(deltas) {}

  const sc_core::sc_event& event() const { return event_; }
  // Intervals are counted from the current cycle on. Not before the start of simulation.
  void start() {
    stop();
    const std::uint64_t time = sc_core::sc_time_stamp().value();
    std::uint64_t first = time / period_ * period_ + interval_ - before_;
    if (first < time) first += interval_;
    event_.notify(sc_core::sc_time::from_value(first - time));
  }
  void stop() {
    event_.cancel();
    waited_ = 0;
  }
  // To be asked whenever the method is called; says when it is called next.
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
  std::uint64_t period_, interval_, before_;  // in steps of the time resolution
  unsigned deltas_;
  unsigned waited_ = 0;  // deltas, since the time of the call
  sc_core::sc_event event_;
};

}  // namespace subcore
