// When a process of its own may look at SMs and see whole cycles: after every tick of one cycle and before
// every tick of the next.
#pragma once

#include <algorithm>
#include <cstdint>

#include <systemc>

namespace subcore {

// For an SC_METHOD that acts once in so many cycles. That is half a cycle before the edge of cycle n x
// interval; where the time resolution knows no half cycle, at the edge before. In either case some deltas
// later: one lets the ticks of that instant go first, and of two methods the one with fewer goes first.
class BetweenCycles {
 public:
  // `interval` in cycles and `deltas`: 1 or more.
  BetweenCycles(std::uint64_t interval, const sc_core::sc_time& period, unsigned deltas = 1)
      : interval_(interval * period.value()),
        before_(std::max<std::uint64_t>(1, period.value() / 2)),
        deltas_(deltas) {}

  // To be asked whenever the method is called, also for the first time; says when it is called next.
  bool due() {
    if (waited_ < deltas_) {
      ++waited_;
      sc_core::next_trigger(sc_core::SC_ZERO_TIME);
      return false;
    }
    const bool act = started_;
    started_ = true;
    waited_ = 0;
    sc_core::next_trigger(sc_core::sc_time::from_value(act ? interval_ : interval_ - before_));
    return act;
  }

 private:
  std::uint64_t interval_, before_;  // in steps of the time resolution
  unsigned deltas_;
  unsigned waited_ = 0;  // deltas, since the time of the call
  bool started_ = false;
};

}  // namespace subcore
