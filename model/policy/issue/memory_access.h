// An instruction's access to memory, as far as the order of accesses within a warp goes (SOCGPU, section 3).
// Shared, global and local memory are one; constants do not count.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/isa/instruction.h"

namespace subcore {

struct MemoryAccess {
  bool loads = false, stores = false;
  bool copies =
      false;  // to shared memory, in its own time (LDGSTS): what it writes is waited for by a barrier

  // Must not be performed before the older access `p`. A copy must not overwrite what an older access has yet
  // to read, but nothing younger waits for what it writes, nor does a copy for another.
  bool stays_behind(const MemoryAccess& p) const {
    return (stores && (p.loads || p.stores)) || (loads && p.stores) || (copies && p.loads && !p.copies);
  }
  // Whether it is enough that both enter the load/store unit in order: nobody waits for a copy's end here.
  bool follows_in_unit(const MemoryAccess& p) const { return copies || p.copies; }
};

// Atomics load and store, and so do load/store instructions that are neither: fences and cache control, and
// where there is a copy engine bulk copies and what has to do with mbarriers. The end of a group of copies
// and any other arrival behind copies go their way, but order nothing. Without an active lane there is no
// access.
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
