// Coalescing: the 32-byte sectors that the lanes of one warp instruction touch, as few requests as possible.
#pragma once

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
// `bytes_per_lane` is 1..16.
void coalesce(const LaneAddresses& lanes, unsigned bytes_per_lane, std::vector<MemoryRange>& out);

}  // namespace subcore
