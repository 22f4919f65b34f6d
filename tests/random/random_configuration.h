// Random configurations: a shipped platform with a handful of parameters set to values inside and outside of
// their ranges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/random/draws.h"

namespace subcore::random {

struct Configuration {
  std::string platform;
  std::vector<std::string> overrides;  // key=value, without blanks
};

// Most configurations are accepted by the reader. None asks for more SMs, warps or cache than a short run can
// afford, and none switches off a check or a guard on purpose.
Configuration random_configuration(std::uint64_t seed);
Configuration random_configuration(Draws& draws);

}  // namespace subcore::random
