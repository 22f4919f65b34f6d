// A path through a kernel's code as a compiler sees it that knows no input: straight on, both sides of each
// branch one after the other, and each loop a few times.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/model/passes/kernel_profile.h"

namespace subcore {

// The path as a warp of all lanes would run it; each loop, also of loops within loops, `loops` times. A
// branch goes back where some lane of the profile's warps did, since a trace does not say where branches
// lead. The path ends early where it would become longer than a compiler has patience for.
WarpTrace static_path(const CodeTable& code, const KernelProfile& profile, std::uint32_t loops);

}  // namespace subcore
