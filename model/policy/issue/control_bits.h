// Issue by the compiler's control bits (Huerta, MICRO 2025), in program order and without a scoreboard. The
// oldest instruction issues when the stall count and yield of the instruction before it are over, and the
// counters that it waits for are 0.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <boost/container/small_vector.hpp>

#include "subcore/model/policy/issue/copy_groups.h"
#include "subcore/model/policy/issue/hold_clock.h"
#include "subcore/model/policy/issue/issue_window.h"
#include "subcore/model/policy/issue/warp_control.h"
#include "subcore/model/policy/issue/warpgroup_products.h"

namespace subcore {

class ControlBitsWindow final : public IssueWindow {
 public:
  // All windows of a sub-core share `clock`, which outlives the window.
  ControlBitsWindow(unsigned entries, unsigned stall0_yield, HoldClock& clock, unsigned products = 0)
      : entries_(entries),
        stall0_yield_(stall0_yield),
        clock_(clock),
        control_(stall0_yield),
        products_(products) {}

  bool insert(Instruction& i, Cycle stamp) override;
  Instruction* candidate(Cycle now, Cycle& look_again) override;
  Blocked blocked(Cycle now) const override;
  void issue(Instruction& i, Cycle now) override;
  bool collected(const Instruction& i) override {
    control_.sources_read(i.code->control);
    return true;
  }
  bool retired(Instruction& i) override {
    --under_way_;
    products_.retired(i);
    if (copy_step(i) != CopyStep::end_group) control_.results_written(i.code->control);
    for (unsigned complete = copies_.retired(i); complete != 0; --complete) {
      control_.results_written(group_ends_.front());
      group_ends_.erase(group_ends_.begin());
    }
    return true;
  }
  bool entered(const Instruction&) override {
    --accesses_on_way_;
    return true;
  }
  void barrier_released() override { release_.released(); }
  Instruction* next(Cycle now) const override {
    return count_ == 0 || oldest().stamp > now ? nullptr : oldest().instruction;
  }
  bool stalled(Cycle) const override { return release_.waits(); }
  bool frees_at_issue() const override { return true; }
  bool occupied(Cycle now) const override {
    return next(now) != nullptr || release_.waits() || under_way_ != 0;
  }
  bool drained() const override {
    return count_ == 0 && !release_.waits() && accesses_on_way_ == 0 && under_way_ == 0 && control_.clear() &&
           copies_.clear() && products_.clear();
  }
  // Beside the buffer: a stall count of 4 bits, a yield bit, and six counters of 6 bits.
  void inventory(Inventory& list) const override {
    list.add("instruction_buffer", HardwareKind::data, entries_.size(), buffered_bits, 2);
    list.add("control_counters", HardwareKind::state, 1, 4 + 1 + 6 * 6);
  }
  bool describe(std::ostream& out) const override;

 private:
  struct Entry {
    Instruction* instruction = nullptr;
    Cycle stamp = 0;
  };
  const Entry& oldest() const { return entries_[head_]; }
  std::size_t position(std::size_t n) const { return (head_ + n) % entries_.size(); }
  // Whether the instruction reaches a barrier before older accesses have entered the load/store unit.
  bool too_early(const Instruction& i) const { return reaches_barrier(i) && accesses_on_way_ != 0; }
  // Whether the instruction waits for groups of copies, or for the counter that it names.
  bool awaits_copies(const Instruction& i, Cycle now) const {
    return copies_.hold(i) || (copy_step(i) == CopyStep::wait &&
                               control_.exceeds(i.code->awaited_counter, i.code->open_groups, now));
  }

  boost::container::small_vector<Entry, 3> entries_;  // a ring
  std::size_t head_ = 0, count_ = 0;
  std::uint32_t warp_uid_ = 0;
  unsigned stall0_yield_;
  unsigned under_way_ = 0;        // issued, not retired
  unsigned accesses_on_way_ = 0;  // issued, not in the load/store unit
  AwaitedRelease release_;
  HoldClock& clock_;
  WarpControl control_;
  CopyGroups copies_;
  WarpgroupProducts products_;
  // For each incomplete group, the control bits of the instruction that ended it. The counter falls when the
  // group is complete.
  boost::container::small_vector<ControlBits, 2> group_ends_;
};

class ControlBitsChoice final : public IssueChoice {
 public:
  HoldEffect hold = HoldEffect::freeze;
  std::uint32_t stall0_yield = 46;

  void describe(ParameterVisitor& v) override;
  std::unique_ptr<IssueWindow> make(const IssueWindowSite& site) const override;
  bool in_order() const override { return true; }
  bool needs_control_bits() const override { return true; }
  std::unique_ptr<HoldClock> make_hold_clock() const override { return std::make_unique<HoldClock>(hold); }
};

}  // namespace subcore
