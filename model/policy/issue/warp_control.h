// One warp's control bits as a limit on its issue (Huerta, MICRO 2025): a stall count, a yield, and six
// counters. Producers of unknown latency and late readers of registers count there.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>
#include <cstdint>

#include "subcore/base/bits.h"
#include "subcore/model/isa/control_bits.h"
#include "subcore/model/isa/instruction.h"

namespace subcore {

class WarpControl {
 public:
  // `stall0_yield` is the number of cycles that a stall count of 0 with a yield takes.
  explicit WarpControl(unsigned stall0_yield) : stall0_yield_(stall0_yield) {}

  // An instruction issues in cycle `now`. Its counters rise one cycle behind issue, so an instruction in the
  // next cycle does not see them yet. `clock` is the number of cycles up to `now` in which stall counters
  // have run.
  void issue(const ControlBits& c, Cycle now, Cycle clock) {
    clock_ready_ = clock + cycles(c);
    yields_until_ = c.yield ? now + 2 : 0;
    for (const std::uint8_t barrier : {c.write_barrier, c.read_barrier}) {
      if (barrier == no_barrier) continue;
      ++counters_[barrier];
      rising_[next_++ % rising_.size()] = {now + 2, barrier};
    }
  }
  void results_written(const ControlBits& c) { lower(c.write_barrier); }
  void sources_read(const ControlBits& c) { lower(c.read_barrier); }

  // The cycles of the clock that are left of its stall count.
  Cycle stalled(Cycle clock) const { return clock < clock_ready_ ? clock_ready_ - clock : 0; }
  bool yields(Cycle now) const { return now < yields_until_; }
  // The counters that keep an instruction from issuing in `now`: those for which it waits, and those that it
  // would raise but that are full.
  std::uint8_t awaited(const ControlBits& c, Cycle now) const {
    std::uint8_t left = 0;
    for (const unsigned b : bits::each(c.wait_mask))
      if (visible(b, now) != 0) bits::add(left, b);
    for (const std::uint8_t b : {c.write_barrier, c.read_barrier})
      if (b != no_barrier && counters_[b] >= highest) bits::add(left, b);
    return left;
  }
  // Whether the counter, if there is one, is above `most`, as an instruction sees it in `now`.
  bool exceeds(std::uint8_t barrier, unsigned most, Cycle now) const {
    return barrier != no_barrier && visible(barrier, now) > most;
  }
  // The next cycle in which a counter that awaited() sees rises by itself; 0 if none is about to.
  Cycle rises(Cycle now) const {
    Cycle last = 0;
    for (const Rising& r : rising_) last = std::max(last, r.seen_from);
    return last > now ? last : 0;
  }
  // Whether no instruction that has raised counters is under way.
  bool clear() const {
    return std::all_of(counters_.begin(), counters_.end(), [](unsigned n) { return n == 0; });
  }

 private:
  static constexpr unsigned highest = 63;          // the counters have six bits
  static constexpr unsigned longest_counted = 11;  // without a yield, higher counts do not stall

  struct Rising {
    Cycle seen_from = 0;
    std::uint8_t barrier = no_barrier;
  };

  Cycle cycles(const ControlBits& c) const {
    if (c.stall == 0) return c.yield ? stall0_yield_ : 1;
    return c.stall > longest_counted && !c.yield ? 2 : c.stall;
  }
  void lower(std::uint8_t barrier) {
    if (barrier != no_barrier) --counters_[barrier];
  }
  unsigned visible(unsigned barrier, Cycle now) const {
    unsigned n = counters_[barrier];
    for (const Rising& r : rising_)
      if (r.barrier == barrier && r.seen_from > now && n != 0) --n;
    return n;
  }

  unsigned stall0_yield_;
  Cycle clock_ready_ = 0, yields_until_ = 0;
  std::array<std::uint8_t, barrier_count> counters_{};
  std::array<Rising, 4>
      rising_{};  // counters of two instructions; when a third issues, the first's are already seen
  unsigned next_ = 0;
};

}  // namespace subcore
