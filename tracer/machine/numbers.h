// Numbers as GPUs compute them: bits of floats and doubles, half floats, bfloat16, rounding.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace subcore::tracer {

using Word = std::uint32_t;
using Wide = std::uint64_t;
using Half = std::uint16_t;

// The value with the same bits.
template <class To, class From>
To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline float as_float(Word bits) {
  return same_bits<float>(bits);
}
inline double as_double(Wide bits) {
  return same_bits<double>(bits);
}
inline Word bits_of(float value) {
  return same_bits<Word>(value);
}
inline Wide bits_of(double value) {
  return same_bits<Wide>(value);
}
inline std::int32_t as_signed(Word bits) {
  return static_cast<std::int32_t>(bits);
}
// The low word of a wide value. high_word() gives the high one.
inline Word low_word(Wide value) {
  return static_cast<Word>(value);
}
inline Word high_word(Wide value) {
  return static_cast<Word>(value >> 32);
}
inline Wide joined(Word low, Word high) {
  return low | static_cast<Wide>(high) << 32;
}
// The low half of a word (n = 0), or the high half (n = 1).
inline Half half_of(Word value, unsigned n) {
  return static_cast<Half>(value >> 16 * n);
}
inline Word joined_halves(Half low, Half high) {
  return low | static_cast<Word>(high) << 16;
}

// Returns zero for a subnormal number.
inline float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

// The floats with the values of a half float and of a bfloat16.
float half_value(Half half);
inline float bfloat_value(Half half) {
  return as_float(static_cast<Word>(half) << 16);
}
// The nearest half float and the nearest bfloat16. A tie goes to the even one.
Half nearest_half(double value);
Half nearest_bfloat(double value);
// The half float next to a float, towards zero.
Half truncated_half(float value);

// Whether a comparison of whole numbers holds, by the number of its word: F, LT, EQ, LE, GT, NE, GE, T.
template <class T>
bool compares(unsigned comparison, T a, T b) {
  return ((comparison & 1) != 0 && a < b) || ((comparison & 2) != 0 && a == b) ||
         ((comparison & 4) != 0 && a > b);
}
// The same for floats. The numbers plus 8 also hold for NaN.
template <class T>
bool compares_floats(unsigned comparison, T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return (comparison & 8) != 0;
  return compares(comparison, a, b);
}
// AND, OR, XOR.
inline bool combined(unsigned operation, bool a, bool b) {
  return operation == 0 ? a && b : operation == 1 ? a || b : a != b;
}
// The smaller or the larger of two floats. A number wins over NaN, and -0 is below 0.
inline float minimum_of(float a, float b, bool smaller) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  const bool a_is_below = a < b || (a == b && std::signbit(a));
  return a_is_below == smaller ? a : b;
}

// Sets the rounding of an instruction as long as the object lives: nearest, down, up, to zero.
class RoundingScope {
 public:
  explicit RoundingScope(unsigned rounding) : before_(std::fegetround()) {
    constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fesetround(modes[rounding]);
  }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int before_;
};

}  // namespace subcore::tracer
