// Which slice of the L2 a line belongs to.
#pragma once

#include <cstdint>

#include "model/policy/index_function.h"

namespace subcore {

// `slices` is a power of two; the bits above the lowest bits() tell the lines of one slice apart. Hashed:
// three groups of higher bits are folded onto the lowest, so that a stride of a power of two does not stay in
// one slice.
class SliceMap {
 public:
  explicit SliceMap(unsigned slices, IndexFunction function = IndexFunction::hashed)
      : function_(function), mask_(slices - 1) {
    while ((1u << bits_) < slices) ++bits_;
  }
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
  unsigned bits_ = 0;
};

}  // namespace subcore
