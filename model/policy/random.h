// A small deterministic generator for the random choices of the papers (splitmix64). Each module that draws
// has its own generator, whose seed comes from the platform's seed and the module's place. No other module
// can disturb it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/base/bits.h"

namespace subcore {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // A uniform number of 0..n-1; n >= 1. For n = 1 nothing is drawn.
  unsigned below(unsigned n) { return n <= 1 ? 0 : static_cast<unsigned>(((next() >> 32) * n) >> 32); }
  // The position of a uniformly chosen set bit; mask != 0.
  unsigned pick(std::uint64_t mask) {
    unsigned count =
        0;  // counted by hand: where the processor may lack the instruction, bits::count is a call
    for (std::uint64_t left = mask; left != 0; left = bits::without_lowest(left)) ++count;
    for (unsigned skip = below(count); skip > 0; --skip) mask = bits::without_lowest(mask);
    return bits::lowest(mask);
  }

 private:
  std::uint64_t state_;
};

}  // namespace subcore
