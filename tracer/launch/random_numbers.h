// Random numbers from a seed, the same on every machine. The C++ standard fixes the generator, but not the
// results of its distributions.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cmath>
#include <cstdint>
#include <random>

namespace subcore::tracer {

class RandomNumbers {
 public:
  RandomNumbers(std::uint32_t seed, std::uint64_t skip) : generator_(seed) { generator_.discard(skip); }

  // A float from `low` to below `high`, or `high` by rounding.
  float real(float low, float high) {
    float share = static_cast<float>(static_cast<std::uint32_t>(generator_())) / 4294967296.0f;
    if (share >= 1) share = std::nextafter(1.0f, 0.0f);
    return share * (high - low) + low;
  }
  // A whole number from `low` to `high`, all equally likely.
  std::int32_t whole(std::int32_t low, std::int32_t high) {
    const auto range = static_cast<std::uint32_t>(std::int64_t{high} - low + 1);
    if (range == 0) return static_cast<std::int32_t>(static_cast<std::uint32_t>(generator_()));
    // The upper half of a product is a number below the range. A few products would make some numbers more
    // likely.
    const std::uint32_t too_often = (0 - range) % range;
    for (;;) {
      const std::uint64_t product = std::uint64_t{static_cast<std::uint32_t>(generator_())} * range;
      if (static_cast<std::uint32_t>(product) >= too_often)
        return static_cast<std::int32_t>(low + static_cast<std::int64_t>(product >> 32));
    }
  }

 private:
  std::mt19937 generator_;
};

}  // namespace subcore::tracer
