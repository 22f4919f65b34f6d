// The execution units' part of a platform file (keys sub_core.execution.*).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <stdexcept>

#include "subcore/model/isa/execution_class.h"
#include "subcore/model/parameters/parameter_list.h"

namespace subcore {

// Timing of one class of instructions (sub_core.execution.CLASS.*).
struct UnitTiming {
  std::uint32_t latency = 4;
  std::uint32_t initiation_interval = 2;
  void describe(ParameterVisitor& v) {
    v.field("latency", latency, {1, 10000}, "cycles", "from first execution cycle to write-back");
    v.field("initiation_interval", initiation_interval, {1, 10000}, "cycles",
            "between two instructions of the unit");
  }
};

class ExecutionParameters {
 public:
  ExecutionParameters() {
    for (const ExecutionClassLine& line : execution_classes)
      timing_[static_cast<std::size_t>(line.execution)] = {line.latency, line.initiation_interval};
  }
  void describe(ParameterVisitor& v) {
    for (const ExecutionClassLine& line : execution_classes)
      if (line.key != nullptr) v.group(line.key, timing_[static_cast<std::size_t>(line.execution)]);
  }
  // Timing of a class. The load/store unit's is in `load_store`: asking for it throws std::logic_error.
  const UnitTiming& of(ExecutionClass c) const {
    if (c == ExecutionClass::load_store)
      throw std::logic_error(
          "the load/store unit has no entry in `execution`: its timing is in `load_store`");
    return timing_[static_cast<std::size_t>(c)];
  }
  UnitTiming& of(ExecutionClass c) {
    return const_cast<UnitTiming&>(static_cast<const ExecutionParameters&>(*this).of(c));
  }

 private:
  std::array<UnitTiming, execution_class_count> timing_;
};

}  // namespace subcore
