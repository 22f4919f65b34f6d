// Instructions that are known by name and not executed: those of textures, mbarriers, bulk copies, clusters
// and warpgroups.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>

namespace subcore::tracer {

// Why an instruction that no row of the table is for is not executed, for an error: "TEX is of textures,
// which are not emulated". `opcode`: bits 0 to 8 of its encoding. Empty if its name is not known either.
std::string why_not_emulated(unsigned opcode);

}  // namespace subcore::tracer
