// Lane addresses of one memory instruction, in a compact encoding beside a warp's records.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore {

struct LaneAddresses {
  std::uint32_t mask = 0;                           // lanes that access memory
  std::array<std::uint64_t, warp_lanes> address{};  // bytes; valid where the mask is set
  // Bytes from each active lane to the next, if known to be the same for all lanes; else 0.
  std::uint64_t stride = 0;
};

// Appends one access. The encoding starts with its length in two bytes, so that a reader can skip it.
void encode_addresses(const LaneAddresses& lanes, std::vector<std::uint8_t>& out);
// The addresses of the lanes in `mask`, which must be the mask with which they were encoded.
void decode_addresses(const std::uint8_t* encoded, std::uint32_t mask, LaneAddresses& out);
// The number of bytes of the access at `encoded`.
inline std::size_t encoded_size(const std::uint8_t* encoded) {
  return static_cast<std::size_t>(encoded[0]) | (static_cast<std::size_t>(encoded[1]) << 8);
}
// The address of the first lane in the access at `encoded`.
inline std::uint64_t first_address(const std::uint8_t* encoded) {
  std::uint64_t base;
  std::memcpy(&base, encoded + 3, sizeof base);
  return base;
}

// Appends an access in which every active lane lies `stride` bytes behind the active lane before it.
void encode_strided(std::uint64_t base, std::int64_t stride, std::vector<std::uint8_t>& out);
// Appends an access with `count` deltas, each from one active lane to the next.
void encode_deltas(std::uint64_t base, const std::int64_t* deltas, unsigned count,
                   std::vector<std::uint8_t>& out);

}  // namespace subcore
