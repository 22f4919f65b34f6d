// A platform in several forms: over a grid of parameters, with variations, and with other seeds and starts,
// so that chance falls otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/platforms/config/platform.h"

namespace subcore {

struct SweepAxis {
  std::string key;                  // a parameter's key: sub_core.collector.count
  std::vector<std::string> values;  // a value at least
};

struct SweepPoint {
  std::vector<std::string> overrides;  // assignments as for --set; a sweep's have one per axis
  std::string name;                    // "count=4,entries=8"; empty without axes
};

// The values that a point sets, by key; the last one of a key counts, and a file is as in names.
ByName<std::string> values_of(const SweepPoint& point);

// Every combination of values, those of the last axis next to each other. In names a key is as short as tells
// it from the others, and a file is its name without folder and suffix.
std::vector<SweepPoint> points_of(const std::vector<SweepAxis>& axes);

// Each point as it is, then with each of the variations alone.
std::vector<SweepPoint> with_variations(const std::vector<SweepPoint>& points,
                                        const std::vector<SweepPoint>& variations);

// The most runs of a platform on a trace, by --seeds.
inline constexpr std::uint64_t most_seeds = 1000;

// The platform for run `n` of --seeds, 1 or more, with a name of its own; run 0 is of the platform itself.
// The seed is the platform's plus n. The start is later by 1 to 9999 cycles, chosen by the platform's seed
// and n.
PlatformParameters member_of(const PlatformParameters& platform, std::uint64_t n);

}  // namespace subcore
