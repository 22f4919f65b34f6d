// Orders in which a conductor calls the modules of a cycle. Results do not depend on the order, as tests
// show.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

namespace subcore {

// The order in which a conductor calls the modules of a cycle. No result may depend on it. `pipeline` is the
// fastest order; the others are for tests.
enum class TickOrder : std::uint8_t { pipeline, reverse, shuffled };

constexpr std::array<std::string_view, 3> names(TickOrder) {
  return {"pipeline", "reverse", "shuffled"};
}

}  // namespace subcore
