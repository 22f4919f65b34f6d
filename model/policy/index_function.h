// Which of a power of two of places a line belongs to, by bits of its number.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace subcore {

// linear: the lowest bits. hashed: these, with the bits above folded onto them by exclusive or, so that a
// stride of a power of two does not stay in one place.
enum class IndexFunction : std::uint8_t { linear, hashed };
constexpr std::array<std::string_view, 2> names(IndexFunction) {
  return {"linear", "hashed"};
}

// The set of a cache that a line belongs to. `sets` is a power of two; the lowest `skipped_bits` of a line's
// number say nothing (they have chosen the slice).
class SetMap {
 public:
  SetMap(IndexFunction function, std::uint64_t sets, unsigned skipped_bits)
      : function_(function), mask_(sets - 1), skipped_bits_(skipped_bits) {
    while ((std::uint64_t{1} << bits_) < sets) ++bits_;
  }
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
  unsigned bits_ = 0, skipped_bits_;
};

}  // namespace subcore
