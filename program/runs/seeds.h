// --seeds runs a platform several times: with other seeds and starts, so that chance falls otherwise.
#pragma once

#include <cstdint>

#include "subcore/platforms/config/platform.h"

namespace subcore {

// The most runs of a platform on a trace.
inline constexpr std::uint64_t most_seeds = 1000;
// Starts are later by fewer cycles than this, which is a usual interval, so that they fall anywhere in one.
inline constexpr std::uint64_t latest_start = 10000;

// The platform for run `n`, 1 or more, with a name of its own; run 0 is of the platform itself. The seed is
// the platform's plus n. The start is later by 1 to latest_start - 1 cycles, chosen by the platform's seed
// and n.
PlatformParameters member_of(const PlatformParameters& platform, std::uint64_t n);

}  // namespace subcore
