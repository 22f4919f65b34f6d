// The rate at which CTAs are handed to the SMs.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

namespace subcore {

// One CTA a cycle for the whole GPU, or one a cycle for each SM that has room.
enum class CtaDispatch : std::uint8_t { gpu, sm };

constexpr std::array<std::string_view, 2> names(CtaDispatch) {
  return {"gpu", "sm"};
}

}  // namespace subcore
