// One warp's instruction buffer, and which of its instructions may issue next. The issue scheduler asks every
// warp's window for a candidate and picks among the warps.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <vector>

#include "model/isa/instruction.h"
#include "model/policy/memory_access.h"
#include "model/policy/scoreboard.h"

namespace subcore {

struct SubCoreParameters;  // model/config/sub_core_parameters.h

// True if a barrier must not be reached before this instruction has entered the load/store unit, which
// performs accesses in the order in which they enter: those of a warp behind the barrier then come later.
inline bool barrier_waits_for(const Instruction& i) {
  const MemoryAccess access = memory_access_of(i);
  return access.loads || access.stores;
}

class IssueWindow {
 public:
  virtual ~IssueWindow() = default;

  // A fetched instruction, usable from cycle `stamp` on; in program order. There is room, because fetching
  // needs a credit for each entry. False if it cannot be the next candidate.
  virtual bool insert(Instruction& i, Cycle stamp) = 0;
  // The instruction that may issue in cycle `now`, or null. `look_again` becomes the cycle in which an
  // instruction that is on its way arrives, if that is all that is known to change.
  virtual Instruction* candidate(Cycle now, Cycle& look_again) = 0;
  // The candidate issues.
  virtual void issue(Instruction& i) = 0;
  // Its operands have been read; its results have been written.
  virtual void collected(const Instruction& i) = 0;
  virtual void retired(Instruction& i) = 0;
  // It is one that barriers wait for, and has entered the load/store unit.
  virtual void entered(const Instruction& i) = 0;
  virtual void barrier_released() = 0;
  // The oldest instruction that has arrived by `now` and not issued, or null.
  virtual Instruction* next(Cycle now) const = 0;
  // Two-level scheduling: it will not issue for long, because it waits at a barrier or for a long-latency
  // result (Demotion::long_latency), or because a strand ends with such a result outstanding (strand_end).
  virtual bool stalled(Cycle now) const = 0;
  // The entry is free again for fetching when its instruction issues; otherwise when it retires.
  virtual bool frees_at_issue() const = 0;
  // A barrier has retired but keeps its entry until its release.
  virtual bool holds_retired_barrier() const { return false; }

  // Something is buffered that has arrived by `now`, waits at a barrier, or awaits a result.
  virtual bool occupied(Cycle now) const = 0;
  // Nothing is buffered or under way.
  virtual bool drained() const = 0;
  // For the watchdog's report: what is buffered and what it waits for; no end of line. False if idle.
  virtual bool describe(std::ostream& out) const = 0;
};

// In program order: only the oldest instruction may issue, once the scoreboard has no hazard for it. With a
// memory guard, an access that must stay behind an older one of the warp does not issue before that has left
// its collector: collectors dispatch in any order, and only from the load/store unit on is the order kept.
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

std::unique_ptr<IssueWindow> make_issue_window(const SubCoreParameters& parameters);

}  // namespace subcore
