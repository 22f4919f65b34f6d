// The same platform again, where chance may fall otherwise: another seed, and another start (--seeds).
#pragma once

#include <cstdint>

#include "platforms/config/platform.h"

namespace subcore {

// Runs of a platform on a trace, at most.
inline constexpr std::uint64_t most_seeds = 1000;
// Starts are later by less than this, in cycles: by any part of a usual interval.
inline constexpr std::uint64_t latest_start = 10000;

// The platform as member `n` of several, 1 or more, under a name of its own; member 0 is the platform itself.
// The seed is the next but n, and the start is later by 1 to latest_start - 1 cycles, by the platform's seed
// and n.
PlatformParameters member_of(const PlatformParameters& platform, std::uint64_t n);

}  // namespace subcore
