#include "subcore/model/policy/coalescer.h"

#include <algorithm>
#include <array>

#include "subcore/base/bits.h"

namespace subcore {
namespace {

// Bytes without a gap. The lanes of a warp that walks through an array touch such a block, as most accesses
// do.
struct Block {
  std::uint64_t begin = 0, bytes = 0;  // 0 bytes: the lanes leave gaps, or the block is unknown
};
Block block_of(const LaneAddresses& lanes, unsigned bytes_per_lane) {
  if (lanes.mask == 0 || lanes.stride != bytes_per_lane) return {};
  const Block b{lanes.address[bits::lowest(lanes.mask)], bits::count(lanes.mask) * bytes_per_lane};
  return b.begin + b.bytes > b.begin ? b : Block{};  // a block must not wrap
}

void coalesce(const Block& block, std::vector<MemoryRange>& out) {
  std::uint64_t s = block.begin / sector_bytes;
  const std::uint64_t end = (block.begin + block.bytes - 1) / sector_bytes + 1;
  constexpr std::uint64_t per_line = line_bytes / sector_bytes;
  while (s != end) {
    const std::uint64_t count = std::min(end - s, per_line - s % per_line);
    out.push_back({s * sector_bytes, static_cast<std::uint32_t>(count * sector_bytes)});
    s += count;
  }
}

// The bytes of a block in one of its sectors, as a mask. The sector has at least one of them.
std::uint32_t bytes_in_sector(const Block& block, std::uint64_t sector_begin) {
  const std::uint64_t left = block.begin + block.bytes - sector_begin;
  const auto first = block.begin > sector_begin ? static_cast<unsigned>(block.begin - sector_begin) : 0u;
  const unsigned end = left < sector_bytes ? static_cast<unsigned>(left) : sector_bytes;
  return bits::first<std::uint32_t>(end - first) << first;
}

}  // namespace

void coalesce(const LaneAddresses& lanes, unsigned bytes_per_lane, std::vector<MemoryRange>& out) {
  if (const Block block = block_of(lanes, bytes_per_lane); block.bytes != 0) return coalesce(block, out);
  // A lane of at most 32 bytes touches at most two sectors.
  std::array<std::uint64_t, std::size_t{2} * warp_lanes> sectors;
  std::size_t count = 0;
  for (const unsigned lane : bits::each(lanes.mask)) {
    const std::uint64_t first = lanes.address[lane];
    const std::uint64_t last = (first + bytes_per_lane - 1) / sector_bytes;  // 0 if the address wraps
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
  if (const Block block = block_of(lanes, bytes_per_lane); block.bytes != 0) {
    for (std::size_t r = 0; r < ranges.size(); ++r)
      for (unsigned s = 0; s < ranges[r].bytes / sector_bytes; ++s)
        out[first + r][s] = bytes_in_sector(block, ranges[r].address + s * sector_bytes);
    return;
  }
  std::size_t r = 0;  // neighbouring lanes mostly share a range
  for (const unsigned lane : bits::each(lanes.mask)) {
    std::uint64_t address = lanes.address[lane];
    for (unsigned bytes = bytes_per_lane; bytes != 0;) {
      const auto offset = static_cast<unsigned>(address % sector_bytes);
      const unsigned here = std::min(bytes, sector_bytes - offset);
      // Compares differences, because the end of a range at the top of the address space is no address.
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
