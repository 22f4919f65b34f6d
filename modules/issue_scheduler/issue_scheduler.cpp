#include "modules/issue_scheduler/issue_scheduler.h"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "model/bits.h"
#include "model/hints/compiler_hints.h"

namespace subcore {

IssueScheduler::IssueScheduler(const sc_core::sc_module_name& name, const SchedulerParameters& p,
                               const AllocationChoice& allocation, const Site& site)
    : TickingModule(name),
      instruction_socket("instruction_socket"),
      issue_socket("issue_socket", site.collectors),
      retire_socket("retire_socket"),
      barrier_socket("barrier_socket"),
      entered_socket("entered_socket"),
      sthld_socket("sthld_socket"),
      warp_socket("warp_socket", site.has_operand_cache ? 1 : 0),
      stall_port("stall_port"),
      alloc_fail_(p.alloc_fail),
      priority_(p.priority->make()),
      allocation_(allocation.make(site.seed)),
      reorders_(!p.issue->in_order()),
      youngest_(site.warp_slots),
      candidates_(site.warp_slots, nullptr),
      uid_(site.warp_slots, 0),
      collectors_(site.collectors),
      held_(site.collectors),
      ways_(site.collectors),
      cause_(site.warp_slots, StallCause::none),
      pending_ready_(p.two_level.pending_ready),
      interval_(site.warp_slots, 0),
      counters_{counter_list_, p.two_level.active_warps != 0, reorders_} {
  if (p.two_level.active_warps != 0)
    active_set_ = std::make_unique<ActiveSet>(p.two_level.active_warps, p.two_level.promotion->make(),
                                              !site.has_operand_cache);
  for (auto& w : warp_socket) w.on_status<&IssueScheduler::warp_settled>(this);
  for (unsigned s = 0; s < site.warp_slots; ++s)
    windows_.push_back(p.issue->make({p.instruction_buffer, site.wait_for_branches, p.two_level.demotion}));
  instruction_socket.on_receive<&IssueScheduler::fetched>(this);
  for (unsigned c = 0; c < site.collectors; ++c) {
    issue_socket[c].on_credit<&IssueScheduler::collector_freed>(this, c);
    issue_socket[c].on_status<&IssueScheduler::collector_status>(this, c);
  }
  retire_socket.on_receive<&IssueScheduler::retire>(this);
  entered_socket.on_receive<&IssueScheduler::entered>(this);
  sthld_socket.on_receive<&IssueScheduler::set_sthld>(this);
  barrier_socket.on_status<&IssueScheduler::barrier_released>(this);
}

void IssueScheduler::fetched(unsigned, FetchTransfer& t) {
  const unsigned slot = t.warp_slot;
  counting_ = true;
  coming_ = t.instruction->kernel;
  if (windows_[slot]->insert(*t.instruction, t.stamp)) {
    bits::add(changed_, slot);
    wake(t.stamp);
  }
}

// News can meet older news only when the older is due: the older is taken over first.
void IssueScheduler::collector_status(unsigned c, IssueTransfer& t) {
  if (t.complete) {
    ways_[c].complete = t.stamp;
    return;
  }
  Held& h = held_[c];
  if (h.news_stamp < t.stamp) take_status(c);
  if (!t.status.free) {
    ways_[c].free_from = never;
  } else if (ways_[c].free_from == never) {
    ways_[c].free_from = t.stamp;
  }
  h.news = t.status;
  h.news_stamp = t.stamp;
  news_ = true;
  wake(t.stamp);
}

void IssueScheduler::collector_freed(unsigned c, IssueTransfer& t) {
  collector_status(c, t);
  held_[c].left.push_back(t.instruction);
}

void IssueScheduler::retire(unsigned, ResultTransfer& t) {
  retiring_.put(t);
  wake(t.stamp);
}

void IssueScheduler::entered(unsigned, DispatchTransfer& t) {
  entered_.put(t);
  wake(t.stamp);
}

void IssueScheduler::barrier_released(unsigned, BarrierTransfer& t) {
  released_.put(t);
  wake(t.stamp);
}

void IssueScheduler::warp_settled(unsigned, WarpTransfer& t) {
  settled_.put(t);
  wake(t.stamp);
}

void IssueScheduler::set_sthld(unsigned, ControlTransfer& t) {
  control_ = t;
  wake(t.stamp);
}

void IssueScheduler::take_status(unsigned c) {
  Held& h = held_[c];
  CollectorView& v = collectors_[c];
  v.warp_uid = h.news.warp_uid;
  v.holds = h.news.holds;
  v.has_near = h.news.has_near;
  if (v.free != h.news.free) {
    v.free = h.news.free;
    v.free ? --busy_ : ++busy_;
  }
  h.news_stamp = never;
  for (const Instruction* left : h.left) {
    windows_[left->warp_slot]->collected(*left);
    bits::add(changed_, left->warp_slot);
  }
  h.left.clear();
}

void IssueScheduler::take_over(Cycle now) {
  if (control_.stamp <= now) {
    allocation_->set_sthld(control_.sthld);
    control_.stamp = never;
  }
  if (news_) {
    news_ = false;
    for (unsigned c = 0; c < held_.size(); ++c) {
      if (held_[c].news_stamp <= now) take_status(c);
      news_ |= held_[c].news_stamp != never;
    }
  }
  entered_.take(now, [this](const DispatchTransfer& e) {
    const Instruction& i = *e.instruction;
    windows_[i.warp_slot]->entered(i);
    bits::add(changed_, i.warp_slot);
  });
  retiring_.take(now, [&](const ResultTransfer& r) {
    Instruction& i = *r.instruction;
    IssueWindow& w = *windows_[i.warp_slot];
    w.retired(i);
    bits::add(changed_, i.warp_slot);
    ++counters_.retired;
    FetchTransfer t{now + 1, &i, i.warp_slot};
    const bool kept = i.code->kind == InstructionKind::barrier && w.holds_retired_barrier();
    if (!w.frees_at_issue() && !kept) instruction_socket.credit(t);
    instruction_socket.status(t);
  });
  released_.take(now, [&](const BarrierTransfer& b) {
    const unsigned slot = b.warp_slot;
    const bool kept = windows_[slot]->holds_retired_barrier();
    windows_[slot]->barrier_released();
    bits::add(changed_, slot);
    if (kept) {
      FetchTransfer t{now + 1, nullptr, b.warp_slot};
      instruction_socket.credit(t);
    }
  });
  settled_.take(now, [this](const WarpTransfer& w) { active_set_->settled(w.warp_slot); });
}

void IssueScheduler::evaluate(unsigned slot, Cycle now) {
  Cycle look_again = never;
  Instruction* i = windows_[slot]->candidate(now, look_again);
  candidates_[slot] = i;
  if (active_set_) {
    // A warp whose buffer is empty because its next instruction is still being fetched is not over: to lose
    // what the warp has cached would break a plan that the compiler made for the whole strand.
    bits::set(present_, slot, windows_[slot]->occupied(now) || bits::has(followed_, slot));
    bits::set(stalled_, slot, windows_[slot]->stalled(now));
    bits::set(known_, slot, windows_[slot]->next(now) != nullptr);
  }
  bits::set(eligible_, slot, i != nullptr);
  bits::add(cause_is_old_, slot);
  if (i != nullptr) uid_[slot] = i->warp_uid;
  if (look_again != never) {
    wake(look_again);
    return;  // stays in changed_
  }
  bits::remove(changed_, slot);
}

// Causes are looked for only when somebody wants to know, which is when nothing can issue.
void IssueScheduler::find_causes(Cycle now) {
  for (const unsigned slot : bits::each(cause_is_old_)) {
    StallCause cause = StallCause::none;
    if (!bits::has(eligible_, slot)) {
      cause = windows_[slot]->blocked(now).cause;
      if (cause == StallCause::draining && bits::has(followed_, slot)) cause = StallCause::buffer_empty;
    }
    if (cause == cause_[slot]) continue;
    if (cause_[slot] != StallCause::none) bits::remove(slots_with(cause_[slot]), slot);
    if (cause != StallCause::none) bits::add(slots_with(cause), slot);
    cause_[slot] = cause;
  }
  cause_is_old_ = 0;
}

// The nearest cause that some warp has; none if there is no warp.
StallCause IssueScheduler::nearest_cause() const {
  for (std::size_t c = static_cast<std::size_t>(StallCause::not_active);
       c <= static_cast<std::size_t>(StallCause::draining); ++c)
    if (slots_with_[c] != 0) return static_cast<StallCause>(c);
  return StallCause::none;
}

void IssueScheduler::tell_cache(unsigned slot, WarpNews news, Instruction* i, Cycle now) {
  WarpTransfer t{now + 1, i, static_cast<std::uint16_t>(slot), news};
  warp_socket[0].send(t);
}

// Warps become active or pending, and active ones come to another register interval. True if any did.
bool IssueScheduler::rearrange(Cycle now) {
  const ActiveSet::Change change = active_set_->step(present_, stalled_, known_);
  counters_.demotions += bits::count(change.demoted);
  counters_.promotions += bits::count(change.promoted);
  if (warp_socket.size() != 0) {
    for (const unsigned slot : bits::each(change.demoted)) tell_cache(slot, WarpNews::leaves, nullptr, now);
    WarpMask entering = change.promoted;
    for (const unsigned slot : bits::each(active_set_->active() & eligible_)) {
      const CompilerHints* hints = candidates_[slot]->code->hints;
      if (hints == nullptr || hints->working_set == nullptr || hints->interval == interval_[slot]) continue;
      active_set_->fetch_again(slot);
      ++counters_.interval_changes;
      bits::add(entering, slot);
    }
    for (const unsigned slot : bits::each(entering)) {
      Instruction* next = windows_[slot]->next(now);
      if (next->code->hints != nullptr) interval_[slot] = next->code->hints->interval;
      tell_cache(slot, WarpNews::enters, next, now);
    }
    if (entering != 0) return true;
  }
  return (change.demoted | change.promoted) != 0;
}

WarpMask IssueScheduler::owners() const {
  WarpMask mask = 0;
  for (unsigned c = 0; c < collectors_.size(); ++c) {
    const unsigned slot = held_[c].slot;
    if (collectors_[c].holds && uid_[slot] == collectors_[c].warp_uid) bits::add(mask, slot);
  }
  return mask;
}

void IssueScheduler::issue(unsigned slot, unsigned c, Cycle now) {
  Instruction& i = *candidates_[slot];
  windows_[slot]->issue(i);
  bits::remove(eligible_, slot);
  bits::add(changed_, slot);
  bits::set(followed_, slot, i.followed);
  CollectorView& v = collectors_[c];
  if (v.has_near && v.holds && v.warp_uid != i.warp_uid) ++counters_.near_flushes;
  v.warp_uid = i.warp_uid;
  v.holds = true;
  v.free = false;
  v.last_use = ++issues_;
  ++busy_;
  held_[c].slot = slot;
  ways_[c] = {};
  last_issued_ = static_cast<int>(slot);
  last_issue_cycle_ = now;
  ++counters_.issued;
  if (i.mask == 0) ++counters_.predicated_off;
  if (windows_[slot]->frees_at_issue()) {
    FetchTransfer credit{now + 1, &i, i.warp_slot};
    instruction_socket.credit(credit);
  }
  if (i.redirects) {
    FetchTransfer t{now + 1, &i, i.warp_slot, true};
    instruction_socket.status(t);
  }
  if (reorders_) {
    if (i.warp_uid != youngest_[slot].warp_uid) youngest_[slot] = {i.warp_uid, i.sequence};
    if (i.sequence < youngest_[slot].sequence) ++counters_.overtaken;
    youngest_[slot].sequence = std::max(youngest_[slot].sequence, i.sequence);
  }
  if (i.code->kind == InstructionKind::barrier && i.mask != 0) {
    ++counters_.barriers;
    BarrierTransfer b{now + 1, static_cast<std::uint16_t>(slot), i.cta_slot};
    barrier_socket.send(b);
  }
  IssueTransfer t{now + 1, &i, {}};
  issue_socket[c].send(t);
  if (warp_socket.size() != 0) tell_cache(slot, WarpNews::issued, &i, now);
}

// State 2 of Malekeh's Fig. 10: with one level of warps, a pending one would have issued.
bool IssueScheduler::pending_ready() const {
  return active_set_ && (eligible_ & active_set_->pending()) != 0 &&
         (pending_ready_ == PendingReady::no_hazard || busy_ != collectors_.size());
}

IssueScheduler::State IssueScheduler::decide(Cycle now) {
  const WarpMask ready = active_set_ ? eligible_ & active_set_->active() : eligible_;
  if (ready == 0) {
    if (pending_ready()) return State::pending_ready;
    if (eligible_ != 0) {
      leaf_ = StallCause::not_active;
      return State::hazard;
    }
    // What is fetched in this very cycle does not count yet, whether the player ticked before or not.
    find_causes(now);
    leaf_ = nearest_cause();
    if (leaf_ != StallCause::none) return State::hazard;
    leaf_ = followed_ != 0 ? StallCause::fetch : StallCause::no_warp;
    return State::empty;
  }
  allocation_->begin_cycle();
  if (busy_ == collectors_.size()) {  // no policy would find a collector
    in_the_way_ = bits::first(collectors_.size());
    return pending_ready() ? State::pending_ready : State::no_collector;
  }
  const WarpView view{uid_, last_issued_, owners()};
  State state = State::no_collector;
  WarpMask tried = 0;
  for (WarpMask candidates = ready; candidates != 0;) {
    const unsigned slot = priority_->select(candidates, view);
    const Allocation a = allocation_->choose(uid_[slot], slot, collectors_);
    if (a.collector >= 0) {
      issue(slot, static_cast<unsigned>(a.collector), now);
      return State::issued;
    }
    if (a.waiting) state = State::waiting;
    bits::add(tried, slot);
    if (alloc_fail_ == AllocationFailure::stall) break;
    bits::remove(candidates, slot);
  }
  if (state == State::no_collector) refused(tried);
  return state;
}

// Some collectors are free, but the policy keeps ready warps to those that they have.
void IssueScheduler::refused(WarpMask ready) {
  in_the_way_ = 0;
  std::uint64_t busy = 0;
  for (unsigned c = 0; c < collectors_.size(); ++c) {
    if (collectors_[c].free) continue;
    bits::add(busy, c);
    if (bits::has(ready, held_[c].slot)) bits::add(in_the_way_, c);
  }
  if (in_the_way_ == 0) in_the_way_ = busy;
}

void IssueScheduler::count_cycles(Cycle end) {
  counters_.cycles[static_cast<std::size_t>(state_)] += end - state_since_;
  if (state_ != State::issued) count_leaves(end);
  state_since_ = end;
}

void IssueScheduler::count_leaves(Cycle end) {
  const Cycle spent = end - state_since_;
  if (spent == 0) return;
  if (wait_for_collectors_ != 0) tell_of_collectors(end);
  if (state_ == State::no_collector) {
    const CollectorCycles c = collector_cycles(end);
    stall(StallCause::operands) += c.complete - state_since_;
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

Cycle IssueScheduler::tick(Cycle now) {
  if (last_issue_cycle_ == now) return never;  // a second call in one cycle issues nothing more
  if (counting_) count_cycles(now);
  take_over(now);
  for (const unsigned slot : bits::each(changed_)) evaluate(slot, now);
  const bool rearranged = active_set_ && rearrange(now);
  const bool was_empty = state_ == State::empty;
  state_ = decide(now);
  if (was_empty && state_ != State::empty) settle_idle();
  if (stall_port.observed()) tell_observers(now);
  // While warps wait, the allocation's waiting counter runs; any other state lasts until somebody has news.
  return rearranged || state_ == State::issued || state_ == State::waiting ? now + 1 : never;
}

// Of the cycles from state_since_ to `end`, in which ready warps found no collector: from when on one in the
// way had all operands, and from when on one was being left. A collector that becomes free wakes the
// scheduler, so only the last cycle can be that.
IssueScheduler::CollectorCycles IssueScheduler::collector_cycles(Cycle end) const {
  Cycle complete = end, free_from = never;
  for (const unsigned c : bits::each(in_the_way_)) {
    complete = std::min(complete, ways_[c].complete);
    free_from = std::min(free_from, ways_[c].free_from);
  }
  const Cycle left = free_from == end ? end - 1 : end;
  return {std::min(std::max(complete, state_since_), left), left};
}

// Whether more warps of the kernel would come is known now: these are of another kernel, or of the same.
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

// What each warp spends the cycles from now on. Those that wait for a collector hear of it later, when it is
// known what that waited for.
void IssueScheduler::tell_observers(Cycle now) {
  told_.resize(windows_.size());
  find_causes(now);
  wait_for_collectors_ = 0;
  const WarpMask active = active_set_ ? active_set_->active() : ~WarpMask{0};
  for (unsigned slot = 0; slot < windows_.size(); ++slot) {
    const Instruction* const candidate = candidates_[slot];
    if (state_ == State::issued && static_cast<int>(slot) == last_issued_) {
      tell(now, slot, StallCause::issued, candidate);
    } else if (cause_[slot] != StallCause::none) {
      tell(now, slot, cause_[slot], windows_[slot]->blocked(now).instruction);
    } else if (!bits::has(eligible_, slot)) {
      tell(now, slot, bits::has(followed_, slot) ? StallCause::fetch : StallCause::no_warp, nullptr);
    } else if (!bits::has(active, slot)) {
      tell(now, slot, StallCause::not_active, candidate);
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
    if (c.complete > state_since_) tell(state_since_, slot, StallCause::operands, candidates_[slot]);
    if (c.left > c.complete) tell(c.complete, slot, StallCause::dispatch, candidates_[slot]);
    if (end > c.left) tell(c.left, slot, StallCause::turn_around, candidates_[slot]);
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

bool IssueScheduler::drained() const {
  for (const auto& w : windows_) {
    if (!w->drained()) return false;
  }
  if (active_set_ && !active_set_->idle()) return false;
  return retiring_.empty() && entered_.empty() && released_.empty() && settled_.empty() &&
         counters_.issued == counters_.retired;
}

void IssueScheduler::report_waiting(std::ostream& out) const {
  for (unsigned s = 0; s < windows_.size(); ++s) {
    std::ostringstream text;
    if (windows_[s]->describe(text))
      out << name() << ": warp slot " << s << ", warp " << uid_[s] << ": " << text.str() << '\n';
  }
}

}  // namespace subcore
