#include "model/policy/sthld_machine.h"

#include <algorithm>
#include <cmath>

namespace subcore {

SthldTable default_sthld_table() {
  const SthldTransition up2{2, 1, false};
  return {{
      {up2, up2},                        // 1 start: no previous IPC
      {up2, {3, 1, false}},              // 2 climb the flat region; on a drop, speculate upwards
      {up2, {4, -1, false}},             // 3 speculative move right (S) or wrong (L)
      {{5, -1, false}, {5, -1, false}},  // 4 retreat: absorbs the change it caused itself
      {{6, 0, true}, {5, -1, false}},    // 5 descend; flat again means the knee is one step up
      {{6, 0, false}, {3, 1, false}},    // 6 hold until a large change
  }};
}

SthldMachine::SthldMachine(const SthldTable& table, const Limits& limits)
    : table_(table), limits_(limits), sthld_(std::clamp(limits.initial, limits.minimum, limits.maximum)) {}

std::uint32_t SthldMachine::interval(double ipc) {
  const SthldState& row = table_[state_ - 1];
  // Without a usable previous IPC every change is large.
  const bool small = previous_ipc_ > 0.0 && std::abs(ipc - previous_ipc_) / previous_ipc_ < limits_.threshold;
  const SthldTransition& edge = small ? row.small : row.large;
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
  previous_ipc_ = ipc;
  state_ = edge.next;
  return sthld_;
}

}  // namespace subcore
