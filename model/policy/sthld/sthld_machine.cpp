#include "subcore/model/policy/sthld/sthld_machine.h"

#include <algorithm>
#include <cmath>

namespace subcore {

SthldTable default_sthld_table() {
  const SthldTransition up{2, 1}, back{4, -1}, down{5, -1}, hold{6, 0};
  return {{
      {up, up},              // 1 start: there is no IPC to compare with
      {up, back},            // 2 climb the flat region; on a drop, step back into it
      {up, back},            // 3 speculate: a hold has expired, and the flat region may have grown
      {hold, down},          // 4 retreat: the step back has undone the loss (S), or the phase has changed (L)
      {hold, down},          // 5 descend until the phase's best IPC is back
      {hold, down, {3, 1}},  // 6 hold until a drop, or until the hold expires
  }};
}

SthldMachine::SthldMachine(const SthldTable& table, const Limits& limits)
    : table_(table), limits_(limits), sthld_(std::clamp(limits.initial, limits.minimum, limits.maximum)) {}

bool SthldMachine::is_large(double ipc) const {
  // Without a usable reference every change is large, but there is no IPC from which to drop.
  if (reference_ <= 0.0) return limits_.large == SthldLarge::change;
  const double change = (ipc - reference_) / reference_;
  return (limits_.large == SthldLarge::change ? std::abs(change) : -change) >= limits_.threshold;
}

// Whether the change is large. Also updates the reference for the next change.
bool SthldMachine::refer(double ipc) {
  const bool large = is_large(ipc);
  if (limits_.reference == SthldReference::previous) {
    reference_ = ipc;
    return large;
  }
  const bool new_phase = large && ipc < reference_ && sthld_ == limits_.minimum;
  reference_ = new_phase ? ipc : std::max(reference_, ipc);
  return large && !new_phase;
}

void SthldMachine::move(const SthldTransition& edge) {
  const std::uint32_t before = sthld_;
  if (edge.undo) {
    sthld_ = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::uint64_t{sthld_} + last_decrement_, limits_.maximum));
    last_decrement_ = 0;
  } else {
    const std::int64_t moved = std::int64_t{sthld_} + std::int64_t{edge.steps} * limits_.step;
    sthld_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(moved, limits_.minimum, limits_.maximum));
    if (edge.steps < 0) last_decrement_ = before - sthld_;
  }
  state_ = edge.next;
}

std::uint32_t SthldMachine::interval(double ipc) {
  const SthldState& row = table_[state_ - 1];
  const bool large = refer(ipc);
  held_ = state_ == sthld_hold && !large ? held_ + 1 : 0;
  if (limits_.hold_expiry != 0 && held_ == limits_.hold_expiry) {
    held_ = 0;
    move(row.expired);
  } else {
    move(large ? row.large : row.small);
  }
  return sthld_;
}

}  // namespace subcore
