#include "modules/dispatch_scheduler/dispatch_scheduler.h"

#include <algorithm>
#include <ostream>

#include "model/policy/issue/issue_window.h"

namespace subcore {

DispatchScheduler::DispatchScheduler(const sc_core::sc_module_name& name, DispatchOrder order,
                                     unsigned collectors, unsigned load_store_queue)
    : TickingModule(name),
      dispatch_socket("dispatch_socket", collectors),
      unit_socket("unit_socket", execution_unit_count - 1, 1u),
      entered_socket("entered_socket"),
      order_(order),
      waiting_(collectors) {
  static_assert(static_cast<unsigned>(ExecutionUnitKind::load_store) == execution_unit_count - 1);
  unit_socket.add(load_store_queue);
  for (unsigned c = 0; c < collectors; ++c) dispatch_socket[c].on_receive<&DispatchScheduler::ready>(this, c);
  for (unsigned u = 0; u < execution_unit_count; ++u)
    unit_socket[u].on_credit<&DispatchScheduler::unit_free>(this, u);
}

void DispatchScheduler::ready(unsigned c, DispatchTransfer& t) {
  waiting_[c].push_back(t);
  ++count_;
  wake(t.stamp);
}

void DispatchScheduler::unit_free(unsigned unit, DispatchTransfer& t) {
  if (count_ != 0) wake(t.stamp);
  if (unit == static_cast<unsigned>(ExecutionUnitKind::load_store) && barrier_waits_for(*t.instruction))
    entered_socket.send(t);
}

// Whether `i` is a memory instruction and would go ahead of an older one of its warp that waits in a latch.
bool DispatchScheduler::overtakes(const Instruction& i, Cycle now) const {
  if (unit_of(i.code->execution) != ExecutionUnitKind::load_store) return false;
  for (const auto& latches : waiting_) {
    for (const DispatchTransfer& t : latches) {
      if (t.stamp > now) continue;  // announced in this cycle, before or after this tick
      const Instruction& other = *t.instruction;
      if (other.warp_uid == i.warp_uid && other.sequence < i.sequence &&
          unit_of(other.code->execution) == ExecutionUnitKind::load_store)
        return true;
    }
  }
  return false;
}

const DispatchTransfer* DispatchScheduler::oldest_usable(unsigned c, Cycle now) const {
  const DispatchTransfer* oldest = nullptr;
  for (const DispatchTransfer& t : waiting_[c]) {
    if (t.stamp > now) continue;
    if (oldest == nullptr || t.instruction->sequence < oldest->instruction->sequence) oldest = &t;
  }
  return oldest;
}

Cycle DispatchScheduler::tick(Cycle now) {
  if (count_ == 0 || last_dispatch_ == now) return never;
  const DispatchTransfer* best = nullptr;
  unsigned chosen = 0;
  Cycle soonest = never;
  const auto collectors = static_cast<unsigned>(waiting_.size());
  for (unsigned n = 0, c = next_; n < collectors; ++n, c = c + 1 == collectors ? 0 : c + 1) {
    const DispatchTransfer* t = oldest_usable(c, now);
    if (t == nullptr) continue;
    auto& unit = unit_socket[static_cast<unsigned>(unit_of(t->instruction->code->execution))];
    if (!unit.ready(now)) {
      soonest = std::min(soonest, unit.ready_at(now));
      continue;
    }
    if (best != nullptr && t->stamp >= best->stamp) continue;
    // In the other order nothing has to be held back: an access that must stay behind an older one was not
    // issued before that had left its collector, so the older has waited longer.
    if (order_ == DispatchOrder::round_robin && overtakes(*t->instruction, now)) continue;
    best = t;
    chosen = c;
    if (order_ == DispatchOrder::round_robin) break;
  }
  // A unit that has said when it is free again needs no further news.
  if (best == nullptr) return soonest;
  DispatchTransfer t = *best;
  waiting_[chosen].erase(waiting_[chosen].begin() + (best - waiting_[chosen].data()));
  --count_;
  next_ = chosen + 1 == collectors ? 0 : chosen + 1;
  ++dispatched_;
  last_dispatch_ = now;
  const unsigned unit = static_cast<unsigned>(unit_of(t.instruction->code->execution));
  last_unit_ = unit;
  t.stamp = now + 1;
  dispatch_socket[chosen].credit(t);
  unit_socket[unit].send(t);
  return count_ != 0 ? now + 1 : never;
}

bool DispatchScheduler::drained() const {
  return count_ == 0;
}

void DispatchScheduler::report_waiting(std::ostream& out) const {
  for (unsigned c = 0; c < waiting_.size(); ++c) {
    for (const DispatchTransfer& t : waiting_[c]) {
      out << name() << ": pc 0x" << std::hex << t.instruction->code->pc << std::dec << ", warp "
          << t.instruction->warp_uid << ", waits behind collector " << c << " for its unit\n";
    }
  }
}

std::vector<Signal> DispatchScheduler::signals() {
  SignalList list;
  list.in("units")
      .activity([this](Cycle) -> std::uint64_t { return dispatched_; })
      .text(
          "dispatch",
          [this](Cycle now) { return last_dispatch_ == now ? std::uint64_t{last_unit_} : Signal::x; },
          [](std::uint64_t unit) { return std::string(execution_units[unit].name); });
  return list;
}

}  // namespace subcore
