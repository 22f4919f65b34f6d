// The treatment of results under a partial mask in caches of registers.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

namespace subcore {

// With safe, a result of some lanes, on top of an older value that is still needed, only completes an
// existing copy. With ignore, such a result allocates like a whole one, as in the papers' simulators, which
// do not model lanes.
enum class PartialWrite : std::uint8_t { safe, ignore };

constexpr std::array<std::string_view, 2> names(PartialWrite) {
  return {"safe", "ignore"};
}

}  // namespace subcore
