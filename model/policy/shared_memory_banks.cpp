#include "subcore/model/policy/shared_memory_banks.h"

#include <algorithm>
#include <array>

#include "subcore/base/bits.h"

namespace subcore {
namespace {

constexpr unsigned word_bytes = 4;

// Whether each active lane has its own word, in the order of the lanes and with a gap for each inactive lane.
// A warp that walks through an array has such words. If there are as many banks as lanes, all words are in
// different banks.
bool one_word_after_another(const LaneAddresses& lanes, unsigned bytes_per_lane) {
  if (bytes_per_lane > word_bytes || lanes.mask == 0) return false;
  const unsigned first = bits::lowest(lanes.mask);
  const std::uint64_t begin = lanes.address[first] - first * word_bytes;
  if (begin % word_bytes + bytes_per_lane > word_bytes) return false;
  std::uint64_t different = 0;
  for (const unsigned lane : bits::each(lanes.mask))
    different |= lanes.address[lane] - lane * word_bytes - begin;
  return different == 0;
}

}  // namespace

SharedMemoryPasses shared_memory_passes(const LaneAddresses& lanes, unsigned bytes_per_lane, unsigned banks,
                                        bool atomic) {
  if (banks >= warp_lanes && one_word_after_another(lanes, bytes_per_lane)) return {1, 1};
  const unsigned part_lanes = bytes_per_lane <= 4   ? warp_lanes
                              : bytes_per_lane <= 8 ? warp_lanes / 2
                                                    : warp_lanes / 4;
  const std::uint32_t part_mask = bits::first<std::uint32_t>(part_lanes);
  // The words of a part, in one list per bank. A lane of at most 32 bytes touches at most nine words.
  struct Word {
    std::uint64_t number;
    std::uint8_t next;
  };
  constexpr std::uint8_t end = 0xff;
  std::array<Word, 80> words;  // 8 lanes x 9, 16 x 3 or 32 x 2
  std::array<std::uint8_t, 64> first;
  std::array<std::uint8_t, 64> count;
  SharedMemoryPasses result;
  for (unsigned begin = 0; begin < warp_lanes; begin += part_lanes) {
    const std::uint32_t part = lanes.mask & (part_mask << begin);
    if (part == 0) continue;
    std::fill_n(first.begin(), banks, end);
    std::fill_n(count.begin(), banks, std::uint8_t{0});
    unsigned used = 0;
    std::uint8_t most = 0;
    for (const unsigned lane : bits::each(part)) {
      const std::uint64_t address = lanes.address[lane];
      const auto touched =
          static_cast<unsigned>((address % word_bytes + bytes_per_lane + word_bytes - 1) / word_bytes);
      for (unsigned n = 0; n < touched; ++n) {
        const std::uint64_t w = (address + n * word_bytes) / word_bytes;  // wraps, as in coalesce()
        const auto bank = static_cast<std::size_t>(w & (banks - 1));
        std::uint8_t at = atomic ? end : first[bank];
        while (at != end && words[at].number != w) at = words[at].next;
        if (at != end) continue;  // another lane has the same word
        words[used] = {w, first[bank]};
        first[bank] = static_cast<std::uint8_t>(used++);
        most = std::max(most, ++count[bank]);
      }
    }
    result.passes += most;
    ++result.parts;
  }
  return result;
}

SharedMemoryPasses matrix_passes(const LaneAddresses& lanes, unsigned matrices, unsigned banks) {
  constexpr unsigned rows = 8, row_bytes = 16;
  LaneAddresses of_rows = lanes;
  of_rows.mask &= bits::first<std::uint32_t>(rows * matrices);
  if (of_rows.mask == 0) return {1, 1};
  return shared_memory_passes(of_rows, row_bytes, banks, false);
}

}  // namespace subcore
