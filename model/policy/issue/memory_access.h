// An instruction's access to memory, as far as it matters for the order of accesses within a warp (SOCGPU,
// section 3). Shared, global and local memory count as one memory. Constants do not count.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/isa/instruction.h"

namespace subcore {

struct MemoryAccess {
  bool loads = false, stores = false;
  bool copies = false;  // an asynchronous copy to shared memory (LDGSTS); a barrier waits for its writes

  // Whether this access must not be performed before the older access `p`. A copy must not overwrite data
  // that an older access has yet to read. No younger access, a copy included, waits for a copy's writes.
  bool stays_behind(const MemoryAccess& p) const {
    return (stores && (p.loads || p.stores)) || (loads && p.stores) || (copies && p.loads && !p.copies);
  }
  // Whether it is enough that both enter the load/store unit in order, because no access waits for a copy's
  // end.
  bool follows_in_unit(const MemoryAccess& p) const { return copies || p.copies; }
};

// Atomics both load and store. So do load/store instructions that do neither: fences and cache control and,
// with a copy engine, bulk copies and operations on mbarriers. The end of a group of copies, and other
// arrivals behind copies, use the load/store path but order nothing. An instruction without an active lane
// makes no access.
inline MemoryAccess memory_access_of(const Instruction& i) {
  const StaticInstruction& code = *i.code;
  if (i.mask == 0) return {};
  switch (code.kind) {
    case InstructionKind::arithmetic: {
      const bool fence = code.execution == ExecutionClass::load_store &&
                         (code.copies == CopyStep::none || code.async != AsyncStep::none);
      return {fence, fence};
    }
    case InstructionKind::load:
      if (code.space == MemorySpace::constant) return {};
      return {true, false, code.copies == CopyStep::copy};
    case InstructionKind::store:
      return {false, true};
    case InstructionKind::atomic:
      return {true, true};
    default:
      return {};
  }
}

}  // namespace subcore
