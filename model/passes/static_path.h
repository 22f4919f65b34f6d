// A path through a kernel's code, for a compiler that knows no input. The path goes straight on, takes both
// sides of each branch one after the other, and takes each loop a few times.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/model/passes/kernel_profile.h"

namespace subcore {

// The path as a warp with all lanes would run it. Each loop, nested or not, is taken `loops` times. A trace
// does not say where branches lead, so a branch goes back where some lane in the profile did. The path ends
// early if it becomes longer than a compiler would follow.
WarpTrace static_path(const CodeTable& code, const KernelProfile& profile, std::uint32_t loops);

}  // namespace subcore
