// Keeps instructions of fixed latency from issuing faster than their units take them (Huerta, MICRO 2025).
// There is no queue between issue and such a unit.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>

#include "subcore/model/isa/instruction.h"

namespace subcore {

class UnitGate {
 public:
  // By class: the cycles between two instructions of the class's unit.
  using Intervals = std::array<std::uint32_t, execution_class_count>;
  explicit UnitGate(const Intervals& intervals) : intervals_(intervals) {}

  // The first cycle from `now` on in which this instruction's unit takes an instruction.
  Cycle opens(const Instruction& i, Cycle now) const {
    if (!has_fixed_latency(*i.code)) return now;
    return std::max(now, free_[static_cast<std::size_t>(unit_of(i.code->execution))]);
  }
  void issued(const Instruction& i, Cycle now) {
    const ExecutionClass c = i.code->execution;
    free_[static_cast<std::size_t>(unit_of(c))] =
        now + (i.code->latency != 0 ? i.code->initiation_interval : intervals_[static_cast<std::size_t>(c)]);
  }

 private:
  Intervals intervals_;
  std::array<Cycle, execution_unit_count> free_{};
};

}  // namespace subcore
