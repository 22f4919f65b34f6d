// Cycles of the warps of one issue scheduler by stall cause, for each warp slot and static instruction.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/observers/instruction_rows.h"

namespace subcore {

class StallProfile final : public TransferObserver<StallEvent> {
 public:
  // Cycles count from `start` on. No warp comes before `start`, so events of earlier cycles add up to 0.
  StallProfile(InstructionRows& rows, unsigned warp_slots, Cycle start = 0)
      : rows_(rows), now_(warp_slots, Span{&rows.row(nullptr), start}), slots_(warp_slots, CauseCycles{}) {}

  void transferred(const StallEvent& e) override {
    Span& span = now_[e.warp_slot];
    close(e.warp_slot, e.cycle);
    span = {&rows_.row(e.instruction), e.cycle, e.cause};
  }
  // The run is over in cycle `end`. Afterwards all cycles before `end` are summed up.
  void close(Cycle end) {
    for (unsigned s = 0; s < now_.size(); ++s) close(s, end);
  }
  // Cycles by warp slot and cause. The sum over the causes of a slot is the cycles of the run.
  const std::vector<CauseCycles>& slots() const { return slots_; }

 private:
  struct Span {
    InstructionRow* row;
    Cycle since = 0;
    StallCause cause = StallCause::no_warp;
  };
  void close(unsigned slot, Cycle end) {
    Span& span = now_[slot];
    if (end < span.since) return;  // a run that failed in the middle of a cycle
    const auto cause = static_cast<std::size_t>(span.cause);
    slots_[slot][cause] += end - span.since;
    span.row->cycles[cause] += end - span.since;
    span.since = end;
  }

  InstructionRows& rows_;
  std::vector<Span> now_;
  std::vector<CauseCycles> slots_;
};

}  // namespace subcore
