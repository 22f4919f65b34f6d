// A word as a set of small numbers, with a bit for each number: lanes, warp slots, operands, sectors. The
// word may have any unsigned type.
//   for (const unsigned slot : bits::each(active)) ...      from the lowest to the highest
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

namespace subcore::bits {

// {n}
template <class Word = std::uint64_t>
constexpr Word one(std::uint64_t n) {
  return static_cast<Word>(Word{1} << n);
}
// {0, 1, ... n - 1}. `n` is smaller than the number of bits in the word.
template <class Word = std::uint64_t>
constexpr Word below(std::uint64_t n) {
  return static_cast<Word>(one<Word>(n) - 1);
}
// {0, 1, ... n - 1}. `n` is at most the number of bits in the word.
template <class Word = std::uint64_t>
constexpr Word first(std::uint64_t n) {
  return n < 8 * sizeof(Word) ? below<Word>(n) : static_cast<Word>(~Word{0});
}
// Whether n is in the set.
template <class Word>
constexpr bool has(Word set, std::uint64_t n) {
  return (set >> n & 1u) != 0;
}
// Adds n to the set.
template <class Word>
constexpr void add(Word& set, std::uint64_t n) {
  set = static_cast<Word>(set | one<Word>(n));
}
// Removes n from the set.
template <class Word>
constexpr void remove(Word& set, std::uint64_t n) {
  set = static_cast<Word>(set & ~one<Word>(n));
}
// Adds n to the set, or removes n.
template <class Word>
constexpr void set(Word& set, std::uint64_t n, bool in) {
  in ? add(set, n) : remove(set, n);
}
// The count of numbers in the set.
constexpr unsigned count(std::uint64_t set) {
  return static_cast<unsigned>(__builtin_popcountll(set));
}
// The smallest number of a set that is not empty.
constexpr unsigned lowest(std::uint64_t set) {
  return static_cast<unsigned>(__builtin_ctzll(set));
}
// The largest number of a set that is not empty.
constexpr unsigned highest(std::uint64_t set) {
  return 63u - static_cast<unsigned>(__builtin_clzll(set));
}
// The set without its smallest number. An empty set stays empty.
constexpr std::uint64_t without_lowest(std::uint64_t set) {
  return set & (set - 1);
}

// Iterates over the numbers of a set, as the set is when the loop begins.
class each {
 public:
  explicit constexpr each(std::uint64_t set) : set_(set) {}
  struct End {};
  // Gives the numbers from the smallest on.
  class Iterator {
   public:
    explicit constexpr Iterator(std::uint64_t left) : left_(left) {}
    constexpr unsigned operator*() const { return lowest(left_); }
    constexpr Iterator& operator++() {
      left_ = without_lowest(left_);
      return *this;
    }
    constexpr bool operator!=(End) const { return left_ != 0; }

   private:
    std::uint64_t left_;
  };
  constexpr Iterator begin() const { return Iterator(set_); }
  constexpr End end() const { return {}; }

 private:
  std::uint64_t set_;
};

}  // namespace subcore::bits
