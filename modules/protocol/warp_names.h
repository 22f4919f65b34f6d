// The notation for warps in all outputs for people: "s3" is a warp slot of a sub-core, and "w13" is a warp by
// its number in its kernel.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// The notation of a warp slot of a sub-core, 0 or more.
inline std::string slot_name(unsigned slot) {
  return 's' + std::to_string(slot);
}
// The number of the instruction's warp in its kernel, from 0 on, in the order of the trace. Tests make
// instructions that do not know their warp; these have the number that the SM has given the warp.
inline std::uint32_t warp_number(const Instruction& i) {
  return i.warp != nullptr ? i.warp->number : i.warp_uid;
}
// The notation of the instruction's warp.
inline std::string warp_name(const Instruction& i) {
  return 'w' + std::to_string(warp_number(i));
}

}  // namespace subcore
