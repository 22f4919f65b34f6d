#include "subcore/modules/issue_scheduler/issue_scheduler.h"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <utility>

#include "subcore/base/bits.h"
#include "subcore/model/passes/annotation.h"
#include "subcore/modules/protocol/warp_names.h"

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
      reorders_(!p.issue->in_order()),
      alloc_fail_(p.alloc_fail),
      pending_ready_(p.two_level.pending_ready),
      slots_(site.warp_slots),
      uid_(site.warp_slots, 0),
      held_(site.collectors),
      collectors_(site.collectors),
      priority_(p.priority->make()),
      allocation_(allocation.make(site.seed)),
      waits_as_sthld_says_(allocation.waits()),
      hold_clock_(p.issue->make_hold_clock()),
      unit_gate_(site.unit_gate),
      counters_{counter_list_,    p.two_level.active_warps != 0,
                reorders_,        hold_clock_ != nullptr,
                site.path_causes, site.products != 0},
      accounting_(counters_.cycles, stall_port, site.warp_slots, site.collectors, site.start_cycle) {
  if (p.two_level.active_warps != 0)
    active_set_ = std::make_unique<ActiveSet>(p.two_level.active_warps, p.two_level.promotion->make(),
                                              !site.has_operand_cache);
  for (auto& w : warp_socket) w.on_status<&IssueScheduler::registers_moved>(this);
  if (p.issue->counts_dependences()) dependences_ = std::make_unique<DependenceCounts>();
  for (Slot& s : slots_)
    s.window = p.issue->make({p.instruction_buffer, site.wait_for_branches, p.two_level.demotion,
                              dependences_.get(), hold_clock_.get(), site.products});
  frees_at_issue_ = slots_.front().window->frees_at_issue();
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
  accounting_.fetched(t.instruction->kernel);
  if (slots_[slot].window->insert(*t.instruction, t.stamp)) {
    bits::add(changed_, slot);
    wake(t.stamp);
  }
}

// The operands of an instruction have been read. If its warp minds only results, the warp gets no candidate
// by that and keeps its cause.
inline void IssueScheduler::collected(const Instruction& i) {
  const bool candidate = slots_[i.warp_slot].window->collected(i);
  if (candidate || !bits::has(minds_only_results_, i.warp_slot)) affected(i.warp_slot, candidate);
}

inline void IssueScheduler::take_status(unsigned c) {
  Held& h = held_[c];
  h.next_from = never;
  if (h.left != nullptr) collected(*std::exchange(h.left, nullptr));
  bits::remove(announced_, c);
  collectors_.each[c].warp_uid = h.next.warp_uid;
  bits::set(collectors_.held, c, h.next.holds);
  bits::set(collectors_.near, c, h.next.has_near);
  bits::set(collectors_.free, c, h.next.free);
}

// Takes a status, which may replace an older one only if the older one is due. The older one is taken over
// first.
void IssueScheduler::collector_status(unsigned c, IssueTransfer& t) {
  Held& h = held_[c];
  if (t.kind == IssueTransfer::Kind::complete) {
    accounting_.complete(c, t.stamp);
    return;
  }
  if (t.kind > IssueTransfer::Kind::complete) {
    window_told(c, t);
    return;
  }
  if (h.next_from < t.stamp) take_status(c);
  accounting_.takes_another(c, t.status.free, t.stamp);
  h.next = t.status;
  h.next_from = t.stamp;
  bits::add(announced_, c);
  if (t.kind != IssueTransfer::Kind::left) return hear_of_collector(t.stamp, false);
  // If several instructions leave in one cycle, the others go through progress_.
  if (h.left != nullptr) progress_.put({t.stamp, h.left, Progress::left_collector});
  h.left = t.instruction;
  hear_of_collector(t.stamp, !bits::has(minds_only_results_, t.instruction->warp_slot));
}

// Takes a transfer that is no status, which only a fixed window sends.
void IssueScheduler::window_told(unsigned c, const IssueTransfer& t) {
  if (t.kind == IssueTransfer::Kind::waits) {
    accounting_.waits_for(c, t.cause);
  } else if (t.kind == IssueTransfer::Kind::bypassable) {
    if (!hold_clock_) put({t.stamp, t.instruction, Progress::bypassable});
  } else if (hold_clock_) {
    hold_clock_->hold(t.stamp, t.until);
    wake(t.stamp);  // causes change now, and when the hold ends
    wake(t.until);
  }
}

void IssueScheduler::collector_freed(unsigned c, IssueTransfer& t) {
  if (t.kind == IssueTransfer::Kind::read) {
    put({t.stamp, t.instruction, Progress::left_collector});
  } else {
    collector_status(c, t);
  }
}

void IssueScheduler::put(const Progress& p) {
  progress_.put(p);
  wake(p.stamp);
}

void IssueScheduler::put_rest(Cycle stamp) {
  rest_due_ = std::min(rest_due_, stamp);
  wake(stamp);
}

void IssueScheduler::barrier_released(unsigned, BarrierTransfer& t) {
  released_.put(t);
  put_rest(t.stamp);
}

void IssueScheduler::registers_moved(unsigned, WarpTransfer& t) {
  moved_.put(t);
  put_rest(t.stamp);
}

void IssueScheduler::set_sthld(unsigned, ControlTransfer& t) {
  control_ = t;
  put_rest(t.stamp);
}

void IssueScheduler::credit(unsigned slot, Instruction* i, Cycle now) {
  FetchTransfer t{now + 1, i, static_cast<std::uint16_t>(slot), FetchTransfer::Kind::entry_free};
  instruction_socket.credit(t);
}

inline void IssueScheduler::take_progress(const Progress& p, Cycle now) {
  Instruction& i = *p.instruction;
  IssueWindow& w = *slots_[i.warp_slot].window;
  if (p.step == Progress::left_collector) return collected(i);
  if (p.step == Progress::bypassable) return affected(i.warp_slot, w.bypassable(i));
  if (p.step == Progress::entered) return affected(i.warp_slot, w.entered(i));
  affected(i.warp_slot, w.retired(i));
  ++counters_.retired;
  counters_.execution_cycles(i) += now;
  const bool kept = waits_for_release(i) && w.holds_retired_barrier();
  if (!frees_at_issue_ && !kept) credit(i.warp_slot, &i, now);
  FetchTransfer t{now + 1, &i, i.warp_slot, FetchTransfer::Kind::retired};
  instruction_socket.status(t);
}

// Takes rare transfers: a new STHLD, barriers released, registers moved by the operand cache.
void IssueScheduler::take_rest(Cycle now) {
  if (control_.stamp <= now) {
    allocation_->set_sthld(control_.sthld);
    control_.stamp = never;
  }
  released_.take(now, [&](const BarrierTransfer& b) {
    IssueWindow& w = *slots_[b.warp_slot].window;
    const bool kept = w.holds_retired_barrier();
    w.barrier_released();
    affected(b.warp_slot, true);
    if (kept) credit(b.warp_slot, nullptr, now);
  });
  moved_.take(now, [this](const WarpTransfer& w) { active_set_->registers_moved(w.warp_slot); });
  rest_due_ = std::min({control_.stamp, released_.next(), moved_.next()});
}

inline void IssueScheduler::take_over(Cycle now) {
  for (const unsigned c : bits::each(announced_))
    if (held_[c].next_from <= now) take_status(c);
  progress_.take(now, [&](const Progress& p) { take_progress(p, now); });
  if (rest_due_ <= now) take_rest(now);
}

// Tells two-level scheduling about a warp.
void IssueScheduler::look_at_levels(unsigned slot, Cycle now) {
  const IssueWindow& w = *slots_[slot].window;
  // A warp with an empty buffer is not over if its next instruction is still being fetched. To lose what the
  // warp has cached would break a plan that the compiler made for the whole strand.
  bits::set(present_, slot, w.occupied(now) || bits::has(followed_, slot));
  bits::set(stalled_, slot, w.stalled(now));
  bits::set(known_, slot, w.next(now) != nullptr);
}

inline void IssueScheduler::evaluate(unsigned slot, Cycle now) {
  Slot& s = slots_[slot];
  Cycle look_again = never;
  Instruction* i = s.window->candidate(now, look_again);
  s.candidate = i;
  if (active_set_) look_at_levels(slot, now);
  bits::set(eligible_, slot, i != nullptr);
  bits::set(minds_only_results_, slot, i == nullptr && s.window->minds_only_results());
  accounting_.affected(slot);
  if (i != nullptr) uid_[slot] = i->warp_uid;
  if (look_again != never) {
    wake(look_again);
    return;  // stays in changed_
  }
  bits::remove(changed_, slot);
}

void IssueScheduler::tell_cache(unsigned slot, WarpTransfer::Kind kind, Instruction* i, Cycle now) {
  WarpTransfer t{now + 1, i, static_cast<std::uint16_t>(slot), kind};
  warp_socket[0].send(t);
}

// Makes warps active or pending, and brings active ones to another register interval. True if any changed.
bool IssueScheduler::rearrange(Cycle now) {
  const ActiveSet::Change change = active_set_->step(present_, stalled_, known_);
  counters_.demotions += bits::count(change.demoted);
  counters_.promotions += bits::count(change.promoted);
  if (warp_socket.size() != 0) {
    for (const unsigned slot : bits::each(change.demoted))
      tell_cache(slot, WarpTransfer::Kind::leaves, nullptr, now);
    WarpMask entering = change.promoted;
    for (const unsigned slot : bits::each(active_set_->active() & eligible_)) {
      const Annotation* annotation = slots_[slot].candidate->code->annotation;
      if (annotation == nullptr || annotation->working_set == nullptr ||
          annotation->interval == slots_[slot].interval)
        continue;
      active_set_->fetch_again(slot);
      ++counters_.interval_changes;
      bits::add(entering, slot);
    }
    for (const unsigned slot : bits::each(entering)) {
      Instruction* next = slots_[slot].window->next(now);
      if (next->code->annotation != nullptr) slots_[slot].interval = next->code->annotation->interval;
      tell_cache(slot, WarpTransfer::Kind::enters, next, now);
    }
    if (entering != 0) return true;
  }
  return (change.demoted | change.promoted) != 0;
}

WarpMask IssueScheduler::owners() const {
  WarpMask mask = 0;
  for (const unsigned c : bits::each(collectors_.held)) {
    const unsigned slot = held_[c].slot;
    if (uid_[slot] == collectors_.each[c].warp_uid) bits::add(mask, slot);
  }
  return mask;
}

void IssueScheduler::issue(unsigned slot, unsigned c, Cycle now) {
  Slot& s = slots_[slot];
  Instruction& i = *s.candidate;
  s.window->issue(i, now);
  bits::remove(eligible_, slot);
  bits::add(changed_, slot);
  bits::set(followed_, slot, i.followed);
  CollectorViews::View& v = collectors_.each[c];
  if (bits::has(collectors_.near & collectors_.held, c) && v.warp_uid != i.warp_uid) ++counters_.near_flushes;
  v = {i.warp_uid, ++issues_};
  bits::add(collectors_.held, c);
  bits::remove(collectors_.free, c);
  held_[c].slot = slot;
  accounting_.issued(c, slot);
  last_issued_ = static_cast<int>(slot);
  last_issue_cycle_ = now;
  ++counters_.issued;
  counters_.execution_cycles(i) += Cycle{0} - now;
  if (i.mask == 0) ++counters_.predicated_off;
  if (i.code->warpgroup == WarpgroupStep::registers && i.mask != 0) ++counters_.allocation_changes;
  if (unit_gate_) unit_gate_->issued(i, now);
  if (frees_at_issue_) credit(slot, &i, now);
  if (i.redirects) {
    FetchTransfer t{now + 1, &i, i.warp_slot, FetchTransfer::Kind::issued};
    instruction_socket.status(t);
  }
  if (reorders_ && accounting_.overtaken(slot, i)) ++counters_.overtaken;
  if (reaches_barrier(i) && i.mask != 0) {
    const bool waits = i.code->kind == InstructionKind::barrier;
    counters_.barriers += waits ? 1 : 0;
    BarrierTransfer b{now + 1, static_cast<std::uint16_t>(slot),
                      waits ? BarrierTransfer::Kind::reached : BarrierTransfer::Kind::announced,
                      i.code->barrier_name, i.code->barrier_warps};
    barrier_socket.send(b);
  }
  IssueTransfer t{now + 1, &i};
  issue_socket[c].send(t);
  if (warp_socket.size() != 0) tell_cache(slot, WarpTransfer::Kind::issued, &i, now);
}

// State 2 of Malekeh's Fig. 10: with one level of warps, a pending warp would have issued.
bool IssueScheduler::pending_ready() const {
  return active_set_ && (eligible_ & active_set_->pending()) != 0 &&
         (pending_ready_ == PendingReady::no_hazard || collectors_.free != 0);
}

// The cause of a cycle without a ready warp.
StallCause IssueScheduler::idle_cause(Cycle now) {
  if (pending_ready()) return StallCause::pending_ready;
  if (eligible_ != 0) return StallCause::not_active;
  // An instruction that is fetched in this very cycle does not count yet, whether the player ticked before or
  // not.
  find_causes(now);
  const StallCause nearest = accounting_.nearest_cause();
  if (nearest != StallCause::none) return nearest;
  return followed_ != 0 ? StallCause::fetch : StallCause::no_warp;
}

// Ready warps whose next instruction finds its unit free.
WarpMask IssueScheduler::with_open_units(WarpMask ready, Cycle now) {
  unit_busy_ = 0;
  for (const unsigned slot : bits::each(ready)) {
    const Cycle opens = unit_gate_->opens(*slots_[slot].candidate, now);
    if (opens == now) continue;
    bits::add(unit_busy_, slot);
    wake(opens);
  }
  return ready & ~unit_busy_;
}

// Issues an instruction, or says why there is none.
inline StallCause IssueScheduler::decide(Cycle now) {
  WarpMask ready = active_set_ ? eligible_ & active_set_->active() : eligible_;
  if (unit_gate_) {
    ready = with_open_units(ready, now);
    if (ready == 0 && unit_busy_ != 0) return StallCause::unit_busy;
  }
  if (ready == 0) return idle_cause(now);
  allocation_->begin_cycle();
  if (collectors_.free == 0) {  // no policy would find a collector
    const StallCause cause = accounting_.all_busy(collectors_.all);
    return is_hazard(cause) || !pending_ready() ? cause : StallCause::pending_ready;
  }
  const WarpView view{uid_, last_issued_, priority_->looks_at_owners() ? owners() : 0};
  bool waiting = false;
  WarpMask tried = 0;
  for (WarpMask candidates = ready; candidates != 0;) {
    const unsigned slot = priority_->select(candidates, view);
    const Allocation a = allocation_->choose(uid_[slot], slot, collectors_);
    if (a.collector >= 0) {
      issue(slot, static_cast<unsigned>(a.collector), now);
      return StallCause::issued;
    }
    waiting |= a.waiting;
    bits::add(tried, slot);
    if (alloc_fail_ == AllocationFailure::stall) break;
    bits::remove(candidates, slot);
  }
  if (waiting) return StallCause::held;
  accounting_.refused(tried, collectors_.all & ~collectors_.free);
  return StallCause::operands;
}

std::uint64_t IssueScheduler::stall_cause(unsigned slot, Cycle now) {
  const StallCause cause = warp_cause(slot, now);
  return cause == StallCause::no_warp || cause == StallCause::issued ? Signal::x
                                                                     : static_cast<std::uint64_t>(cause);
}

void IssueScheduler::tell_observers(Cycle now) {
  find_causes(now);
  const IssueAccounting::Warps w = warps(now);
  for (unsigned slot = 0; slot < slots_.size(); ++slot) {
    const Slot& s = slots_[slot];
    accounting_.tell(now, slot, w, s.candidate, uid_[slot],
                     [&] { return s.window->blocked(now).instruction; });
  }
}

Cycle IssueScheduler::tick(Cycle now) {
  if (last_issue_cycle_ == now) return never;  // a second call in one cycle issues nothing more
  accounting_.count(now);
  take_over(now);
  const bool evaluates = changed_ != 0;
  for (const unsigned slot : bits::each(changed_)) evaluate(slot, now);
  if (hold_clock_ && hold_clock_->holding(now) != holding_) {
    holding_ = !holding_;
    accounting_.all_affected();
  }
  const bool rearranged = active_set_ && rearrange(now);
  const StallCause cause = decide(now);
  accounting_.begin(cause);
  if (accounting_.observed()) tell_observers(now);
  // News that came in this cycle before the tick counted only for what warps waited for then.
  if (put_off_ > now && (evaluates || eligible_ != 0)) wake(now + 1);
  // While warps wait, the allocation's waiting counter runs. Any other cause lasts until a transfer comes.
  return rearranged || cause == StallCause::issued || cause == StallCause::held ? now + 1 : never;
}

// The windows of all warps, the active set (a bit for active and one for pending, per warp), and the counters
// of the allocation.
void IssueScheduler::inventory(Inventory& list) const {
  for (const Slot& s : slots_) s.window->inventory(list);
  if (active_set_) list.add("active_set", HardwareKind::state, slots_.size(), 2);
  allocation_->inventory(list);
}

void IssueScheduler::register_statistics(StatisticsGroup& g) {
  Module::register_statistics(g);
  if (!dependences_) return;
  const DependenceCounts& d = *dependences_;
  const auto add = [&](const char* name, const char* meaning, const std::uint64_t& count) {
    g.counter(name, "dependences", meaning, count);
  };
  add("dependences", "older instructions of the buffer that an instruction put into it had to wait for",
      d.all);
  add("dependences_raw", "dependences on a register that the younger instruction reads", d.raw);
  add("dependences_war_waw", "dependences on a register that the younger instruction writes", d.war_waw);
  add("dependences_stop", "dependences of control instructions", d.stop);
  add("dependences_control", "dependences on an older control instruction", d.control);
  add("dependences_order", "dependences that keep the order of memory accesses, barriers and exits", d.order);
}

bool IssueScheduler::drained() const {
  for (const Slot& s : slots_) {
    if (!s.window->drained()) return false;
  }
  if (active_set_ && !active_set_->idle()) return false;
  const auto has_left = [](const Held& h) { return h.left != nullptr; };
  if (std::any_of(held_.begin(), held_.end(), has_left)) return false;
  return progress_.empty() && released_.empty() && moved_.empty() && counters_.issued == counters_.retired;
}

void IssueScheduler::report_waiting(std::ostream& out) const {
  for (unsigned s = 0; s < slots_.size(); ++s) {
    std::ostringstream text;
    if (slots_[s].window->describe(text)) out << name() << ": " << slot_name(s) << ": " << text.str() << '\n';
  }
}

}  // namespace subcore
