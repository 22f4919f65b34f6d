// WindowStages: which instruction of fixed latency is in which stage of a fixed read window, for a waveform.
// When an instruction issues, its cycles in all stages are known, and they are kept here.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>

#include "subcore/modules/protocol/ring.h"
#include "subcore/modules/protocol/signal.h"

namespace subcore {

class WindowStages {
 public:
  // An instruction is in Control from `control` on, and in Allocate from `enters` up to and with `leaves`.
  // Behind that the instruction is a cycle in each stage of reading, up to the cycle before `execution`.
  struct Plan {
    const Instruction* instruction = nullptr;
    Cycle control = 0, enters = 0, leaves = 0, execution = 0;
  };
  void put(const Plan& p) { plans_.push_back(p); }

  // Says which instruction waits in Control for room in its unit's queue, from cycle `from` on; null: none.
  void waits(const Instruction* i, Cycle from) {
    waiting_ = i;
    waits_from_ = from;
  }

  // Adds rows for Control, Allocate and `reads` stages of reading.
  void add_rows(SignalList& list, unsigned reads) {
    const auto in_control = [](const Plan& p, Cycle now) { return p.control <= now && now < p.enters; };
    list.instruction("control_", [this, in_control](Cycle now) {
      const Instruction* i = find(in_control, now);
      return i != nullptr || now < waits_from_ ? i : waiting_;
    });
    row(list, "allocate", [](const Plan& p, Cycle now) { return p.enters <= now && now <= p.leaves; });
    for (unsigned n = 1; n <= reads; ++n)
      row(list, "read_" + std::to_string(n),
          [n](const Plan& p, Cycle now) { return now == p.leaves + n && now < p.execution; });
  }

 private:
  template <class Is>
  const Instruction* find(Is is, Cycle now) {
    while (!plans_.empty() && plans_.front().execution <= now) plans_.pop_front();
    for (std::size_t n = 0; n < plans_.size(); ++n)
      if (is(plans_[n], now)) return plans_[n].instruction;
    return nullptr;
  }
  template <class Is>
  void row(SignalList& list, const std::string& stage, Is is) {
    list.instruction(stage + '_', [this, is](Cycle now) { return find(is, now); });
  }

  Ring<Plan> plans_;
  const Instruction* waiting_ = nullptr;
  Cycle waits_from_ = 0;
};

}  // namespace subcore
