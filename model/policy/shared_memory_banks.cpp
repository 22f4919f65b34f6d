#include "model/policy/shared_memory_banks.h"

#include <algorithm>
#include <array>

#include "model/bits.h"

namespace subcore {

SharedMemoryPasses shared_memory_passes(const LaneAddresses& lanes, unsigned bytes_per_lane, unsigned banks,
                                        bool atomic) {
  constexpr unsigned word_bytes = 4;
  const unsigned part_lanes = bytes_per_lane <= 4   ? warp_lanes
                              : bytes_per_lane <= 8 ? warp_lanes / 2
                                                    : warp_lanes / 4;
  const std::uint32_t part_mask = bits::first<std::uint32_t>(part_lanes);
  // Words of a part, in a list per bank. A lane of at most 16 bytes touches at most five words.
  struct Word {
    std::uint64_t number;
    std::uint8_t next;
  };
  constexpr std::uint8_t end = 0xff;
  std::array<Word, 80> words;  // 8 lanes x 5, 16 x 3 or 32 x 2
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
        const auto bank = static_cast<std::size_t>(w % banks);
        std::uint8_t at = atomic ? end : first[bank];
        while (at != end && words[at].number != w) at = words[at].next;
        if (at != end) continue;  // another lane wants the same word
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

}  // namespace subcore
