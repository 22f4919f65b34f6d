#include "subcore/model/policy/coalescer.h"

#include <algorithm>
#include <array>

#include "subcore/base/bits.h"

namespace subcore {

void coalesce(const LaneAddresses& lanes, unsigned bytes_per_lane, std::vector<MemoryRange>& out) {
  // A lane of at most 32 bytes touches at most two sectors.
  std::array<std::uint64_t, std::size_t{2} * warp_lanes> sectors;
  std::size_t count = 0;
  for (const unsigned lane : bits::each(lanes.mask)) {
    const std::uint64_t first = lanes.address[lane];
    const std::uint64_t last = (first + bytes_per_lane - 1) / sector_bytes;  // sector 0 if it wraps
    for (std::uint64_t s = first / sector_bytes;; s = last) {
      if (count == 0 || sectors[count - 1] != s) sectors[count++] = s;  // neighbours mostly share a sector
      if (s == last) break;
    }
  }
  if (!std::is_sorted(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(count))) {
    std::sort(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(count));
  }
  constexpr std::uint64_t per_line = line_bytes / sector_bytes;
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i + 1;
    std::uint64_t last = sectors[i];
    while (end < count && sectors[end] <= last + 1 && sectors[end] / per_line == last / per_line)
      last = sectors[end++];
    out.push_back(
        {sectors[i] * sector_bytes, static_cast<std::uint32_t>((last - sectors[i] + 1) * sector_bytes)});
    i = end;
  }
}

void accessed_bytes(const LaneAddresses& lanes, unsigned bytes_per_lane,
                    const std::vector<MemoryRange>& ranges, std::vector<ByteMask>& out) {
  const std::size_t first = out.size();
  out.resize(first + ranges.size(), ByteMask{});
  std::size_t r = 0;  // neighbours mostly share a range
  for (const unsigned lane : bits::each(lanes.mask)) {
    std::uint64_t address = lanes.address[lane];
    for (unsigned bytes = bytes_per_lane; bytes != 0;) {
      const auto offset = static_cast<unsigned>(address % sector_bytes);
      const unsigned here = std::min(bytes, sector_bytes - offset);
      // A difference, as the end of a range at the top of the address space is no address.
      while (address - ranges[r].address >= ranges[r].bytes) r = r + 1 == ranges.size() ? 0 : r + 1;
      const std::uint32_t mask = bits::first<std::uint32_t>(here) << offset;
      out[first + r][(address - ranges[r].address) / sector_bytes] |= mask;
      address += here;
      bytes -= here;
    }
  }
}

void shape_requests(std::vector<MemoryRange>& ranges, RequestShape shape) {
  if (shape == RequestShape::sectors) return;
  std::vector<MemoryRange> shaped;
  for (const MemoryRange& r : ranges) {
    const std::uint64_t line = r.address / line_bytes * line_bytes;
    for_each_request(static_cast<unsigned>(r.address % line_bytes) / sector_bytes, r.bytes / sector_bytes,
                     shape, [&](unsigned first, unsigned count) {
                       shaped.push_back({line + first * sector_bytes, count * sector_bytes});
                     });
  }
  ranges = std::move(shaped);
}

}  // namespace subcore
