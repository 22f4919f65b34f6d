// The forms of encoded accesses that a trace line can be turned into without going through 32 addresses.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <vector>

namespace subcore {

// Every active lane after the first lies `stride` bytes beyond the one before.
void encode_strided(std::uint64_t base, std::int64_t stride, std::vector<std::uint8_t>& out);
// `count` deltas, each from one active lane to the next.
void encode_deltas(std::uint64_t base, const std::int64_t* deltas, unsigned count,
                   std::vector<std::uint8_t>& out);

}  // namespace subcore
