// Coalescing: the 32-byte sectors that the lanes of one warp instruction touch, as few requests as possible.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/trace/addresses.h"

namespace subcore {

inline constexpr unsigned sector_bytes = 32;
inline constexpr unsigned line_bytes = 128;

struct MemoryRange {
  std::uint64_t address;  // multiple of sector_bytes
  std::uint32_t bytes;    // multiple of sector_bytes, within one 128-byte line
};

// Appends one range per contiguous run of touched sectors within a line, in ascending address order.
// `bytes_per_lane` is 1..16. Addresses wrap, as address arithmetic does: a lane that goes past the last byte
// of the address space goes on at byte 0.
void coalesce(const LaneAddresses& lanes, unsigned bytes_per_lane, std::vector<MemoryRange>& out);

// Bytes of up to one line: bit b of entry s = byte b of sector s, counted from where the range begins.
using ByteMask = std::array<std::uint32_t, line_bytes / sector_bytes>;
inline constexpr std::uint32_t whole_sector = ~std::uint32_t{0};

inline bool all_bytes(const ByteMask& mask, unsigned bytes) {
  for (unsigned s = 0; s < bytes / sector_bytes; ++s) {
    if (mask[s] != whole_sector) return false;
  }
  return true;
}

// Appends the bytes that the lanes access, one mask for each of `ranges`, which coalesce() has made of the
// same lanes.
void accessed_bytes(const LaneAddresses& lanes, unsigned bytes_per_lane,
                    const std::vector<MemoryRange>& ranges, std::vector<ByteMask>& out);

}  // namespace subcore
