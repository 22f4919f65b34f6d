#include "subcore/modules/issue_scheduler/issue_accounting.h"

#include <algorithm>

namespace subcore {

bool IssueAccounting::overtaken(unsigned slot, const Instruction& i) {
  Warp& w = warps_[slot];
  const bool overtaken = w.uid == i.warp_uid && i.sequence < w.youngest;
  w.youngest = overtaken ? w.youngest : i.sequence;
  w.uid = i.warp_uid;
  return overtaken;
}

void IssueAccounting::set_warp_cause(unsigned slot, StallCause cause) {
  StallCause& old = warps_[slot].cause;
  if (cause == old) return;
  const auto number = [](StallCause c) { return static_cast<std::size_t>(c); };
  if (old != StallCause::none && --warps_with_[number(old)] == 0) bits::remove(causes_, number(old));
  if (cause != StallCause::none && warps_with_[number(cause)]++ == 0) bits::add(causes_, number(cause));
  old = cause;
}

StallCause IssueAccounting::known_cause(unsigned slot, const Warps& w) const {
  if (w.issued == static_cast<int>(slot)) return StallCause::issued;
  if (warps_[slot].cause != StallCause::none) return warps_[slot].cause;
  if (!bits::has(w.eligible, slot))
    return bits::has(w.followed, slot) ? StallCause::fetch : StallCause::no_warp;
  if (!bits::has(w.active, slot)) return StallCause::not_active;
  if (bits::has(w.unit_busy, slot)) return StallCause::unit_busy;
  if (state() == IssueState::issued) return StallCause::not_selected;
  return state() == IssueState::waiting ? StallCause::held : StallCause::none;
}

void IssueAccounting::refused(WarpMask ready, std::uint64_t busy) {
  in_the_way_ = 0;
  for (const unsigned c : bits::each(busy))
    if (bits::has(ready, collectors_[c].slot)) bits::add(in_the_way_, c);
  if (in_the_way_ == 0) in_the_way_ = busy;
}

void IssueAccounting::count_causes(Cycle end) {
  const Cycle spent = end - since_;
  if (spent == 0) return;
  if (wait_for_collectors_ != 0) tell_of_collectors(end);
  switch (state()) {
    case IssueState::no_collector: {
      const Wait w = wait(end);
      cycles(w.waits_for) += w.complete - since_;
      cycles(StallCause::dispatch) += w.left - w.complete;
      cycles(StallCause::turn_around) += end - w.left;
      break;
    }
    case IssueState::empty:
      if (cause_ != StallCause::fetch) {
        idle_ += spent;
        break;
      }
      [[fallthrough]];
    default:
      cycles(cause_) += spent;  // no statistic if the state has this cause alone
  }
}

// Splits the cycles from since_ to `end`, in which ready warps found no collector, in three parts. In the
// first part no collector in the way had all operands. In the second part one had, but its instruction was
// not leaving. In the third part an instruction was leaving. A collector that becomes free wakes the
// scheduler, so only the last cycle can be in the third part. A fixed window has no such cycle: its
// instructions go on in the cycle in which the next one comes.
IssueAccounting::Wait IssueAccounting::wait(Cycle end) const {
  Cycle complete = end, free_from = never;
  StallCause waits_for = StallCause::unit_queue;
  for (const unsigned n : bits::each(in_the_way_)) {
    const Collector& c = collectors_[n];
    complete = std::min(complete, c.complete);
    free_from = std::min(free_from, c.free_from);
    waits_for = std::min(waits_for, c.waits_for);
  }
  if (waits_for != StallCause::operands) return {end, end, waits_for};
  const Cycle left = free_from == end ? end - 1 : end;
  return {std::min(std::max(complete, since_), left), left, waits_for};
}

StallCause IssueAccounting::collector_cause(Cycle now) const {
  const Wait w = wait(now + 1);
  return now < w.complete ? w.waits_for : now < w.left ? StallCause::dispatch : StallCause::turn_around;
}

// The instruction that has come shows whether the cycles without a warp were idle between two kernels
// (drained) or within one.
void IssueAccounting::end_idle() {
  const std::uint64_t coming = coming_ != nullptr ? coming_->id : 0;
  cycles(kernel_ && *kernel_ != coming ? StallCause::drained : StallCause::no_warp) += idle_;
  idle_ = 0;
  kernel_ = coming;
}

void IssueAccounting::end_run(Cycle end) {
  count(end);
  counting_ = false;
  cycles(StallCause::drained) += idle_;
  idle_ = 0;
  kernel_.reset();
}

void IssueAccounting::tell_of_collectors(Cycle end) {
  const Wait w = wait(end);
  for (const unsigned slot : bits::each(wait_for_collectors_)) {
    const Instruction* const i = warps_[slot].waiting;
    if (w.complete > since_) tell(since_, slot, w.waits_for, i);
    if (w.left > w.complete) tell(w.complete, slot, StallCause::dispatch, i);
    if (end > w.left) tell(w.left, slot, StallCause::turn_around, i);
  }
  wait_for_collectors_ = 0;
}

void IssueAccounting::tell(Cycle cycle, unsigned slot, StallCause cause, const Instruction* i,
                           std::uint32_t warp_uid) {
  Warp& w = warps_[slot];
  if (w.told == cause && w.told_instruction == i) return;
  w.told = cause;
  w.told_instruction = i;
  port_.send({cycle, i, i != nullptr ? i->warp_uid : warp_uid, static_cast<std::uint16_t>(slot), cause});
}

}  // namespace subcore
