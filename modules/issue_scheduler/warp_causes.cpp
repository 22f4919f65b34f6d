// Why each warp does not issue: for the accounting, for observers and for waveforms.
#include "subcore/base/bits.h"
#include "subcore/modules/issue_scheduler/issue_scheduler.h"

namespace subcore {

// Causes are looked for only when somebody wants to know, which is when nothing can issue.
void IssueScheduler::find_causes(Cycle now) {
  for (const unsigned slot : bits::each(cause_is_old_)) {
    StallCause cause = StallCause::none;
    if (!bits::has(eligible_, slot)) {
      cause = slots_[slot].window->blocked(now).cause;
      if (cause == StallCause::draining && bits::has(followed_, slot)) cause = StallCause::buffer_empty;
    }
    accounting_.set_warp_cause(slot, cause);
  }
  cause_is_old_ = 0;
}

// Why a warp does not issue in this cycle; none if it waits for a collector.
StallCause IssueScheduler::known_cause(unsigned slot, Cycle now) const {
  if (issued_in(now, slot)) return StallCause::issued;
  if (const StallCause cause = accounting_.warp_cause(slot); cause != StallCause::none) return cause;
  if (!bits::has(eligible_, slot))
    return bits::has(followed_, slot) ? StallCause::fetch : StallCause::no_warp;
  if (active_set_ && !bits::has(active_set_->active(), slot)) return StallCause::not_active;
  if (bits::has(unit_busy_, slot)) return StallCause::unit_busy;
  if (accounting_.state() == IssueState::issued) return StallCause::not_selected;
  if (accounting_.state() == IssueState::waiting) return StallCause::held;
  return StallCause::none;
}

// The cause of a warp, as observers of stall_port are told it, but at once: it is known in each cycle what a
// collector in the way waits for.
StallCause IssueScheduler::warp_cause(unsigned slot, Cycle now) {
  if (cause_is_old_ != 0) find_causes(now);
  const StallCause cause = known_cause(slot, now);
  return cause != StallCause::none ? cause : accounting_.collector_cause(now);
}

std::uint64_t IssueScheduler::stall_cause(unsigned slot, Cycle now) {
  const StallCause cause = warp_cause(slot, now);
  return cause == StallCause::no_warp || cause == StallCause::issued ? Signal::x
                                                                     : static_cast<std::uint64_t>(cause);
}

// Tells observers what each warp spends the cycles from now on.
void IssueScheduler::tell_observers(Cycle now) {
  find_causes(now);
  for (unsigned slot = 0; slot < slots_.size(); ++slot) {
    const StallCause cause = known_cause(slot, now);
    const Slot& s = slots_[slot];
    if (cause == StallCause::none) {
      accounting_.tell_later(slot, s.candidate);
    } else if (cause != StallCause::issued && cause == accounting_.warp_cause(slot)) {
      accounting_.tell(now, slot, cause, s.window->blocked(now).instruction, uid_[slot]);
    } else {
      const bool has_candidate = cause == StallCause::issued || bits::has(eligible_, slot);
      accounting_.tell(now, slot, cause, has_candidate ? s.candidate : nullptr, uid_[slot]);
    }
  }
}

}  // namespace subcore
