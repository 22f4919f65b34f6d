// When a process of its own may look at SMs and see whole cycles: after every tick of one cycle and before
// every tick of the next.
#pragma once

#include <algorithm>
#include <cstdint>

#include <systemc>

namespace subcore {

// For an SC_METHOD that acts once in so many cycles. That is half a cycle before the edge of cycle n x
// interval; where the time resolution knows no half cycle, at the edge before. In either case one delta
// later, which lets the ticks of that instant go first.
class BetweenCycles {
 public:
  // `interval` in cycles, 1 or more.
  BetweenCycles(std::uint64_t interval, const sc_core::sc_time& period)
      : interval_(interval * period.value()), before_(std::max<std::uint64_t>(1, period.value() / 2)) {}

  // To be asked whenever the method is called, also for the first time; says when it is called next.
  bool due() {
    if (step_ == Step::settle) {
      step_ = Step::act;
      sc_core::next_trigger(sc_core::SC_ZERO_TIME);
      return false;
    }
    const bool act = step_ == Step::act;
    step_ = Step::settle;
    sc_core::next_trigger(sc_core::sc_time::from_value(act ? interval_ : interval_ - before_));
    return act;
  }

 private:
  enum class Step { start, settle, act };
  std::uint64_t interval_, before_;  // in steps of the time resolution
  Step step_ = Step::start;
};

}  // namespace subcore
