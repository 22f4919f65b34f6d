// What an instruction does to memory, as far as the order of accesses within a warp goes (SOCGPU, section 3).
// Shared, global and local memory are one; constants are none.
#pragma once

#include "model/isa/instruction.h"

namespace subcore {

struct MemoryAccess {
  bool loads = false, stores = false;

  // Must not be performed before the older access `p`.
  bool stays_behind(const MemoryAccess& p) const {
    return (stores && (p.loads || p.stores)) || (loads && p.stores);
  }
};

// Atomics load and store. So do loads without a destination, which copy to shared memory, and load/store
// instructions that are neither: fences and cache control. Without an active lane there is no access.
inline MemoryAccess memory_access_of(const Instruction& i) {
  const StaticInstruction& code = *i.code;
  if (i.mask == 0) return {};
  const bool fence = code.execution == ExecutionClass::load_store;
  switch (code.kind) {
    case InstructionKind::arithmetic:
      return {fence, fence};
    case InstructionKind::load:
      if (code.space == MemorySpace::constant) return {};
      return {true, code.destination_count == 0};
    case InstructionKind::store:
      return {false, true};
    case InstructionKind::atomic:
      return {true, true};
    default:
      return {};
  }
}

}  // namespace subcore
