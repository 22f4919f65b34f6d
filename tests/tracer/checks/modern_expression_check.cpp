// Instructions of sm_80 and later on the emulator and on the host.
#include <algorithm>
#include <random>

#include "checks.h"
#include "gpu.h"
#include "subcore/base/formatted.h"

namespace subcore::tracer {
namespace {

constexpr std::size_t inputs = 2048;
constexpr unsigned block = 128;
// In the order of cuda/modern_expressions.cu.
constexpr const char* texts[] = {
    "F2FP.PACK_AB",
    "F2FP.BF16.PACK_AB",
    "F2F.F16.F32.RZ",
    "HMNMX2 max",
    "HMNMX2 min",
    "HMNMX2.BF16 max",
    "HFMA2.BF16",
    "bf16 add",
    "bf16 mul",
    "HFMA2(.MMA)",
    "HFMA2.RELU",
    "REDUX.SUM",
    "REDUX.MAX",
    "REDUX.MIN.S32",
    "REDUX.XOR",
    "REDUX.AND",
    "REDUX.OR",
    "vmaxs2",
    "max3",
    "min s32",
    "max u32",
    "abs diff",
    "add",
    "bf16->f32",
    "u16->f32",
    "s8->f32",
    "s32->f16",
    "f16->s32",
    "LOP3 0xea",
    "PRMT",
    "IDP.4A",
    "HSET2.BM",
    "HSETP2",
    "64-bit mul",
    "FMNMX",
    "HADD2.F32",
    "MATCH.ANY",
    "MATCH.ALL",
    "MATCH.ALL of different values",
    "MATCH.ALL of nearly equal values",
    "HADD2.F32 of zeros",
    "HMNMX2.BF16 max of all numbers",
    "HMNMX2.BF16 min of all numbers",
};

// Roundings that know nothing of the emulator's: the nearest multiple of the last place, of two the even one.
Half rounded(double value, int fraction_bits, int least_exponent) {
  const double size = std::fabs(value);
  const int exponent = size == 0 ? least_exponent : std::max(std::ilogb(size), least_exponent);
  const double unit = std::ldexp(1.0, exponent - fraction_bits);
  const auto units = static_cast<Word>(std::nearbyint(size / unit));
  const auto biased = static_cast<Word>(exponent - least_exponent) << fraction_bits;
  const Word sign = std::signbit(value) ? 0x8000 : 0;
  const Word infinity = fraction_bits == 10 ? 0x7c00 : 0x7f80;
  return static_cast<Half>(sign | std::min(biased + units, infinity));
}
Half to_half(double value) {
  return rounded(value, 10, -14);
}
Half to_bfloat(double value) {
  return rounded(value, 7, -126);
}

struct Pair {
  double low, high;
};
// The values of two halves without NaN, from their definition.
Pair halves(Word bits) {
  const auto value = [](Word half) {
    const int exponent = static_cast<int>(half >> 10 & 31);
    const double size =
        exponent == 0 ? std::ldexp(half & 0x3ff, -24) : std::ldexp((half & 0x3ff) + 1024, exponent - 25);
    return half & 0x8000 ? -size : size;
  };
  return {value(bits & 0xffff), value(bits >> 16)};
}
Pair bfloats(Word bits) {
  return {static_cast<double>(as_float(bits << 16)), static_cast<double>(as_float(bits & 0xffff0000))};
}
template <class Function>
Word pair_of(Half (*to)(double), Pair a, Pair b, Function f) {
  return to(f(a.low, b.low)) | static_cast<Word>(to(f(a.high, b.high))) << 16;
}
double larger(double x, double y) {
  return x > y || (x == y && !std::signbit(x)) ? x : y;
}
double smaller(double x, double y) {
  return x < y || (x == y && std::signbit(x)) ? x : y;
}

std::vector<Word> expected_of(const std::vector<Word>& all_a, const std::vector<Word>& all_b,
                              std::size_t thread) {
  const Word a = all_a[thread], b = all_b[thread];
  const Word* const warp_a = &all_a[thread & ~std::size_t{31}];
  const Word* const warp_b = &all_b[thread & ~std::size_t{31}];
  const float fa = static_cast<float>(as_signed(a)) * 1e-6f, fb = static_cast<float>(as_signed(b)) * 3e-7f;
  const Pair floats{static_cast<double>(fa), static_cast<double>(fb)};
  const Pair ha = halves(a & 0x3bff3bff), hb = halves(b & 0xbbffbbff);
  const Pair ba = bfloats(a & 0x40ff40ff), bb = bfloats(b & 0xc0ffc0ff);
  const auto first = [](double x, double) { return x; };
  std::vector<Word> r;
  r.push_back(pair_of(to_half, floats, floats, first));
  r.push_back(pair_of(to_bfloat, floats, floats, first));
  Half truncated = to_half(floats.low);
  if (std::fabs(halves(truncated).low) > std::fabs(floats.low)) --truncated;
  r.push_back(truncated);
  r.push_back(pair_of(to_half, ha, hb, larger));
  r.push_back(pair_of(to_half, ha, hb, smaller));
  r.push_back(pair_of(to_bfloat, ba, bb, larger));
  r.push_back(pair_of(to_bfloat, ba, bb, [](double x, double y) { return x * y + y; }));
  r.push_back(pair_of(to_bfloat, ba, bb, [](double x, double y) { return x + y; }));
  r.push_back(pair_of(to_bfloat, ba, bb, [](double x, double y) { return x * y; }));
  r.push_back(pair_of(to_half, ha, hb, [](double x, double y) { return x * y + x; }));
  r.push_back(pair_of(to_half, ha, hb, [](double x, double y) { return std::fmax(x * y - 0.25, 0.0); }));
  Word sum = 0, most = 0, exclusive = 0, conjunction = ~Word{0}, disjunction = 0, equal = 0;
  std::int32_t least = INT32_MAX;
  bool all_equal = true, all_nearly_equal = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const Word v = warp_a[lane];
    sum += v;
    most = std::max(most, v);
    least = std::min(least, as_signed(v));
    exclusive ^= v;
    conjunction &= v | 0xff;
    disjunction |= v & 0xff00;
    if ((v & 3) == (a & 3)) equal |= Word{1} << lane;
    all_equal &= v == warp_a[0];
    all_nearly_equal &= ((v | warp_b[lane]) & 1) == ((warp_a[0] | warp_b[0]) & 1);
  }
  for (const Word x : {sum, most, static_cast<Word>(least), exclusive, conjunction, disjunction})
    r.push_back(x);
  const auto signed_half = [](Word x, unsigned n) { return static_cast<std::int16_t>(x >> 16 * n); };
  r.push_back(static_cast<std::uint16_t>(std::max(signed_half(a, 0), signed_half(b, 0))) |
              static_cast<Word>(static_cast<std::uint16_t>(std::max(signed_half(a, 1), signed_half(b, 1))))
                  << 16);
  r.push_back(static_cast<Word>(std::max({as_signed(a), as_signed(b), 77})));
  r.push_back(static_cast<Word>(std::min(as_signed(a), as_signed(b))));
  r.push_back(std::max(a, b));
  const Word difference = a - b;
  r.push_back(as_signed(difference) < 0 ? 0 - difference : difference);
  r.push_back((a + b) ^ 3);
  r.push_back((a & 0xbfff) << 16);
  r.push_back(bits_of(static_cast<float>(a & 0xffff)));
  r.push_back(bits_of(static_cast<float>(static_cast<std::int8_t>(b))));
  r.push_back(to_half(a & 0xfff));
  r.push_back(static_cast<Word>(static_cast<std::int32_t>(ha.low)));
  r.push_back((a & 0x000f000f) | 0x64006400);
  r.push_back((a & 0xffff) | b << 16);
  Word dot = 7;
  for (unsigned n = 0; n < 4; ++n)
    dot += static_cast<Word>(static_cast<std::int8_t>(a >> 8 * n) * static_cast<std::int8_t>(b >> 8 * n));
  r.push_back(dot);
  r.push_back((ha.low > hb.low ? 0xffff : 0) | (ha.high > hb.high ? 0xffff0000 : 0));
  r.push_back(ha.low < hb.high);
  const Wide wide = joined(b, a) * 12345 + std::max(a, b);
  r.push_back(high_word(wide) ^ low_word(wide));
  r.push_back(bits_of(std::fmax(fa, fb)) ^ bits_of(std::fmin(fa, 3.0f)));
  r.push_back(bits_of(static_cast<float>(ha.low) + static_cast<float>(hb.high)));
  r.push_back(equal);
  r.push_back(0);
  r.push_back(all_equal ? 1 : 0);
  r.push_back(all_nearly_equal ? 1 : 0);
  r.push_back((a & 0x8000) << 16);
  const Pair wide_a = bfloats(a & 0xff7fff7f), wide_b = bfloats(b & 0xff7fff7f);
  r.push_back(pair_of(to_bfloat, wide_a, wide_b, larger));
  r.push_back(pair_of(to_bfloat, wide_a, wide_b, smaller));
  return r;
}

}  // namespace

Problems check_modern_expressions(const std::string& cubin, const InstructionTable& table) {
  std::mt19937 random(5);
  std::vector<Word> a(inputs), b(inputs);
  for (std::size_t n = 0; n < inputs; ++n) {
    a[n] = n % 17 == 0 ? 0 : static_cast<Word>(random());
    b[n] = random() % 5 ? static_cast<Word>(random()) : a[n];
    if (n / 32 % 4 == 0) b[n] |= 1;  // warps in which the lowest bits of a and b together are equal
    if (n / 32 % 8 == 1) a[n] = 42;  // and warps in which all values are
  }
  constexpr std::size_t count = std::size(texts);
  Gpu gpu(cubin, table);
  const std::uint64_t of_a = gpu.upload(a), of_b = gpu.upload(b);
  const std::uint64_t out = gpu.device.memory.allocate(count * inputs * sizeof(Word));
  gpu.launch("modern_expressions", {inputs / block}, {block}, of_a, of_b, out, static_cast<int>(inputs));
  const auto got = gpu.download<Word>(out, count * inputs);
  Problems problems;
  std::vector<bool> is_wrong(count);
  for (std::size_t n = 0; n < inputs; ++n) {
    const std::vector<Word> expected = expected_of(a, b, n);
    for (std::size_t e = 0; e < count; ++e) {
      if (is_wrong[e] || got[e * inputs + n] == expected.at(e)) continue;
      is_wrong[e] = true;
      problems.push_back(formatted("of a = %x, b = %x: %x, expected %x: %s", a[n], b[n], got[e * inputs + n],
                                   expected[e], texts[e]));
    }
  }
  return problems;
}

}  // namespace subcore::tracer
