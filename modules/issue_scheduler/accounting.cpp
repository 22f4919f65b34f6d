// Accounting of the issue scheduler's cycles: by state and cause in its counters, by warp for observers.
#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/modules/issue_scheduler/issue_scheduler.h"

namespace subcore {

// Causes are looked for only when somebody wants to know, which is when nothing can issue.
void IssueScheduler::find_causes(Cycle now) {
  for (const unsigned slot : bits::each(cause_is_old_)) {
    Slot& s = slots_[slot];
    StallCause cause = StallCause::none;
    if (!bits::has(eligible_, slot)) {
      cause = s.window->blocked(now).cause;
      if (cause == StallCause::draining && bits::has(followed_, slot)) cause = StallCause::buffer_empty;
    }
    if (cause == s.cause) continue;
    if (s.cause != StallCause::none && --warps_with(s.cause) == 0) bits::remove(causes_, number(s.cause));
    if (cause != StallCause::none && warps_with(cause)++ == 0) bits::add(causes_, number(cause));
    s.cause = cause;
  }
  cause_is_old_ = 0;
}

// The nearest cause that some warp has; none if there is no warp.
StallCause IssueScheduler::nearest_cause() const {
  return causes_ == 0 ? StallCause::none : static_cast<StallCause>(bits::lowest(causes_));
}

// Finds the collectors in the way: some are free, but the policy keeps ready warps to those that they have.
void IssueScheduler::refused(WarpMask ready) {
  in_the_way_ = 0;
  const std::uint64_t busy = collectors_.all & ~collectors_.free;
  for (const unsigned c : bits::each(busy))
    if (bits::has(ready, held_[c].slot)) bits::add(in_the_way_, c);
  if (in_the_way_ == 0) in_the_way_ = busy;
}

void IssueScheduler::count_leaves(Cycle end) {
  const Cycle spent = end - state_since_;
  if (spent == 0) return;
  if (wait_for_collectors_ != 0) tell_of_collectors(end);
  if (state_ == State::no_collector) {
    const CollectorCycles c = collector_cycles(end);
    stall(c.waits_for) += c.complete - state_since_;
    stall(StallCause::dispatch) += c.left - c.complete;
    stall(StallCause::turn_around) += end - c.left;
  } else if (state_ == State::hazard) {
    stall(leaf_) += spent;
  } else if (state_ == State::empty) {
    if (leaf_ == StallCause::fetch)
      stall(leaf_) += spent;
    else
      idle_ += spent;
  }
}

// Splits the cycles from state_since_ to `end`, in which ready warps found no collector: from when on one in
// the way had all operands, and from when on one was being left. A collector that becomes free wakes the
// scheduler, so only the last cycle can be that. A fixed window is never left so: its instructions go on in
// the cycle in which the one behind them comes.
IssueScheduler::CollectorCycles IssueScheduler::collector_cycles(Cycle end) const {
  Cycle complete = end, free_from = never;
  StallCause waits_for = StallCause::unit_queue;
  for (const unsigned c : bits::each(in_the_way_)) {
    complete = std::min(complete, held_[c].complete);
    free_from = std::min(free_from, held_[c].free_from);
    waits_for = std::min(waits_for, held_[c].waits_for);
  }
  if (waits_for != StallCause::operands) return {end, end, waits_for};
  const Cycle left = free_from == end ? end - 1 : end;
  return {std::min(std::max(complete, state_since_), left), left, waits_for};
}

// Whether more warps of the last kernel were to come is known now: those that come are of another, or of it.
void IssueScheduler::settle_idle() {
  const std::uint64_t coming = coming_ != nullptr ? coming_->id : 0;
  stall(kernel_ && *kernel_ != coming ? StallCause::drained : StallCause::no_warp) += idle_;
  idle_ = 0;
  kernel_ = coming;
}

void IssueScheduler::end_run(Cycle end) {
  if (counting_) count_cycles(end);
  counting_ = false;
  stall(StallCause::drained) += idle_;
  idle_ = 0;
  kernel_.reset();
}

void IssueScheduler::register_statistics(StatisticsGroup& g) {
  Module::register_statistics(g);
  if (!dependences_) return;
  const DependenceCounts& d = *dependences_;
  const auto add = [&](const char* name, const char* meaning, const std::uint64_t& count) {
    g.counter(name, "dependences", meaning, count);
  };
  add("dependences", "older instructions of the buffer that those put into it had to wait for", d.all);
  add("dependences_raw", "of these, for what they read", d.raw);
  add("dependences_war_waw", "of these, because of what they write", d.war_waw);
  add("dependences_stop", "of these, control instructions", d.stop);
  add("dependences_control", "of these, ahead of a control instruction", d.control);
  add("dependences_order", "of these, for the order of memory accesses, barriers and exits", d.order);
}

// Tells observers what each warp spends the cycles from now on. Warps that wait for a collector are told of
// later, when it is known what the collector waited for.
void IssueScheduler::tell_observers(Cycle now) {
  told_.resize(slots_.size());
  find_causes(now);
  wait_for_collectors_ = 0;
  const WarpMask active = active_set_ ? active_set_->active() : ~WarpMask{0};
  for (unsigned slot = 0; slot < slots_.size(); ++slot) {
    const Instruction* const candidate = slots_[slot].candidate;
    if (state_ == State::issued && static_cast<int>(slot) == last_issued_) {
      tell(now, slot, StallCause::issued, candidate);
    } else if (slots_[slot].cause != StallCause::none) {
      tell(now, slot, slots_[slot].cause, slots_[slot].window->blocked(now).instruction);
    } else if (!bits::has(eligible_, slot)) {
      tell(now, slot, bits::has(followed_, slot) ? StallCause::fetch : StallCause::no_warp, nullptr);
    } else if (!bits::has(active, slot)) {
      tell(now, slot, StallCause::not_active, candidate);
    } else if (bits::has(unit_busy_, slot)) {
      tell(now, slot, StallCause::unit_busy, candidate);
    } else if (state_ == State::issued) {
      tell(now, slot, StallCause::not_selected, candidate);
    } else if (state_ == State::waiting) {
      tell(now, slot, StallCause::held, candidate);
    } else {
      bits::add(wait_for_collectors_, slot);
    }
  }
}

void IssueScheduler::tell_of_collectors(Cycle end) {
  const CollectorCycles c = collector_cycles(end);
  for (const unsigned slot : bits::each(wait_for_collectors_)) {
    if (c.complete > state_since_) tell(state_since_, slot, c.waits_for, slots_[slot].candidate);
    if (c.left > c.complete) tell(c.complete, slot, StallCause::dispatch, slots_[slot].candidate);
    if (end > c.left) tell(c.left, slot, StallCause::turn_around, slots_[slot].candidate);
  }
  wait_for_collectors_ = 0;
}

void IssueScheduler::tell(Cycle cycle, unsigned slot, StallCause cause, const Instruction* i) {
  Told& t = told_[slot];
  if (t.cause == cause && t.instruction == i) return;
  t = {i, cause};
  stall_port.send(
      {cycle, i, i != nullptr ? i->warp_uid : uid_[slot], static_cast<std::uint16_t>(slot), cause});
}

}  // namespace subcore
