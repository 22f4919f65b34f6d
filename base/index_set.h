// IndexSet: a set of small numbers, with a bit for each. The constructor says how many numbers there may be.
// bits.h has the same for as many numbers as a word has bits.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "subcore/base/bits.h"

namespace subcore {

class IndexSet {
 public:
  // A set, empty at first, of numbers below `size`.
  explicit IndexSet(std::size_t size = 0) : words_((size + 63) / 64) {}

  // Adds n, which is below `size`.
  void add(std::size_t n) { bits::add(words_[n / 64], n % 64); }
  // Removes n, which is below `size`.
  void remove(std::size_t n) { bits::remove(words_[n / 64], n % 64); }
  // Whether n, below `size`, is in the set.
  bool has(std::size_t n) const { return bits::has(words_[n / 64], n % 64); }
  // Whether no number is in the set.
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w == 0; });
  }
  // Calls visit(n) for each number of the set, from the smallest on. visit() may remove any number, and may
  // add n or a smaller number.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (const unsigned bit : bits::each(words_[w])) visit(static_cast<unsigned>(w * 64) + bit);
  }
  // Calls visit(n) for each number of the set, from the smallest on, and removes each before its call.
  // Numbers that visit() adds are visited, too, unless the loop has already left their word of 64 numbers.
  template <class Visit>
  void take(Visit visit) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      while (words_[w] != 0) {
        const unsigned bit = bits::lowest(words_[w]);
        words_[w] = bits::without_lowest(words_[w]);
        visit(static_cast<unsigned>(w * 64) + bit);
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace subcore
