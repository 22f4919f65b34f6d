#include "model/policy/issue/in_order.h"

#include <ostream>

#include "model/hints/compiler_hints.h"
#include "model/parameters/parameter_list.h"

namespace subcore {

Instruction* InOrderWindow::candidate(Cycle now, Cycle& look_again) {
  if (count_ == 0) return nullptr;
  const Entry& oldest = entries_[head_];
  if (oldest.stamp > now) {
    look_again = oldest.stamp;
    return nullptr;
  }
  if (at_barrier_ || branches_in_flight_ != 0) return nullptr;
  const Instruction& i = *oldest.instruction;
  if (i.code->kind == InstructionKind::barrier && accesses_on_way_ != 0) return nullptr;
  return scoreboard_.blocks(i) || overtakes(i) ? nullptr : oldest.instruction;
}

Blocked InOrderWindow::blocked(Cycle now) const {
  const Instruction* i = next(now);
  if (at_barrier_) return {StallCause::barrier, i};
  if (i == nullptr) return {scoreboard_.clear() ? StallCause::none : StallCause::draining, nullptr};
  StallCause cause = scoreboard_.hazard(*i);
  const bool early = i->code->kind == InstructionKind::barrier && accesses_on_way_ != 0;
  if (early || overtakes(*i)) cause = farther(cause, StallCause::memory_order);
  if (branches_in_flight_ != 0) cause = farther(cause, StallCause::control);
  return {cause, i};
}

// It would, if its operands came before those of an older access.
bool InOrderWindow::overtakes(const Instruction& i) const {
  if (!memory_guard_ || (loads_collecting_ | stores_collecting_) == 0) return false;
  return memory_access_of(i).stays_behind({loads_collecting_ != 0, stores_collecting_ != 0});
}

void InOrderWindow::collected(const Instruction& i) {
  scoreboard_.collected(i);
  const MemoryAccess access = memory_access_of(i);
  loads_collecting_ -= access.loads;
  stores_collecting_ -= access.stores;
}

void InOrderWindow::issue(Instruction& i) {
  head_ = (head_ + 1) % static_cast<unsigned>(entries_.size());
  --count_;
  scoreboard_.issue(i, is_long_latency(*i.code));
  const MemoryAccess access = memory_access_of(i);
  loads_collecting_ += access.loads;
  stores_collecting_ += access.stores;
  if (barrier_waits_for(i)) ++accesses_on_way_;
  if (wait_for_branches_ && i.code->kind == InstructionKind::control) ++branches_in_flight_;
  if (i.code->kind == InstructionKind::barrier && i.mask != 0) at_barrier_ = true;
}

void InOrderWindow::retired(Instruction& i) {
  scoreboard_.retired(i);
  if (wait_for_branches_ && i.code->kind == InstructionKind::control) --branches_in_flight_;
}

bool InOrderWindow::stalled(Cycle now) const {
  if (at_barrier_) return true;
  const Instruction* i = next(now);
  if (i == nullptr) return false;
  if (demotion_ == Demotion::long_latency) return scoreboard_.blocks_for_long(*i);
  return i->code->hints != nullptr && i->code->hints->strand_start && scoreboard_.awaits_long();
}

bool InOrderWindow::describe(std::ostream& out) const {
  if (count_ == 0 && !at_barrier_ && scoreboard_.clear()) return false;
  out << count_ << " buffered";
  if (at_barrier_) out << ", waits at a barrier";
  if (count_ != 0) {
    const Instruction& i = *entries_[head_].instruction;
    out << ", next pc 0x" << std::hex << i.code->pc << std::dec;
    if (scoreboard_.blocks(i)) out << " waits for the scoreboard";
    if (overtakes(i)) out << " waits for an older memory access";
    if (branches_in_flight_ != 0) out << " waits for a branch";
    if (accesses_on_way_ != 0)
      out << ", " << accesses_on_way_ << " accesses on their way to the load/store unit";
  }
  return true;
}

void InOrderChoice::describe(ParameterVisitor& v) {
  v.choice("war_guard", war_guard,
           "when a pending register read stops blocking a younger write (SOCGPU's WAR scoreboard)");
  v.only_if(war_guard != WarGuard::off, "sub_core.scheduler.war_guard other than off", [&] {
    v.field("war_max_uses", war_max_uses, {1, 65535}, "reads",
            "pending reads of one register at which issue blocks");
  });
  v.field("memory_guard", memory_guard,
          "a store, or a load behind a store, issues once the older access of its warp has left its "
          "collector");
}

std::unique_ptr<IssueWindow> InOrderChoice::make(const IssueWindowSite& site) const {
  return std::make_unique<InOrderWindow>(site.instruction_buffer, war_guard, war_max_uses, memory_guard,
                                         site.wait_for_branches, site.demotion);
}

}  // namespace subcore
