// A platform in several forms: over a grid of parameters, with variations, and with other seeds and starts,
// so that chance falls out differently.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/platforms/config/platform.h"

namespace subcore {

struct SweepAxis {
  std::string key;                  // a parameter's key: sub_core.collector.count
  std::vector<std::string> values;  // at least one value
};

struct SweepPoint {
  std::vector<std::string> overrides;  // assignments as for --set; a sweep has one per axis
  std::string name;                    // "count=4,entries=8"; empty without axes
};

// The values that a point sets, by key. The last value of a key counts, and a file is shortened as in names.
ByName<std::string> values_of(const SweepPoint& point);

// All combinations of values. Values of the last axis are next to each other. In names, a key is as short as
// its difference from the other keys allows, and a file is its name without folder and suffix.
std::vector<SweepPoint> points_of(const std::vector<SweepAxis>& axes);

// Each point as it is, and then with each of the variations alone.
std::vector<SweepPoint> with_variations(const std::vector<SweepPoint>& points,
                                        const std::vector<SweepPoint>& variations);

// The most runs that --seeds makes of a platform on a trace.
inline constexpr std::uint64_t most_seeds = 1000;

// The platform for run `n` of --seeds, 1 or more, with a name of its own. Run 0 is of the platform itself.
// The seed is the platform's plus n. The start is later by 1 to 9999 cycles, which the platform's seed and n
// decide.
PlatformParameters member_of(const PlatformParameters& platform, std::uint64_t n);

}  // namespace subcore
