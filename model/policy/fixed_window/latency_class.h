// Instructions whose latency the compiler counts on (Huerta, MICRO 2025): they read their registers in a
// fixed window. The others wait in a queue of their unit and read at its head.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

#include "subcore/model/isa/execution_class.h"
#include "subcore/model/isa/instruction.h"

namespace subcore {

// Whether results of this class come a fixed number of cycles after issue, so that the compiler counts on
// it (Huerta, MICRO 2025); otherwise a counter SB0 to SB5 stands for them.
constexpr bool has_fixed_latency(ExecutionClass c) {
  switch (c) {
    case ExecutionClass::double_:
    case ExecutionClass::special:
    case ExecutionClass::texture:
    case ExecutionClass::load_store:
      return false;
    default:
      return true;
  }
}

// Whether the latency is fixed and results are in the banks when the compiler expects it. Results of tensor
// instructions have a write barrier on Turing, so they may wait for a port of their banks, like those of
// memory.
constexpr bool has_counted_result(ExecutionClass c) {
  return has_fixed_latency(c) && unit_of(c) != ExecutionUnitKind::tensor;
}

// How many cycles later than memory instructions all others read their registers: the compiler leaves so many
// fewer between a result of fixed latency and its use there. Loads of constants read as late.
constexpr unsigned read_delay(const StaticInstruction& s) {
  return s.execution == ExecutionClass::load_store && s.space != MemorySpace::constant ? 0 : 2;
}

}  // namespace subcore
