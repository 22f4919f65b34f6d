#include "subcore/modules/execution_unit/execution_unit.h"

#include <algorithm>
#include <ostream>

#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

ExecutionUnit::ExecutionUnit(const sc_core::sc_module_name& name, ExecutionUnitKind kind,
                             const ExecutionParameters& timing, unsigned result_latches, OperandCheck& check)
    : TickingModule(name),
      check_(check),
      kind_(kind),
      timing_(timing),
      unit_socket("unit_socket"),
      result_socket("result_socket", result_latches) {
  unit_socket.on_receive<&ExecutionUnit::accept>(this);
  result_socket.on_credit<&ExecutionUnit::result_free>(this);
}

void ExecutionUnit::accept(unsigned, DispatchTransfer& t) {
  check_.check(*this, *t.instruction, t.stamp);
  ++instructions_;
  const UnitTiming timing = timing_.of(*t.instruction->code);
  // A tick that takes an instruction from the pipeline asks for the tick of the next one.
  const Cycle last = t.stamp + timing.latency - 1;
  if (last < pipeline_.next()) wake(last);
  pipeline_.put({last, t.instruction});
  // The next instruction may be dispatched one initiation interval after this one, unless results back up.
  const Cycle now = t.stamp - 1;
  const Cycle next = now + timing.initiation_interval;
  const bool blocked = blocked_stamp_ <= now ? blocked_ : blocked_before_;
  if (!blocked) {
    t.stamp = next;
    unit_socket.accept_now();
  } else {
    owed_stamp_ = t.stamp;
    owed_earliest_ = next;
    wake(t.stamp);
  }
}

void ExecutionUnit::set_blocked(bool blocked, Cycle stamp) {
  if (blocked == blocked_) return;
  blocked_before_ = blocked_;
  blocked_ = blocked;
  blocked_stamp_ = stamp;
}

Cycle ExecutionUnit::tick(Cycle now) {
  // A unit gives one result a cycle. If an architecture's table times the unit, the unit gives all results
  // that are ready: shapes of different latencies may end together, and the compiler counts on each.
  while (pipeline_.due(now) && result_socket.ready(now)) {
    ResultTransfer r{now + 1, pipeline_.front().instruction};
    pipeline_.pop();
    result_socket.send(r);
    if (r.instruction->code->latency == 0) break;
  }
  const bool blocked = pipeline_.due(now);
  set_blocked(blocked, now + 1);
  if (owed_stamp_ <= now && !blocked) {
    owed_stamp_ = never;
    DispatchTransfer credit{std::max(now + 1, owed_earliest_), nullptr};
    unit_socket.credit(credit);
  }
  return blocked ? result_socket.ready_at(now + 1) : pipeline_.next();
}

void ExecutionUnit::report_waiting(std::ostream& out) const {
  for (std::size_t n = 0; n < pipeline_.size(); ++n) {
    const Running& r = pipeline_[n];
    out << name() << ": pc 0x" << std::hex << r.instruction->code->pc << std::dec << ", "
        << warp_name(*r.instruction) << ", finishes in cycle " << r.stamp << '\n';
  }
}

// Shows the instruction that finishes next, and the last cycle in which any instruction of the pipeline
// executes.
std::vector<Signal> ExecutionUnit::signals() {
  SignalList list(std::string(subcore::name(kind_)) + '_');
  const auto next = [this](Cycle) -> const Instruction* {
    return pipeline_.empty() ? nullptr : pipeline_.front().instruction;
  };
  const auto last = [this] { return pipeline_[pipeline_.size() - 1].stamp; };
  list.in("units")
      .key([this, next, last](Cycle c) {
        return pipeline_.empty() ? 0 : SignalList::identity(next(c)) * 31 + (last() << 8) + pipeline_.size();
      })
      .instruction("", next)
      .number("busy_until", 48, [this, last](Cycle) { return pipeline_.empty() ? Signal::x : last(); });
  return list;
}

}  // namespace subcore
