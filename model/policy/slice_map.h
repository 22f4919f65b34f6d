// Which slice of the L2 a line belongs to.
#pragma once

#include <cstdint>

namespace subcore {

// Address bits folded, so that a stride of a power of two does not stay in one slice. `slices` is a power of
// two; the bits above the lowest bits() tell the lines of one slice apart.
class SliceMap {
 public:
  explicit SliceMap(unsigned slices) : mask_(slices - 1) {
    while ((1u << bits_) < slices) ++bits_;
  }
  unsigned slice(std::uint64_t line) const {
    std::uint64_t folded = line;
    if (bits_ != 0) folded ^= (line >> bits_) ^ (line >> 2 * bits_) ^ (line >> 4 * bits_);
    return static_cast<unsigned>(folded & mask_);
  }
  unsigned bits() const { return bits_; }

 private:
  std::uint64_t mask_;
  unsigned bits_ = 0;
};

}  // namespace subcore
