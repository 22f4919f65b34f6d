// Issue in program order: only the oldest instruction may issue, once the scoreboard has no hazard for it.
// With a memory guard, some accesses must stay behind an older access of the warp. Such an access does not
// issue before the older one has left its collector. Collectors dispatch in any order, and the order of
// accesses is kept only from the load/store unit on.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <boost/container/small_vector.hpp>

#include "subcore/model/policy/issue/copy_groups.h"
#include "subcore/model/policy/issue/issue_window.h"
#include "subcore/model/policy/issue/scoreboard.h"
#include "subcore/model/policy/issue/warpgroup_products.h"

namespace subcore {

class alignas(64) InOrderWindow final : public IssueWindow {
 public:
  InOrderWindow(unsigned entries, WarGuard guard, std::uint32_t war_max_uses, bool memory_guard,
                bool wait_for_branches = false, Demotion demotion = Demotion::long_latency,
                unsigned products = 0);

  bool insert(Instruction& i, Cycle stamp) override {
    entries_[position(count_)] = {&i, stamp};
    return ++count_ == 1;
  }
  Instruction* candidate(Cycle now, Cycle& look_again) override;
  Blocked blocked(Cycle now) const override;
  void issue(Instruction& i, Cycle now) override;
  bool collected(const Instruction& i) override;
  bool retired(Instruction& i) override;
  bool bypassable(const Instruction& i) override {
    scoreboard_.bypassable(i);
    return obstacle_ != Scoreboard::nothing;
  }
  bool entered(const Instruction&) override {
    --accesses_on_way_;
    return obstacle_ == something_else;
  }
  bool minds_only_results() const override { return obstacle_ < something_else && !makes_products_; }
  void barrier_released() override { release_.released(); }
  Instruction* next(Cycle now) const override {
    return count_ == 0 || oldest().stamp > now ? nullptr : oldest().instruction;
  }
  bool stalled(Cycle now) const override;
  bool frees_at_issue() const override { return true; }
  bool occupied(Cycle now) const override {
    return (count_ != 0 && oldest().stamp <= now) || release_.waits() || !scoreboard_.clear();
  }
  bool drained() const override {
    return count_ == 0 && !release_.waits() && accesses_on_way_ == 0 && branches_in_flight_ == 0 &&
           scoreboard_.clear() && copies_.clear() && products_.clear();
  }
  void inventory(Inventory& list) const override {
    list.add("instruction_buffer", HardwareKind::data, entries_.size(), buffered_bits, 2);
    scoreboard_.inventory(list);
  }
  bool describe(std::ostream& out) const override;

 private:
  struct Entry {
    Instruction* instruction = nullptr;
    Cycle stamp = 0;
  };
  const Entry& oldest() const { return entries_[head_]; }
  // The position of the n-th entry, counted from the oldest.
  std::size_t position(std::size_t n) const {
    const std::size_t at = head_ + n;
    return at < entries_.size() ? at : at - entries_.size();
  }
  // Whether the memory guard keeps the instruction behind an older access that is still collecting operands.
  bool overtakes(const Instruction& i) const {
    if ((loads_collecting_ | stores_collecting_) == 0 || !memory_guard_) return false;
    return memory_access_of(i).stays_behind(
        {loads_collecting_ != 0, stores_collecting_ != 0, loads_collecting_ == copies_collecting_});
  }
  // Whether the instruction reaches a barrier while an older access has not entered the load/store unit.
  bool too_early(const Instruction& i) const { return accesses_on_way_ != 0 && reaches_barrier(i); }
  // Whether the instruction waits for a warpgroup's products, or is a product that waits for its
  // accumulators.
  bool awaits_products(const Instruction& i) const { return makes_products_ && finds_products(i); }
  // Code for groups of copies and products is out of line and runs last, because few instructions need it.
  bool counts_in_groups(const Instruction& i) const {
    return i.code->copies != CopyStep::none || makes_products_;
  }
  enum class Step : std::uint8_t { issued, collected, retired };
  // Passes the instruction's step on to the groups. Returns the result of collected() or retired().
  [[gnu::noinline]] bool tell_groups(const Instruction& i, Step step);
  [[gnu::noinline]] bool finds_products(const Instruction& i) const;
  // The instruction, or null with the obstacle noted. Predicates, too many reads or groups may be the
  // obstacle.
  [[gnu::noinline]] Instruction* look_closer(Instruction& i);
  // An instruction has retired. Returns whether the obstacle may be gone.
  bool may_go_on() const {
    if (obstacle_ >= something_else) return obstacle_ == something_else;
    return !scoreboard_.awaits_write(obstacle_);
  }

  // The members that a candidate depends on are in three cache lines, in the order in which they are looked
  // at.
  boost::container::small_vector<Entry, 2> entries_;  // a ring
  std::uint8_t head_ = 0, count_ = 0;
  // Why candidate() had none: a register that the scoreboard awaits, or something_else that a change of one
  // of the warp's instructions can end. Scoreboard::nothing if there is no such obstacle.
  std::uint16_t obstacle_ = Scoreboard::nothing;
  bool memory_guard_;
  AwaitedRelease release_;
  bool makes_products_;  // false: products_, in another cache line, is not touched
  bool wait_for_branches_;
  Demotion demotion_;
  std::uint16_t loads_collecting_ = 0, stores_collecting_ = 0;  // accesses in collectors
  std::uint16_t copies_collecting_ = 0;                         // copies among those loads
  std::uint16_t accesses_on_way_ = 0;     // issued, but not in the load/store unit; a barrier waits for them
  std::uint16_t branches_in_flight_ = 0;  // issued control instructions that have not retired
  Scoreboard scoreboard_;
  CopyGroups copies_;
  WarpgroupProducts products_;

  static constexpr std::uint16_t something_else = Scoreboard::nothing - 1;
};

class InOrderChoice final : public IssueChoice {
 public:
  WarGuard war_guard = WarGuard::operand_collection;
  std::uint32_t war_max_uses = 9999;
  bool memory_guard = true;

  void describe(ParameterVisitor& v) override;
  std::unique_ptr<IssueWindow> make(const IssueWindowSite& site) const override;
  bool in_order() const override { return true; }
};

}  // namespace subcore
