#include "subcore/model/policy/issue/in_order.h"

#include <ostream>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/passes/annotation.h"

namespace subcore {

InOrderWindow::InOrderWindow(unsigned entries, WarGuard guard, std::uint32_t war_max_uses, bool memory_guard,
                             bool wait_for_branches, Demotion demotion, unsigned products)
    : entries_(entries),
      memory_guard_(memory_guard),
      makes_products_(products != 0),
      wait_for_branches_(wait_for_branches),
      demotion_(demotion),
      scoreboard_(guard, war_max_uses),
      products_(products) {}

bool InOrderWindow::finds_products(const Instruction& i) const {
  return products_.hold(i) || products_.touches(i) ||
         (i.is_product() && scoreboard_.is_under_way(i.code->accumulators));
}

Instruction* InOrderWindow::look_closer(Instruction& i) {
  obstacle_ = scoreboard_.awaited(i);
  if (obstacle_ != Scoreboard::nothing) return nullptr;
  if (!scoreboard_.blocks_for_reads(i) && !copies_.hold(i) && !awaits_products(i)) return &i;
  obstacle_ = something_else;
  return nullptr;
}

bool InOrderWindow::tell_groups(const Instruction& i, Step step) {
  if (step == Step::issued) {
    copies_.issue(i);
    products_.issue(i);
  } else if (step == Step::collected) {
    products_.collected(i);
    return obstacle_ == something_else;
  } else {
    copies_.retired(i);
    products_.retired(i);
  }
  return may_go_on();
}

// Rare obstacles are looked for last, in look_closer(). The call is in tail position, so this function saves
// no registers.
Instruction* InOrderWindow::candidate(Cycle now, Cycle& look_again) {
  obstacle_ = Scoreboard::nothing;
  if (count_ == 0) return nullptr;
  const Entry& first = oldest();
  if (first.stamp > now) {
    look_again = first.stamp;
    return nullptr;
  }
  Instruction& i = *first.instruction;
  if (release_.waits() || branches_in_flight_ != 0 || too_early(i)) {
    obstacle_ = something_else;
    return nullptr;
  }
  if (const std::uint16_t awaited = scoreboard_.awaited_register(i); awaited != Scoreboard::nothing) {
    obstacle_ = awaited;
    return nullptr;
  }
  if (scoreboard_.overwrites_unread(i) || overtakes(i)) {
    obstacle_ = something_else;
    return nullptr;
  }
  const bool is_simple =
      i.code->copies != CopyStep::wait && !makes_products_ && !scoreboard_.may_block_otherwise(i);
  return is_simple ? &i : look_closer(i);
}

Blocked InOrderWindow::blocked(Cycle now) const {
  const Instruction* i = next(now);
  if (release_.waits()) return {release_.cause(), i};
  if (i == nullptr) {
    const bool is_idle = scoreboard_.clear() && copies_.clear() && products_.clear();
    return {is_idle ? StallCause::none : StallCause::draining, nullptr};
  }
  StallCause cause = scoreboard_.hazard(*i);
  if (too_early(*i) || overtakes(*i)) cause = farther(cause, StallCause::memory_order);
  if (branches_in_flight_ != 0) cause = farther(cause, StallCause::control);
  if (copies_.hold(*i)) cause = farther(cause, StallCause::copy_groups);
  if (awaits_products(*i)) cause = farther(cause, StallCause::products);
  return {cause, i};
}

bool InOrderWindow::collected(const Instruction& i) {
  scoreboard_.collected(i);
  if ((loads_collecting_ | stores_collecting_) != 0) {
    const MemoryAccess access = memory_access_of(i);
    if (access.loads) --loads_collecting_;
    if (access.copies) --copies_collecting_;
    if (access.stores) --stores_collecting_;
  }
  return makes_products_ ? tell_groups(i, Step::collected) : obstacle_ == something_else;
}

void InOrderWindow::issue(Instruction& i, Cycle) {
  head_ = static_cast<std::uint8_t>(position(1));
  --count_;
  scoreboard_.issue(i, is_long_latency(*i.code));
  const MemoryAccess access = memory_access_of(i);
  if (barrier_waits_for(access)) {
    if (access.loads) ++loads_collecting_;
    if (access.copies) ++copies_collecting_;
    if (access.stores) ++stores_collecting_;
    ++accesses_on_way_;
  }
  if (wait_for_branches_ && i.code->kind == InstructionKind::control) ++branches_in_flight_;
  release_.issue(i);
  if (counts_in_groups(i)) tell_groups(i, Step::issued);
}

bool InOrderWindow::retired(Instruction& i) {
  scoreboard_.retired(i);
  if (wait_for_branches_ && i.code->kind == InstructionKind::control) --branches_in_flight_;
  return counts_in_groups(i) ? tell_groups(i, Step::retired) : may_go_on();
}

bool InOrderWindow::stalled(Cycle now) const {
  if (release_.waits()) return true;
  const Instruction* i = next(now);
  if (i == nullptr) return false;
  if (demotion_ == Demotion::long_latency)
    return scoreboard_.blocks_for_long(*i) || copies_.hold(*i) || awaits_products(*i);
  return i->code->annotation != nullptr && i->code->annotation->strand_start &&
         (scoreboard_.awaits_long() || awaits_products(*i));
}

bool InOrderWindow::describe(std::ostream& out) const {
  if (count_ == 0 && !release_.waits() && scoreboard_.clear()) return false;
  out << count_ << " buffered" << release_.words();
  if (count_ != 0) {
    const Instruction& i = *oldest().instruction;
    out << ", next pc 0x" << std::hex << i.code->pc << std::dec;
    if (scoreboard_.blocks(i)) out << " waits for the scoreboard";
    if (copies_.hold(i)) out << " waits for groups of copies";
    if (awaits_products(i)) out << " waits for products of its warpgroup";
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
            "an instruction does not issue if one of its registers has this many pending reads");
  });
  v.field("memory_guard", memory_guard,
          "a store, and a load behind a store, issues only after the older access of its warp has left its "
          "collector");
}

std::unique_ptr<IssueWindow> InOrderChoice::make(const IssueWindowSite& site) const {
  return std::make_unique<InOrderWindow>(site.instruction_buffer, war_guard, war_max_uses, memory_guard,
                                         site.wait_for_branches, site.demotion, site.products);
}

}  // namespace subcore
