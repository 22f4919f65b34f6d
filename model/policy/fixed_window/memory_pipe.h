// The path of a memory instruction between its registers and the load/store unit of the SM (Huerta, MICRO
// 2025, from measured distances). A sub-core computes the addresses of eight lanes per cycle, or of sixteen
// for shared memory and for addresses that all lanes have in common. A store's data follow behind its
// addresses.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// The number of registers that a store reads for its data.
inline unsigned data_registers(const StaticInstruction& s) {
  if (s.kind != InstructionKind::store) return 0;
  return std::min<unsigned>(s.source_count, std::max(1u, s.memory_bytes / 4u));
}
// Whether a register is part of the address. Other addresses are a constant or a uniform register alone.
inline bool has_address_in_registers(const StaticInstruction& s) {
  return s.source_count > data_registers(s);
}

// Cycles in which the instruction occupies the sub-core's address unit.
inline unsigned address_cycles(const StaticInstruction& s) {
  return s.space != MemorySpace::shared && has_address_in_registers(s) ? 4 : 2;
}
// Cycles behind address_cycles() until a store's data have gone.
inline unsigned data_cycles(const StaticInstruction& s) {
  const unsigned registers = data_registers(s);
  return registers == 0 ? 0 : 2 * registers - 1 + (has_address_in_registers(s) ? 2 : 0);
}

}  // namespace subcore
