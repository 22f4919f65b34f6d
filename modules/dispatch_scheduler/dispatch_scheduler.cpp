#include "subcore/modules/dispatch_scheduler/dispatch_scheduler.h"

#include <algorithm>
#include <ostream>

#include "subcore/model/policy/issue/issue_window.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

DispatchScheduler::DispatchScheduler(const sc_core::sc_module_name& name, DispatchOrder order,
                                     unsigned collectors, unsigned load_store_queue)
    : TickingModule(name),
      order_(order),
      dispatch_socket("dispatch_socket", collectors),
      unit_socket("unit_socket", execution_unit_count - 1, 1u),
      entered_socket("entered_socket") {
  static_assert(static_cast<unsigned>(ExecutionUnitKind::load_store) == execution_unit_count - 1);
  unit_socket.add(load_store_queue);
  for (unsigned c = 0; c < collectors; ++c) dispatch_socket[c].on_receive<&DispatchScheduler::ready>(this, c);
  for (unsigned u = 0; u < execution_unit_count; ++u)
    unit_socket[u].on_credit<&DispatchScheduler::unit_free>(this, u);
}

void DispatchScheduler::ready(unsigned c, DispatchTransfer& t) {
  const Instruction& i = *t.instruction;
  const Waiting w{t.stamp, t.instruction, i.sequence, static_cast<std::uint8_t>(c),
                  static_cast<std::uint8_t>(unit_of(i.code->execution))};
  waiting_.push_back(w);
  const std::size_t last = waiting_.size() - 1;
  std::size_t n = last;
  for (; n != 0; --n) {
    const Waiting& before = waiting_[n - 1];
    if (before.collector < c || (before.collector == c && before.sequence < w.sequence)) break;
    waiting_[n] = before;
  }
  if (n != last) waiting_[n] = w;
  wake(t.stamp);
}

void DispatchScheduler::unit_free(unsigned unit, DispatchTransfer& t) {
  if (!waiting_.empty()) wake(t.stamp);
  if (unit != static_cast<unsigned>(ExecutionUnitKind::load_store) || !barrier_waits_for(*t.instruction))
    return;
  EnteredTransfer entered{t.stamp, t.instruction};
  entered_socket.send(entered);
}

// Whether `i` is a memory instruction and would overtake an older one of its warp that waits in a latch.
bool DispatchScheduler::overtakes(const Instruction& i, Cycle now) const {
  if (unit_of(i.code->execution) != ExecutionUnitKind::load_store) return false;
  for (const Waiting& other : waiting_) {
    if (other.stamp > now) continue;  // announced in this cycle, before or after this tick
    if (other.unit == static_cast<std::uint8_t>(ExecutionUnitKind::load_store) &&
        other.sequence < i.sequence && other.instruction->warp_uid == i.warp_uid)
      return true;
  }
  return false;
}

// The next cycle in which an instruction that may go now finds its unit free. If the unit has not said when
// it is free again, its credit wakes this module.
Cycle DispatchScheduler::next_chance(Cycle now) {
  Cycle soonest = never;
  for (const Waiting& w : waiting_) {
    if (w.stamp <= now) soonest = std::min(soonest, unit_socket[w.unit].ready_at(now + 1));
  }
  return soonest;
}

// How many collectors have their turn before collector `c`.
unsigned DispatchScheduler::turns_before(unsigned c) const {
  return c >= next_ ? c - next_ : c + static_cast<unsigned>(dispatch_socket.size()) - next_;
}

void DispatchScheduler::dispatch(const Waiting& chosen, Cycle now) {
  ++dispatched_;
  last_dispatch_ = now;
  last_unit_ = chosen.unit;
  DispatchTransfer t{now + 1, chosen.instruction};
  dispatch_socket[chosen.collector].credit(t);
  unit_socket[chosen.unit].send(t);
}

// Returns the next chance of the instructions that still wait.
Cycle DispatchScheduler::dispatch_chosen(const Waiting& w, Cycle now) {
  const Waiting chosen = w;
  waiting_.erase(waiting_.begin() + (&w - waiting_.data()));
  next_ = chosen.collector + 1u == dispatch_socket.size() ? 0 : chosen.collector + 1u;
  dispatch(chosen, now);
  return waiting_.empty() ? never : next_chance(now);
}

Cycle DispatchScheduler::tick(Cycle now) {
  if (waiting_.empty() || last_dispatch_ == now) return never;
  if (waiting_.size() == 1) {  // no other instruction to choose, or to stay behind
    const Waiting& w = waiting_.front();
    const bool goes = w.stamp <= now && unit_socket[w.unit].ready(now);
    return goes ? dispatch_chosen(w, now) : next_chance(now);
  }
  const bool oldest = order_ == DispatchOrder::oldest;
  const Waiting* best = nullptr;
  int asked = -1;  // collector whose oldest instruction has been considered
  for (const Waiting& w : waiting_) {
    if (w.stamp > now || w.collector == asked) continue;
    asked = w.collector;
    if (best != nullptr && !(oldest && w.stamp < best->stamp)) {
      if (oldest && w.stamp > best->stamp) continue;
      if (turns_before(w.collector) > turns_before(best->collector)) continue;
    }
    if (!unit_socket[w.unit].ready(now)) continue;
    // DispatchOrder::oldest has to hold no instruction back. An access that must stay behind an older one was
    // not issued before the older one had left its collector, so the older one has waited longer.
    if (!oldest && overtakes(*w.instruction, now)) continue;
    best = &w;
  }
  if (best == nullptr) return next_chance(now);
  return dispatch_chosen(*best, now);
}

void DispatchScheduler::report_waiting(std::ostream& out) const {
  for (const Waiting& w : waiting_) {
    out << name() << ": pc 0x" << std::hex << w.instruction->code->pc << std::dec << ", "
        << warp_name(*w.instruction) << ", waits behind collector " << unsigned{w.collector}
        << " for its unit\n";
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
