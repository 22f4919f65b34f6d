// Instructions that the tracer knows by name but does not execute: those of textures, mbarriers, bulk copies,
// clusters and warpgroups.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>

namespace subcore::tracer {

// The reason, for an error, why an instruction without a row in the table is not executed: "TEX is of
// textures, which are not emulated". `opcode` is bits 0 to 8 of its encoding. Empty if its name is not known,
// either.
std::string why_not_emulated(unsigned opcode);

}  // namespace subcore::tracer
