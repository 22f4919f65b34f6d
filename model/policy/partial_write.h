// The treatment of results under a partial mask in caches of registers.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

namespace subcore {

// safe: a result of some lanes on top of an older value that others still need only completes a copy that is
// there. ignore: it allocates like a whole one, as the papers' simulators have it, which do not look at
// lanes.
enum class PartialWrite : std::uint8_t { safe, ignore };

constexpr std::array<std::string_view, 2> names(PartialWrite) {
  return {"safe", "ignore"};
}

}  // namespace subcore
