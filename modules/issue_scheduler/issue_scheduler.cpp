#include "modules/issue_scheduler/issue_scheduler.h"

#include <ostream>

namespace subcore {
namespace {

constexpr WarpMask bit(unsigned slot) {
  return WarpMask{1} << slot;
}

// A barrier orders shared memory and stores among the warps of a CTA: it must not be reached before they are
// performed. Loads of global memory may pass it, as they do in hardware (their scoreboard protects them).
bool barrier_waits_for(const Instruction& i) {
  const InstructionKind k = i.code->kind;
  if (k == InstructionKind::store || k == InstructionKind::atomic) return true;
  return k == InstructionKind::load && i.code->space != MemorySpace::global &&
         i.code->space != MemorySpace::local && i.code->space != MemorySpace::constant;
}

}  // namespace

IssueScheduler::IssueScheduler(const sc_core::sc_module_name& name, const SubCoreParameters& p,
                               std::uint64_t seed)
    : TickingModule(name),
      instruction_socket("instruction_socket", p.warp_slots),
      issue_socket("issue_socket", p.collector.count),
      retire_socket("retire_socket"),
      barrier_socket("barrier_socket"),
      sthld_socket("sthld_socket"),
      capacity_(p.scheduler.instruction_buffer),
      alloc_fail_(p.scheduler.alloc_fail),
      priority_(make_warp_priority(p.scheduler.priority)),
      allocation_(make_allocation(p.collector.allocation, seed)),
      warps_(p.warp_slots, Warp{Scoreboard(p.scheduler.war_guard, p.scheduler.war_max_uses)}),
      buffer_(std::size_t{p.warp_slots} * capacity_),
      uid_(p.warp_slots, 0),
      collectors_(p.collector.count),
      held_(p.collector.count) {
  for (unsigned s = 0; s < p.warp_slots; ++s)
    instruction_socket[s].on_receive<&IssueScheduler::fetched>(this, s);
  for (unsigned c = 0; c < p.collector.count; ++c) {
    issue_socket[c].on_credit<&IssueScheduler::collector_freed>(this, c);
    issue_socket[c].on_status<&IssueScheduler::collector_status>(this, c);
  }
  retire_socket.on_receive<&IssueScheduler::retire>(this);
  sthld_socket.on_receive<&IssueScheduler::set_sthld>(this);
  barrier_socket.on_status<&IssueScheduler::barrier_released>(this);
  released_.reserve(64);
}

void IssueScheduler::fetched(unsigned slot, FetchTransfer& t) {
  Warp& w = warps_[slot];
  buffer_[slot * capacity_ + (w.head + w.count) % capacity_] = {t.instruction, t.stamp};
  if (++w.count == 1) {
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
  held_[c].news_frees = true;
}

void IssueScheduler::retire(unsigned, ResultTransfer& t) {
  retiring_.push_back(t);
  wake(t.stamp);
}

void IssueScheduler::barrier_released(unsigned, BarrierTransfer& t) {
  released_.push_back(t);
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
  v.free = h.news.free;
  h.news_stamp = never;
  if (h.news_frees) {
    h.news_frees = false;
    --busy_;
    const unsigned slot = h.instruction->warp_slot;
    warps_[slot].scoreboard.collected(*h.instruction);
    h.instruction = nullptr;
    changed_ |= bit(slot);
  }
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
  for (; !retiring_.empty() && retiring_.front().stamp <= now; retiring_.pop_front()) {
    Instruction& i = *retiring_.front().instruction;
    Warp& w = warps_[i.warp_slot];
    w.scoreboard.retired(i);
    if (barrier_waits_for(i)) --w.ordered_in_flight;
    changed_ |= bit(i.warp_slot);
    ++counters_.retired;
    FetchTransfer t{now + 1, &i};
    instruction_socket[i.warp_slot].status(t);
  }
  std::size_t done = 0;
  for (; done < released_.size() && released_[done].stamp <= now; ++done) {
    warps_[released_[done].warp_slot].at_barrier = false;
    changed_ |= bit(released_[done].warp_slot);
  }
  if (done != 0) released_.erase(released_.begin(), released_.begin() + static_cast<std::ptrdiff_t>(done));
}

void IssueScheduler::evaluate(unsigned slot, Cycle now) {
  const Warp& w = warps_[slot];
  eligible_ &= ~bit(slot);
  if (w.count != 0) {
    const Buffered& b = head(slot);
    if (b.stamp > now) {
      wake(b.stamp);
      return;  // stays in changed_
    }
    const Instruction& i = *b.instruction;
    uid_[slot] = i.warp_uid;
    const bool barrier_early = i.code->kind == InstructionKind::barrier && w.ordered_in_flight != 0;
    if (!w.at_barrier && !barrier_early && !w.scoreboard.blocks(i)) eligible_ |= bit(slot);
  }
  changed_ &= ~bit(slot);
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
  Warp& w = warps_[slot];
  Instruction& i = *head(slot).instruction;
  w.head = static_cast<std::uint16_t>((w.head + 1) % capacity_);
  --w.count;
  changed_ |= bit(slot);
  w.scoreboard.issue(i);
  if (barrier_waits_for(i)) ++w.ordered_in_flight;
  CollectorView& v = collectors_[c];
  if (v.has_near && v.holds && v.warp_uid != i.warp_uid) ++counters_.near_flushes;
  v.warp_uid = i.warp_uid;
  v.holds = true;
  v.free = false;
  v.last_use = ++issues_;
  ++busy_;
  held_[c].instruction = &i;
  held_[c].slot = slot;
  last_issued_ = static_cast<int>(slot);
  last_issue_cycle_ = now;
  ++counters_.issued;
  if (i.mask == 0) ++counters_.predicated_off;
  FetchTransfer credit{now + 1, &i};
  instruction_socket[slot].credit(credit);
  if (i.code->kind == InstructionKind::barrier && i.mask != 0) {
    w.at_barrier = true;
    ++counters_.barriers;
    BarrierTransfer b{now + 1, static_cast<std::uint16_t>(slot), i.cta_slot};
    barrier_socket.send(b);
  }
  IssueTransfer t{now + 1, &i, {}};
  issue_socket[c].send(t);
}

IssueScheduler::State IssueScheduler::decide(Cycle now) {
  if (eligible_ == 0) {
    for (unsigned s = 0; s < warps_.size(); ++s) {
      const Warp& w = warps_[s];
      // What is fetched in this very cycle does not count yet, whether the player ticked before or not.
      const bool buffered = w.count != 0 && head(s).stamp <= now;
      if (buffered || w.at_barrier || !w.scoreboard.clear()) return State::hazard;
    }
    return State::empty;
  }
  allocation_->begin_cycle();
  if (busy_ == collectors_.size()) return State::no_collector;  // whatever the policy
  const WarpView view{uid_, last_issued_, owners()};
  State state = State::no_collector;
  for (WarpMask candidates = eligible_; candidates != 0;) {
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
  counters_.cycles[static_cast<std::size_t>(state_)] += now - state_since_;
  state_since_ = now;
  state_ = decide(now);
  // While it waits the waiting counter runs; any other state lasts until somebody has news.
  return state_ == State::issued || state_ == State::waiting ? now + 1 : never;
}

bool IssueScheduler::drained() const {
  for (const Warp& w : warps_) {
    if (w.count != 0 || w.at_barrier || w.ordered_in_flight != 0 || !w.scoreboard.clear()) return false;
  }
  for (const Held& h : held_) {
    if (h.instruction != nullptr) return false;
  }
  return retiring_.empty() && released_.empty() && counters_.issued == counters_.retired;
}

void IssueScheduler::report_waiting(std::ostream& out) const {
  for (unsigned s = 0; s < warps_.size(); ++s) {
    const Warp& w = warps_[s];
    if (w.count == 0 && !w.at_barrier && w.scoreboard.clear()) continue;
    out << name() << ": warp slot " << s << ", warp " << uid_[s] << ": " << w.count << " buffered";
    if (w.at_barrier) out << ", waits at a barrier";
    if (w.count != 0) {
      const Instruction& i = *head(s).instruction;
      out << ", next pc 0x" << std::hex << i.code->pc << std::dec;
      if (w.scoreboard.blocks(i)) out << " waits for the scoreboard";
      if (w.ordered_in_flight != 0)
        out << ", " << w.ordered_in_flight << " stores or shared accesses under way";
    }
    out << '\n';
  }
  for (unsigned c = 0; c < held_.size(); ++c) {
    if (held_[c].instruction == nullptr) continue;
    out << name() << ": collector " << c << " collects for warp " << held_[c].instruction->warp_uid
        << ", pc 0x" << std::hex << held_[c].instruction->code->pc << std::dec << '\n';
  }
}

void IssueScheduler::register_statistics(StatisticsGroup& g) {
  g.counter("issued", "instructions", "warp instructions issued", counters_.issued);
  g.counter("retired", "instructions", "warp instructions retired", counters_.retired);
  g.counter("predicated_off", "instructions", "issued with no active lane", counters_.predicated_off);
  const char* const names[] = {"empty_cycles", "hazard_cycles", "no_collector_cycles", "waiting_cycles",
                               "issue_cycles"};
  const char* const texts[] = {
      "no warp had an instruction", "every head instruction had a hazard, or waited at a barrier",
      "ready warps found no collector", "ready warps were held back by STHLD (Malekeh Fig. 6, case 7)",
      "an instruction was issued"};
  for (std::size_t s = 0; s < counters_.cycles.size(); ++s)
    g.counter(names[s], "cycles", texts[s], counters_.cycles[s]);
  g.counter("near_flushes", "flushes", "collectors taken from a warp that had near values in them",
            counters_.near_flushes);
  g.counter("barriers", "instructions", "barriers issued", counters_.barriers);
}

std::vector<Signal> IssueScheduler::signals() {
  return {
      {"issue", 1, [this](Cycle now) { return std::uint64_t{last_issue_cycle_ == now}; }},
      {"issue_slot", 8, [this](Cycle) { return static_cast<std::uint64_t>(last_issued_ & 0xff); }},
      {"eligible", static_cast<unsigned>(warps_.size()), [this](Cycle) { return eligible_; }},
      {"waiting_counter", 16, [this](Cycle) { return std::uint64_t{allocation_->waiting_counter()}; }},
  };
}

}  // namespace subcore
