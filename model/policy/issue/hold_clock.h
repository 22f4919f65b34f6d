// A clock of the cycles in which stall counters run. With a fixed read window, an instruction that finds no
// ports holds up all instructions behind it. The compiler's counts are still right if the counters stand
// still meanwhile (freeze). Whether hardware does that is not known. With drift the counters run on.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// While Allocate holds an instruction, stall counts stand still (freeze) or run (drift).
enum class HoldEffect : std::uint8_t { freeze, drift };

constexpr std::array<std::string_view, 2> names(HoldEffect) {
  return {"freeze", "drift"};
}

class HoldClock {
 public:
  explicit HoldClock(HoldEffect effect) : freezes_(effect == HoldEffect::freeze) {}

  // No instruction is let through in the cycles from `first` up to `end`. Calls come in order of cycles.
  void hold(Cycle first, Cycle end) {
    if (freezes_) holds_.push_back({first, end});
  }
  bool holding(Cycle now) const {
    return std::any_of(holds_.begin(), holds_.end(),
                       [now](const Hold& h) { return h.first <= now && now < h.end; });
  }
  // The number of cycles up to and including `now` in which counters have run. `now` never goes back.
  Cycle at(Cycle now) {
    while (!holds_.empty() && holds_.front().end <= now) {
      held_ += holds_.front().end - holds_.front().first;
      holds_.pop_front();
    }
    const bool begun = !holds_.empty() && holds_.front().first <= now;
    return now - held_ - (begun ? std::min(now + 1, holds_.front().end) - holds_.front().first : 0);
  }

 private:
  struct Hold {
    Cycle first, end;
  };
  bool freezes_;
  Cycle held_ = 0;  // cycles of holds that are over
  std::deque<Hold> holds_;
};

}  // namespace subcore
