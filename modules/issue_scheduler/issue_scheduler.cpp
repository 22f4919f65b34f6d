#include "modules/issue_scheduler/issue_scheduler.h"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "model/hints/compiler_hints.h"

namespace subcore {
namespace {

constexpr WarpMask bit(unsigned slot) {
  return WarpMask{1} << slot;
}

}  // namespace

IssueScheduler::IssueScheduler(const sc_core::sc_module_name& name, const SchedulerParameters& p,
                               const AllocationChoice& allocation, const Site& site)
    : TickingModule(name),
      instruction_socket("instruction_socket", site.warp_slots),
      issue_socket("issue_socket", site.collectors),
      retire_socket("retire_socket"),
      barrier_socket("barrier_socket"),
      entered_socket("entered_socket"),
      sthld_socket("sthld_socket"),
      warp_socket("warp_socket", site.has_operand_cache ? 1 : 0),
      alloc_fail_(p.alloc_fail),
      priority_(p.priority->make()),
      allocation_(allocation.make(site.seed)),
      reorders_(!p.issue->in_order()),
      youngest_(site.warp_slots),
      candidates_(site.warp_slots, nullptr),
      uid_(site.warp_slots, 0),
      collectors_(site.collectors),
      held_(site.collectors),
      pending_ready_(p.two_level.pending_ready),
      interval_(site.warp_slots, 0) {
  if (p.two_level.active_warps != 0)
    active_set_ = std::make_unique<ActiveSet>(p.two_level.active_warps, p.two_level.promotion->make(),
                                              !site.has_operand_cache);
  for (auto& w : warp_socket) w.on_status<&IssueScheduler::warp_settled>(this);
  for (unsigned s = 0; s < site.warp_slots; ++s) {
    windows_.push_back(p.issue->make({p.instruction_buffer, site.wait_for_branches, p.two_level.demotion}));
    instruction_socket[s].on_receive<&IssueScheduler::fetched>(this, s);
  }
  for (unsigned c = 0; c < site.collectors; ++c) {
    issue_socket[c].on_credit<&IssueScheduler::collector_freed>(this, c);
    issue_socket[c].on_status<&IssueScheduler::collector_status>(this, c);
  }
  retire_socket.on_receive<&IssueScheduler::retire>(this);
  entered_socket.on_receive<&IssueScheduler::entered>(this);
  sthld_socket.on_receive<&IssueScheduler::set_sthld>(this);
  barrier_socket.on_status<&IssueScheduler::barrier_released>(this);
  released_.reserve(64);
}

void IssueScheduler::fetched(unsigned slot, FetchTransfer& t) {
  counting_ = true;
  if (windows_[slot]->insert(*t.instruction, t.stamp)) {
    changed_ |= bit(slot);
    wake(t.stamp);
  }
}

// Two stamps can meet here only when the older one is due: it is taken over first.
void IssueScheduler::collector_status(unsigned c, IssueTransfer& t) {
  Held& h = held_[c];
  if (h.news_stamp < t.stamp) take_status(c);
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
  retiring_.push_back(t);
  wake(t.stamp);
}

void IssueScheduler::entered(unsigned, DispatchTransfer& t) {
  entered_.push_back(t);
  wake(t.stamp);
}

void IssueScheduler::barrier_released(unsigned, BarrierTransfer& t) {
  released_.push_back(t);
  wake(t.stamp);
}

void IssueScheduler::warp_settled(unsigned, WarpTransfer& t) {
  const auto later = [](const WarpTransfer& a, const WarpTransfer& b) {
    return a.stamp != b.stamp ? a.stamp < b.stamp : a.warp_slot < b.warp_slot;
  };
  settled_.insert(std::upper_bound(settled_.begin(), settled_.end(), t, later), t);
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
    changed_ |= bit(left->warp_slot);
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
  for (; !entered_.empty() && entered_.front().stamp <= now; entered_.pop_front()) {
    const Instruction& i = *entered_.front().instruction;
    windows_[i.warp_slot]->entered(i);
    changed_ |= bit(i.warp_slot);
  }
  for (; !retiring_.empty() && retiring_.front().stamp <= now; retiring_.pop_front()) {
    Instruction& i = *retiring_.front().instruction;
    IssueWindow& w = *windows_[i.warp_slot];
    w.retired(i);
    changed_ |= bit(i.warp_slot);
    ++counters_.retired;
    FetchTransfer t{now + 1, &i};
    const bool kept = i.code->kind == InstructionKind::barrier && w.holds_retired_barrier();
    if (!w.frees_at_issue() && !kept) instruction_socket[i.warp_slot].credit(t);
    instruction_socket[i.warp_slot].status(t);
  }
  std::size_t done = 0;
  for (; done < released_.size() && released_[done].stamp <= now; ++done) {
    const unsigned slot = released_[done].warp_slot;
    const bool kept = windows_[slot]->holds_retired_barrier();
    windows_[slot]->barrier_released();
    changed_ |= bit(slot);
    if (kept) {
      FetchTransfer t{now + 1, nullptr};
      instruction_socket[slot].credit(t);
    }
  }
  if (done != 0) released_.erase(released_.begin(), released_.begin() + static_cast<std::ptrdiff_t>(done));
  done = 0;
  for (; done < settled_.size() && settled_[done].stamp <= now; ++done)
    active_set_->settled(settled_[done].warp_slot);
  if (done != 0) settled_.erase(settled_.begin(), settled_.begin() + static_cast<std::ptrdiff_t>(done));
}

void IssueScheduler::evaluate(unsigned slot, Cycle now) {
  Cycle look_again = never;
  Instruction* i = windows_[slot]->candidate(now, look_again);
  candidates_[slot] = i;
  if (active_set_) {
    const auto note = [&](WarpMask& mask, bool holds) { holds ? mask |= bit(slot) : mask &= ~bit(slot); };
    // A warp whose buffer is empty because its next instruction is still being fetched is not over: to lose
    // what it has cached would break a plan that the compiler made for the whole strand.
    note(present_, windows_[slot]->occupied(now) || (followed_ & bit(slot)) != 0);
    note(stalled_, windows_[slot]->stalled(now));
    note(known_, windows_[slot]->next(now) != nullptr);
  }
  if (i != nullptr) {
    uid_[slot] = i->warp_uid;
    eligible_ |= bit(slot);
  } else {
    eligible_ &= ~bit(slot);
  }
  if (look_again != never) {
    wake(look_again);
    return;  // stays in changed_
  }
  changed_ &= ~bit(slot);
}

void IssueScheduler::tell_cache(unsigned slot, WarpNews news, Instruction* i, Cycle now) {
  WarpTransfer t{now + 1, i, static_cast<std::uint16_t>(slot), news};
  warp_socket[0].send(t);
}

// Warps become active or pending, and active ones come to another register interval. True if anything
// changed.
bool IssueScheduler::rearrange(Cycle now) {
  const ActiveSet::Change change = active_set_->step(present_, stalled_, known_);
  counters_.demotions += static_cast<unsigned>(__builtin_popcountll(change.demoted));
  counters_.promotions += static_cast<unsigned>(__builtin_popcountll(change.promoted));
  if (warp_socket.size() != 0) {
    for (WarpMask left = change.demoted; left != 0; left &= left - 1)
      tell_cache(static_cast<unsigned>(__builtin_ctzll(left)), WarpNews::leaves, nullptr, now);
    WarpMask entering = change.promoted;
    for (WarpMask left = active_set_->active() & eligible_; left != 0; left &= left - 1) {
      const auto slot = static_cast<unsigned>(__builtin_ctzll(left));
      const CompilerHints* hints = candidates_[slot]->code->hints;
      if (hints == nullptr || hints->working_set == nullptr || hints->interval == interval_[slot]) continue;
      active_set_->fetch_again(slot);
      ++counters_.interval_changes;
      entering |= bit(slot);
    }
    for (WarpMask left = entering; left != 0; left &= left - 1) {
      const auto slot = static_cast<unsigned>(__builtin_ctzll(left));
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
    if (collectors_[c].holds && uid_[slot] == collectors_[c].warp_uid) mask |= bit(slot);
  }
  return mask;
}

void IssueScheduler::issue(unsigned slot, unsigned c, Cycle now) {
  Instruction& i = *candidates_[slot];
  windows_[slot]->issue(i);
  eligible_ &= ~bit(slot);
  changed_ |= bit(slot);
  i.followed ? followed_ |= bit(slot) : followed_ &= ~bit(slot);
  CollectorView& v = collectors_[c];
  if (v.has_near && v.holds && v.warp_uid != i.warp_uid) ++counters_.near_flushes;
  v.warp_uid = i.warp_uid;
  v.holds = true;
  v.free = false;
  v.last_use = ++issues_;
  ++busy_;
  held_[c].slot = slot;
  last_issued_ = static_cast<int>(slot);
  last_issue_cycle_ = now;
  ++counters_.issued;
  if (i.mask == 0) ++counters_.predicated_off;
  if (windows_[slot]->frees_at_issue()) {
    FetchTransfer credit{now + 1, &i};
    instruction_socket[slot].credit(credit);
  }
  if (i.redirects) {
    FetchTransfer t{now + 1, &i, true};
    instruction_socket[slot].status(t);
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
    // What is fetched in this very cycle does not count yet, whether the player ticked before or not.
    for (const auto& w : windows_) {
      if (w->occupied(now)) return State::hazard;
    }
    return State::empty;
  }
  allocation_->begin_cycle();
  if (busy_ == collectors_.size())  // whatever the policy
    return pending_ready() ? State::pending_ready : State::no_collector;
  const WarpView view{uid_, last_issued_, owners()};
  State state = State::no_collector;
  for (WarpMask candidates = ready; candidates != 0;) {
    const unsigned slot = priority_->select(candidates, view);
    const Allocation a = allocation_->choose(uid_[slot], slot, collectors_);
    if (a.collector >= 0) {
      issue(slot, static_cast<unsigned>(a.collector), now);
      return State::issued;
    }
    if (a.waiting) state = State::waiting;
    if (alloc_fail_ == AllocationFailure::stall) break;
    candidates &= ~bit(slot);
  }
  return state;
}

Cycle IssueScheduler::tick(Cycle now) {
  if (last_issue_cycle_ == now) return never;  // a second call in one cycle issues nothing more
  take_over(now);
  for (WarpMask left = changed_; left != 0; left &= left - 1) {
    evaluate(static_cast<unsigned>(__builtin_ctzll(left)), now);
  }
  if (counting_) count_cycles(now);
  const bool rearranged = active_set_ && rearrange(now);
  state_ = decide(now);
  // While it waits the waiting counter runs; any other state lasts until somebody has news.
  return rearranged || state_ == State::issued || state_ == State::waiting ? now + 1 : never;
}

void IssueScheduler::count_cycles(Cycle end) {
  counters_.cycles[static_cast<std::size_t>(state_)] += end - state_since_;
  state_since_ = end;
}

void IssueScheduler::end_run(Cycle end) {
  if (counting_) count_cycles(end);
  counting_ = false;
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

void IssueScheduler::register_statistics(StatisticsGroup& g) {
  g.counter("issued", "instructions", "warp instructions issued", counters_.issued);
  g.counter("retired", "instructions", "warp instructions retired", counters_.retired);
  g.counter("predicated_off", "instructions", "issued with no active lane", counters_.predicated_off);
  for (std::size_t s = 0; s < states.size(); ++s)
    g.counter(std::string(states[s].name) + "_cycles", "cycles", states[s].meaning, counters_.cycles[s]);
  g.counter("near_flushes", "flushes", "collectors taken from a warp that had near values in them",
            counters_.near_flushes);
  if (active_set_) {
    g.counter("promotions", "warps", "pending warps that became active", counters_.promotions);
    g.counter("demotions", "warps", "active warps that became pending", counters_.demotions);
    g.counter("interval_changes", "warps", "active warps that came to another register interval",
              counters_.interval_changes);
  }
  g.counter("barriers", "instructions", "barriers issued", counters_.barriers);
  if (reorders_)
    g.counter("overtaken", "instructions", "issued after a younger instruction of their warp",
              counters_.overtaken);
}

std::vector<Signal> IssueScheduler::signals() {
  return {
      {"issue", 1, [this](Cycle now) { return std::uint64_t{last_issue_cycle_ == now}; }},
      {"issue_slot", 8, [this](Cycle) { return static_cast<std::uint64_t>(last_issued_ & 0xff); }},
      {"eligible", static_cast<unsigned>(windows_.size()), [this](Cycle) { return eligible_; }},
      {"waiting_counter", 16, [this](Cycle) { return std::uint64_t{allocation_->waiting_counter()}; }},
  };
}

}  // namespace subcore
