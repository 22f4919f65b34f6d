#include "subcore/model/policy/issue/control_bits.h"

#include <ostream>

#include "subcore/model/parameters/parameter_list.h"

namespace subcore {

bool ControlBitsWindow::insert(Instruction& i, Cycle stamp) {
  if (i.warp_uid != warp_uid_) {  // the stall and barriers of the previous warp are over
    warp_uid_ = i.warp_uid;
    control_ = WarpControl(stall0_yield_);
  }
  entries_[position(count_)] = {&i, stamp};
  return ++count_ == 1;
}

Instruction* ControlBitsWindow::candidate(Cycle now, Cycle& look_again) {
  if (count_ == 0) return nullptr;
  if (oldest().stamp > now) {
    look_again = oldest().stamp;
    return nullptr;
  }
  Instruction& i = *oldest().instruction;
  if (release_.waits() || too_early(i) || products_.hold(i)) return nullptr;
  if (const Cycle left = control_.stalled(clock_.at(now)); left != 0) {
    look_again = now + left;  // or later, if Allocate holds an instruction meanwhile
    return nullptr;
  }
  if (control_.yields(now)) {
    look_again = now + 1;
    return nullptr;
  }
  if (const Cycle rises = control_.rises(now); rises != 0) look_again = rises;
  return control_.awaited(i.code->control, now) == 0 && !awaits_copies(i, now) ? &i : nullptr;
}

Blocked ControlBitsWindow::blocked(Cycle now) const {
  const Instruction* i = next(now);
  if (release_.waits()) return {release_.cause(), i};
  if (i == nullptr) return {under_way_ == 0 ? StallCause::none : StallCause::draining, nullptr};
  if (products_.hold(*i)) return {StallCause::products, i};
  if (awaits_copies(*i, now)) return {StallCause::copy_groups, i};
  if (const std::uint8_t counters = control_.awaited(i->code->control, now); counters != 0)
    return {cause_of_counter(bits::highest(counters)), i};
  if (too_early(*i)) return {StallCause::memory_order, i};
  return {clock_.holding(now) ? StallCause::port_hold : StallCause::stall_count, i};
}

void ControlBitsWindow::issue(Instruction& i, Cycle now) {
  head_ = position(1);
  --count_;
  ++under_way_;
  control_.issue(i.code->control, now, clock_.at(now));
  copies_.issue(i);
  products_.issue(i);
  if (copy_step(i) == CopyStep::end_group) group_ends_.push_back(i.code->control);
  if (barrier_waits_for(i)) ++accesses_on_way_;
  release_.issue(i);
}

bool ControlBitsWindow::describe(std::ostream& out) const {
  if (drained()) return false;
  out << count_ << " buffered, " << under_way_ << " under way" << release_.words();
  if (count_ == 0) return true;
  const Instruction& i = *oldest().instruction;
  const Cycle late = ~Cycle{0};  // when the counters of all issued instructions have risen
  out << ", next pc 0x" << std::hex << i.code->pc << std::dec;
  for (const unsigned b : bits::each(control_.awaited(i.code->control, late))) out << " waits for SB" << b;
  if (awaits_copies(i, late)) out << " waits for groups of copies";
  if (products_.hold(i)) out << " waits for products of its warpgroup";
  if (accesses_on_way_ != 0)
    out << ", " << accesses_on_way_ << " accesses on their way to the load/store unit";
  return true;
}

void ControlBitsChoice::describe(ParameterVisitor& v) {
  v.choice("hold", hold,
           "while an instruction waits for register ports, stall counts stand still (freeze) or run (drift)");
  v.field("stall0_yield", stall0_yield, {1, 64}, "cycles",
          "cycles that a stall count of 0 with a yield takes");
}

std::unique_ptr<IssueWindow> ControlBitsChoice::make(const IssueWindowSite& site) const {
  return std::make_unique<ControlBitsWindow>(site.instruction_buffer, stall0_yield, *site.hold_clock,
                                             site.products);
}

}  // namespace subcore
