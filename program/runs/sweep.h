// A grid of parameters, over which a scenario varies its platforms.
#pragma once

#include <string>
#include <vector>

namespace subcore {

struct SweepAxis {
  std::string key;                  // a parameter's key: sub_core.collector.count
  std::vector<std::string> values;  // a value at least
};

struct SweepPoint {
  std::vector<std::string> overrides;  // assignments as for --set; a sweep's have one per axis
  std::string name;                    // "count=4,entries=8"; empty without axes
};

// Every combination of values, those of the last axis next to each other. In names a key is as short as tells
// it from the others, and a file is its name without folder and suffix.
std::vector<SweepPoint> points_of(const std::vector<SweepAxis>& axes);

// Each point as it is, then with each of the variations alone.
std::vector<SweepPoint> with_variations(const std::vector<SweepPoint>& points,
                                        const std::vector<SweepPoint>& variations);

}  // namespace subcore
