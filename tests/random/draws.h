// Draws: the source of random inputs, from a seed or from bytes that a fuzzer has invented.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "subcore/model/policy/random.h"

namespace subcore::random {

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}
  // Takes the bytes in order, so that a change of one byte changes one draw. Behind the last byte, draws come
  // from a fixed seed. The bytes must outlive this object.
  explicit Draws(std::string_view bytes) : bytes_(bytes), random_(0) {}

  std::uint64_t next() { return bytes_.empty() ? random_.next() : taken(8); }
  // Uniform in 0..n-1 if seeds or bytes are uniform; n >= 1.
  unsigned below(unsigned n) {
    if (bytes_.empty() || n <= 1) return random_.below(n);
    return static_cast<unsigned>(taken(n <= 256 ? 1 : 4) % n);
  }

 private:
  std::uint64_t taken(std::size_t count) {
    std::uint64_t value = 0;
    for (count = std::min(count, bytes_.size()); count > 0; --count, bytes_.remove_prefix(1))
      value = value << 8 | static_cast<unsigned char>(bytes_.front());
    return value;
  }

  std::string_view bytes_;
  Random random_;
};

}  // namespace subcore::random
