// IndexSet: a set of small numbers, as many as it is made for, with a bit for each. bits.h has the same for
// as many numbers as a word has bits.
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

  // The number n, below `size`, is in the set from now on.
  void add(std::size_t n) { bits::add(words_[n / 64], n % 64); }
  // The number n, below `size`, is not in the set from now on.
  void remove(std::size_t n) { bits::remove(words_[n / 64], n % 64); }
  // Whether n, below `size`, is in the set.
  bool has(std::size_t n) const { return bits::has(words_[n / 64], n % 64); }
  // Whether no number is in the set.
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w == 0; });
  }
  // Calls visit(n) for the numbers of the set, from the smallest on. visit() may take out any number, and add
  // n or a smaller one.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (const unsigned bit : bits::each(words_[w])) visit(static_cast<unsigned>(w * 64) + bit);
  }
  // Calls visit(n) for the numbers of the set, from the smallest on, and takes each out before its call. A
  // number that visit() adds is visited, too, unless numbers behind its word of 64 have been visited.
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
