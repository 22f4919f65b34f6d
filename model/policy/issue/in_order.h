// Issue in program order: only the oldest instruction may issue, once the scoreboard has no hazard for it.
// With a memory guard, an access that must stay behind an older one of the warp does not issue before that
// has left its collector: collectors dispatch in any order, and only from the load/store unit on is the order
// kept.
#pragma once

#include <vector>

#include "model/policy/issue/issue_window.h"
#include "model/policy/issue/scoreboard.h"

namespace subcore {

class InOrderWindow final : public IssueWindow {
 public:
  InOrderWindow(unsigned entries, WarGuard guard, std::uint32_t war_max_uses, bool memory_guard,
                bool wait_for_branches = false, Demotion demotion = Demotion::long_latency)
      : entries_(entries),
        scoreboard_(guard, war_max_uses),
        memory_guard_(memory_guard),
        wait_for_branches_(wait_for_branches),
        demotion_(demotion) {}

  bool insert(Instruction& i, Cycle stamp) override {
    entries_[(head_ + count_) % entries_.size()] = {&i, stamp};
    return ++count_ == 1;
  }
  Instruction* candidate(Cycle now, Cycle& look_again) override;
  Blocked blocked(Cycle now) const override;
  void issue(Instruction& i) override;
  void collected(const Instruction& i) override;
  void retired(Instruction& i) override;
  void entered(const Instruction&) override { --accesses_on_way_; }
  void barrier_released() override { at_barrier_ = false; }
  Instruction* next(Cycle now) const override {
    return count_ == 0 || entries_[head_].stamp > now ? nullptr : entries_[head_].instruction;
  }
  bool stalled(Cycle now) const override;
  bool frees_at_issue() const override { return true; }
  bool occupied(Cycle now) const override {
    return (count_ != 0 && entries_[head_].stamp <= now) || at_barrier_ || !scoreboard_.clear();
  }
  bool drained() const override {
    return count_ == 0 && !at_barrier_ && accesses_on_way_ == 0 && branches_in_flight_ == 0 &&
           scoreboard_.clear();
  }
  bool describe(std::ostream& out) const override;

 private:
  struct Entry {
    Instruction* instruction = nullptr;
    Cycle stamp = 0;
  };
  std::vector<Entry> entries_;  // a ring
  unsigned head_ = 0, count_ = 0;
  bool overtakes(const Instruction& i) const;

  Scoreboard scoreboard_;
  bool memory_guard_;
  std::uint32_t loads_collecting_ = 0, stores_collecting_ = 0;  // accesses in collectors
  std::uint32_t accesses_on_way_ = 0;     // issued, not in the load/store unit: a barrier waits for them
  std::uint32_t branches_in_flight_ = 0;  // issued control instructions that have not retired
  bool at_barrier_ = false;
  bool wait_for_branches_;
  Demotion demotion_;
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
