// Random traces of kernels whose divergent paths write the same registers, with results that come at
// different times: some units take long, and a compiler that knows the lanes lets one path go on while a
// result of the other is on its way. The sidecar has such control bits, as tight as distances and barriers
// allow: between instructions that have lanes in common every dependence is kept, between others none.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/random/random_trace.h"

namespace subcore::random {

// kernelslist.g, one kernel of binary version 75, and its sidecar. A seed gives the same bytes on every
// machine.
std::vector<TraceFile> divergent_trace(std::uint64_t seed);

}  // namespace subcore::random
