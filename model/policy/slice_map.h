// The slice of the L2 that a line belongs to.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/base/bits.h"
#include "subcore/model/policy/index_function.h"

namespace subcore {

// `slices` is a power of two. The bits above the lowest bits() tell the lines of one slice apart. With
// IndexFunction::hashed three groups of higher bits are folded onto the lowest, so that lines at a stride of
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
