// Random traces of kernels whose divergent paths write the same registers, with results that come at
// different times. Some units take long, and the control bits of the sidecar let one path go on while a
// result of the other is on its way. The bits are as tight as distances and barriers allow. The bits keep
// dependences between instructions that have lanes in common, and no others.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/random/random_trace.h"

namespace subcore::random {

// kernelslist.g, one kernel of binary version 75, and its sidecar. A seed gives the same bytes on every
// machine.
std::vector<TraceFile> divergent_trace(std::uint64_t seed);

}  // namespace subcore::random
