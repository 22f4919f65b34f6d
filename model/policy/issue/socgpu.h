// SOCGPU's instruction buffer (SOCGPU, section 3). An instruction may issue once its row of the dependence
// matrix is clear, and keeps its entry until write-back.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/model/policy/issue/dependence_matrix.h"
#include "subcore/model/policy/issue/issue_window.h"

namespace subcore {

class SocgpuWindow final : public IssueWindow {
 public:
  // `entries`: 1..64.
  SocgpuWindow(unsigned entries, const DependenceOptions& options, DependenceCounts* counts = nullptr,
               unsigned products = 0);

  bool insert(Instruction& i, Cycle stamp) override;
  // Takes over the instructions that have arrived by `now`, after the write-backs of that cycle. The lowest
  // free entry must not depend on the order in which modules tick.
  Instruction* candidate(Cycle now, Cycle& look_again) override;
  Blocked blocked(Cycle now) const override;
  void issue(Instruction& i, Cycle now) override;
  bool collected(const Instruction& i) override {
    matrix_.collected(entry_of(i));
    return true;
  }
  bool retired(Instruction& i) override;
  bool entered(const Instruction& i) override {
    matrix_.entered(entry_of(i));
    return true;
  }
  void barrier_released() override;
  // Two-level scheduling looks at a warp's next instruction. This window has no such instruction, and the two
  // are not combined (platforms/config/validate.cpp).
  Instruction* next(Cycle) const override { return nullptr; }
  bool stalled(Cycle) const override { return false; }
  bool frees_at_issue() const override { return false; }
  bool holds_retired_barrier() const override { return held_ >= 0; }
  bool occupied(Cycle now) const override {
    return !matrix_.empty() || (!arriving_.empty() && arriving_.front().stamp <= now);
  }
  bool drained() const override { return matrix_.empty() && arriving_.empty() && !release_.waits(); }
  // The registers and predicates of a new instruction are compared with those of all entries.
  void inventory(Inventory& list) const override {
    list.add("instruction_buffer", HardwareKind::tag, buffer_.size(), 40);
    list.add("instruction_buffer_rest", HardwareKind::data, buffer_.size(), socgpu_buffered_bits - 40, 2);
    list.add("dependence_matrix", HardwareKind::state, buffer_.size(),
             static_cast<std::uint32_t>(buffer_.size()));
  }
  bool describe(std::ostream& out) const override;

 private:
  struct Arrival {
    Instruction* instruction;
    Cycle stamp;
  };
  unsigned entry_of(const Instruction& i) const;

  DependenceMatrix matrix_;
  std::vector<Instruction*> buffer_;  // by entry; null if it is free or belongs to a barrier that has retired
  std::vector<Arrival> arriving_;
  AwaitedRelease release_;
  int held_ = -1;  // entry of the barrier that has retired and awaits its release
};

// SOCGPU's window as a choice, with the keys sub_core.scheduler.socgpu.*.
class SocgpuChoice final : public IssueChoice {
 public:
  DependenceOptions options;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override;
  std::unique_ptr<IssueWindow> make(const IssueWindowSite& site) const override;
  bool in_order() const override { return false; }
  bool counts_dependences() const override { return true; }
};

}  // namespace subcore
