#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/isa/instruction.h"

namespace subcore {

// A cycle that does not come: no module waits, or the cycle is not known.
inline constexpr Cycle never = ~Cycle{0};

}  // namespace subcore
