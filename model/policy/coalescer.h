// Coalescing: finds the 32-byte sectors that the lanes of one warp instruction touch, in as few requests as
// possible.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "subcore/model/trace/addresses.h"

namespace subcore {

// The unit of reads and writes of memory, in bytes.
inline constexpr unsigned sector_bytes = 32;
// The unit of a cache's tag, in bytes.
inline constexpr unsigned line_bytes = 128;

// Consecutive sectors of a line, for one request.
struct MemoryRange {
  std::uint64_t address;  // multiple of sector_bytes
  std::uint32_t bytes;    // multiple of sector_bytes, within one 128-byte line
};

// Appends one range per contiguous run of touched sectors within a line, in ascending address order.
// `bytes_per_lane` is 1..32. Addresses wrap, as address arithmetic does: a lane that goes past the last byte
// of the address space goes on at byte 0.
void coalesce(const LaneAddresses& lanes, unsigned bytes_per_lane, std::vector<MemoryRange>& out);

// The sectors of a line that one request may have.
// * sectors: any run of them.
// * power_of_two: a power of two of them, at a multiple of that length, as many memory controllers want it.
// * single_sectors: one.
enum class RequestShape : std::uint8_t { sectors, power_of_two, single_sectors };
constexpr std::array<std::string_view, 3> names(RequestShape) {
  return {"sectors", "power_of_two", "single_sectors"};
}

// Calls take(first, count) for each request for a run of `count` sectors, in ascending order. The run begins
// at sector `first` of its line.
template <class Take>
void for_each_request(unsigned first, unsigned count, RequestShape shape, Take take) {
  while (count != 0) {
    unsigned part = shape == RequestShape::single_sectors ? 1 : count;
    if (shape == RequestShape::power_of_two)
      for (part = line_bytes / sector_bytes; part > count || first % part != 0;) part /= 2;
    take(first, part);
    first += part;
    count -= part;
  }
}

// Cuts each range into requests of that shape.
void shape_requests(std::vector<MemoryRange>& ranges, RequestShape shape);

// Bytes of up to one line: bit b of entry s = byte b of sector s, counted from the beginning of the range.
using ByteMask = std::array<std::uint32_t, line_bytes / sector_bytes>;
// All bytes of a sector.
inline constexpr std::uint32_t whole_sector = ~std::uint32_t{0};

// Whether the mask has each of the first `bytes` bytes, a multiple of sector_bytes.
inline bool all_bytes(const ByteMask& mask, unsigned bytes) {
  for (unsigned s = 0; s < bytes / sector_bytes; ++s) {
    if (mask[s] != whole_sector) return false;
  }
  return true;
}

// Appends the bytes that the lanes access, with one mask for each of `ranges`. coalesce() has made `ranges`
// of the same lanes.
void accessed_bytes(const LaneAddresses& lanes, unsigned bytes_per_lane,
                    const std::vector<MemoryRange>& ranges, std::vector<ByteMask>& out);

}  // namespace subcore
