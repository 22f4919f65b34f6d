// Functions that map a line's number to a set of a cache, or to a slice of the L2.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/base/bits.h"

namespace subcore {

// How an index is made from a line's number. linear: the lowest bits. hashed: the lowest bits, with the bits
// above folded onto them by exclusive or. Lines at a stride of a power of two then do not share one index.
enum class IndexFunction : std::uint8_t { linear, hashed };
constexpr std::array<std::string_view, 2> names(IndexFunction) {
  return {"linear", "hashed"};
}

// Finds the set of a line. `sets` is a power of two. The lowest `skipped_bits` of a line's number are left
// out. These bits have chosen the slice, so they are the same for all lines of the cache.
class SetMap {
 public:
  SetMap(IndexFunction function, std::uint64_t sets, unsigned skipped_bits)
      : function_(function), mask_(sets - 1), bits_(bits::lowest(sets)), skipped_bits_(skipped_bits) {}
  std::uint64_t set(std::uint64_t line) const {
    std::uint64_t index = line >> skipped_bits_;
    if (function_ == IndexFunction::hashed && bits_ != 0) {
      for (std::uint64_t above = index >> bits_; above != 0; above >>= bits_) index ^= above & mask_;
    }
    return index & mask_;
  }

 private:
  IndexFunction function_;
  std::uint64_t mask_;
  unsigned bits_, skipped_bits_;
};

// Finds the slice of the L2 to which a line belongs.

// `slices` is a power of two. The bits above the lowest bits() distinguish the lines of one slice. With
// IndexFunction::hashed, three groups of higher bits are folded onto the lowest, so that lines at a stride of
// a power of two do not share one slice.
class SliceMap {
 public:
  explicit SliceMap(unsigned slices, IndexFunction function = IndexFunction::hashed)
      : function_(function), mask_(slices - 1), bits_(bits::lowest(slices)) {}
  unsigned slice(std::uint64_t line) const {
    std::uint64_t folded = line;
    if (function_ == IndexFunction::hashed && bits_ != 0)
      folded ^= (line >> bits_) ^ (line >> 2 * bits_) ^ (line >> 4 * bits_);
    return static_cast<unsigned>(folded & mask_);
  }
  unsigned bits() const { return bits_; }

 private:
  IndexFunction function_;
  std::uint64_t mask_;
  unsigned bits_;
};

}  // namespace subcore
