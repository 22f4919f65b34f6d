#include "subcore/tracer/machine/numbers.h"

namespace subcore::tracer {
namespace {

constexpr Half half_infinity = 0x7c00, half_nan = 0x7fff, half_sign = 0x8000;

}  // namespace

float half_value(Half half) {
  const int exponent = half >> 10 & 31, fraction = half & 0x3ff;
  float value;
  if (exponent == 31)
    value = fraction == 0 ? HUGE_VALF : std::nanf("");
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(fraction), -24);
  else
    value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return (half & half_sign) != 0 ? -value : value;
}

// Half floats of one exponent are whole multiples of a unit, and nearbyint() rounds to whole multiples.
Half nearest_half(double value) {
  if (std::isnan(value)) return half_nan;
  const Half sign = std::signbit(value) ? half_sign : Half{0};
  const double size = std::fabs(value);
  if (size >= 65520) return static_cast<Half>(sign | half_infinity);
  const RoundingScope nearest(0);
  const int exponent = size < 0x1p-14 ? -14 : std::ilogb(size);
  const double units = std::nearbyint(std::ldexp(size, 10 - exponent));  // 1024 to 2048; fewer if subnormal
  // 2048 units are the first number of the next exponent, as the sum gives it.
  const int bits = (exponent + 14) * 1024 + static_cast<int>(units);
  return static_cast<Half>(sign | bits);
}

Half truncated_half(float value) {
  const Half half = nearest_half(static_cast<double>(value));
  if (std::isnan(value) || std::isinf(value)) return half;
  return std::fabs(half_value(half)) > std::fabs(value) ? static_cast<Half>(half - 1) : half;
}

// Rounds first to an odd float, so that the result is not rounded twice.
Half nearest_bfloat(double value) {
  if (std::isnan(value)) return half_nan;
  const RoundingScope nearest(0);
  const float single = static_cast<float>(value);
  Word bits = bits_of(single);
  if (!std::isinf(single) && static_cast<double>(single) != value) {
    if (std::fabs(static_cast<double>(single)) > std::fabs(value)) --bits;
    bits |= 1;
  }
  return static_cast<Half>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace subcore::tracer
