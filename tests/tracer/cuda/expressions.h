// Expressions that are compiled twice, by nvcc for the emulator and by the host's compiler, and must give the
// same bits. An expression is a function of two 64-bit words, of which it may use the parts that PARTS names.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define BOTH __device__ __forceinline__
#else
#include <cfenv>
#define BOTH inline
#endif

typedef std::uint32_t u32;
typedef std::uint64_t u64;
typedef std::int32_t s32;
typedef std::int64_t s64;

template <class To, class From>
BOTH To same_bits_of(From from) {
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
BOTH float as_float(u32 bits) {
  return same_bits_of<float>(bits);
}
BOTH u32 float_bits(float value) {
  return same_bits_of<u32>(value);
}
BOTH double as_double(u64 bits) {
  return same_bits_of<double>(bits);
}
BOTH u64 double_bits(double value) {
  return same_bits_of<u64>(value);
}

#ifdef __CUDACC__
BOTH u32 popcount(u32 x) {
  return __popc(x);
}
BOTH u32 leading_zeros(u32 x) {
  return __clz(x);
}
BOTH u32 reversed(u32 x) {
  return __brev(x);
}
BOTH u32 first_set(u32 x) {
  return __ffs(x);
}
BOTH u32 permuted(u32 a, u32 b, u32 s) {
  return __byte_perm(a, b, s);
}
BOTH u32 funnel_left(u32 low, u32 high, u32 s) {
  return __funnelshift_l(low, high, s);
}
BOTH u32 funnel_right(u32 low, u32 high, u32 s) {
  return __funnelshift_r(low, high, s);
}
BOTH u64 high_product(u64 a, u64 b) {
  return __umul64hi(a, b);
}
BOTH u32 dot_product(u32 a, u32 b, u32 c) {
  return __dp4a((int)a, (int)b, (int)c);
}
BOTH float sum_to_zero(float a, float b) {
  return __fadd_rz(a, b);
}
BOTH float product_up(float a, float b) {
  return __fmul_ru(a, b);
}
BOTH float product_sum_down(float a, float b, float c) {
  return __fmaf_rd(a, b, c);
}
BOTH double double_sum_up(double a, double b) {
  return __dadd_ru(a, b);
}
BOTH double double_product_up(double a, double b) {
  return __dmul_ru(a, b);
}
BOTH double double_product_sum_down(double a, double b, double c) {
  return __fma_rd(a, b, c);
}
BOTH s32 nearest_integer(float x) {
  return __float2int_rn(x);
}
BOTH s32 lower_integer(float x) {
  return __float2int_rd(x);
}
BOTH u32 upper_unsigned(float x) {
  return __float2uint_ru(x);
}
#else
BOTH u32 popcount(u32 x) {
  return static_cast<u32>(__builtin_popcount(x));
}
BOTH u32 leading_zeros(u32 x) {
  return x ? static_cast<u32>(__builtin_clz(x)) : 32;
}
BOTH u32 reversed(u32 x) {
  u32 r = 0;
  for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i);
  return r;
}
BOTH u32 first_set(u32 x) {
  return static_cast<u32>(__builtin_ffs(static_cast<int>(x)));
}
BOTH u32 permuted(u32 a, u32 b, u32 s) {
  const u64 both = a | static_cast<u64>(b) << 32;
  u32 r = 0;
  for (int i = 0; i < 4; i++) r |= static_cast<u32>(both >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
  return r;
}
BOTH u32 funnel_left(u32 low, u32 high, u32 s) {
  s &= 31;
  return s ? high << s | low >> (32 - s) : high;
}
BOTH u32 funnel_right(u32 low, u32 high, u32 s) {
  s &= 31;
  return s ? low >> s | high << (32 - s) : low;
}
// By halves of 32 bits.
BOTH u64 high_product(u64 a, u64 b) {
  const u64 al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  const u64 middle = ah * bl + (al * bl >> 32), other = al * bh + (middle & 0xffffffff);
  return ah * bh + (middle >> 32) + (other >> 32);
}
BOTH u32 dot_product(u32 a, u32 b, u32 c) {
  u32 r = c;
  for (int i = 0; i < 4; i++)
    r += static_cast<u32>(static_cast<std::int8_t>(a >> 8 * i) * static_cast<std::int8_t>(b >> 8 * i));
  return r;
}
class Rounding {
 public:
  explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before_); }

 private:
  int before_;
};
// Operands are volatile, so that nothing is computed before the rounding is set.
template <class T>
T rounded_sum(int mode, volatile T a, volatile T b) {
  const Rounding rounding(mode);
  volatile T c = a + b;
  return c;
}
template <class T>
T rounded_product(int mode, volatile T a, volatile T b) {
  const Rounding rounding(mode);
  volatile T c = a * b;
  return c;
}
template <class T>
T rounded_product_sum(int mode, T a, T b, T c) {
  const Rounding rounding(mode);
  volatile T d = std::fma(a, b, c);
  return d;
}
BOTH float sum_to_zero(float a, float b) {
  return rounded_sum<float>(FE_TOWARDZERO, a, b);
}
BOTH float product_up(float a, float b) {
  return rounded_product<float>(FE_UPWARD, a, b);
}
BOTH float product_sum_down(float a, float b, float c) {
  return rounded_product_sum(FE_DOWNWARD, a, b, c);
}
BOTH double double_sum_up(double a, double b) {
  return rounded_sum<double>(FE_UPWARD, a, b);
}
BOTH double double_product_up(double a, double b) {
  return rounded_product<double>(FE_UPWARD, a, b);
}
BOTH double double_product_sum_down(double a, double b, double c) {
  return rounded_product_sum(FE_DOWNWARD, a, b, c);
}
BOTH s32 clamped_integer(double v) {
  return std::isnan(v)       ? 0
         : v >= 2147483647.  ? 2147483647
         : v <= -2147483648. ? INT32_MIN
                             : static_cast<s32>(v);
}
BOTH s32 nearest_integer(float x) {
  return clamped_integer(std::nearbyint(static_cast<double>(x)));
}
BOTH s32 lower_integer(float x) {
  return clamped_integer(std::floor(static_cast<double>(x)));
}
BOTH u32 upper_unsigned(float x) {
  const double v = std::ceil(static_cast<double>(x));
  return std::isnan(v) || v <= 0 ? 0 : v >= 4294967295. ? ~0u : static_cast<u32>(v);
}
#endif

// clang-format off
#define PARTS \
  u32 x = (u32)a, y = (u32)b; \
  float fa = (float)(s32)(x >> 3) * 3.7e-6f - 900.f, fb = (float)(s32)y * 1.9e-7f, fc = (float)(s32)(a >> 40) * -1e-3f + 7.f; \
  double da = (double)(s64)a * 1.1e-16, db = (double)(s64)b * 3.3e-17 + 1e-3, dc = (double)(s32)x * -1e-7; \
  (void)x, (void)y, (void)fa, (void)fb, (void)fc, (void)da, (void)db, (void)dc;

// Expressions that must be the same bit for bit.
#define EXACT_EXPRESSIONS(X) \
  X(a + b) X(a - b) X(a * b) X(high_product(a, b)) X(a + (s64)(s32)y) X((s64)(s32)x * (s32)y) \
  X((u64)x * y + a) X((s64)(s32)x * (s32)y - (s64)b) X(a < b) X((s64)a < (s64)b) X(a <= (b & a)) \
  X((s64)(a ^ b) >= (s64)a) X((a >> 32) == (b >> 32) ? a > b : b) X(x < y ? a : b) \
  X((s32)x < (s32)y ? a : b) X((x > y) ^ ((s32)x > (s32)y)) X(a << (y & 63)) X(a >> (y & 63)) \
  X((s64)a >> (y & 63)) X(x << (y & 31)) X(x >> (y & 31)) X((s32)x >> (y & 31)) \
  X(funnel_left(x, y, (u32)(b >> 40))) X(funnel_right(x, y, (u32)(b >> 40))) X(a << 13 | b >> 51) \
  X((s32)x / ((s32)(y & 0xffff) | 1)) X(x / (y | 1)) X((s32)x % ((s32)(y >> 12) | 1)) \
  X(x % (y >> 7 | 1)) X(a / (b >> 20 | 1)) X((s64)a / ((s64)b >> 33 | 1)) X(a % (b >> 30 | 1)) \
  X((s32)x / 7) X(x / 10) X((s64)a / 1000) X((s32)x % 60) X(popcount(x) + popcount(y) * 64) \
  X(leading_zeros(x & y) + 100 * first_set(x & y)) X(reversed(x ^ y)) \
  X(permuted(x, y, (u32)(b >> 33) & 0x7777)) X(permuted(x, y, 0x3340)) \
  X(dot_product(x, y, (u32)(a >> 32))) X((u32)((s32)(int8_t)x * (s32)(int16_t)y)) \
  X((u64)(s64)(int8_t)(x >> 8)) X((uint8_t)(x >> 16) + (uint16_t)y) X((x & y) | (~x & (u32)(a >> 32))) \
  X((x ^ y) & ~(u32)(b >> 32)) X(!(x & 0x10) || (y & 0x300)) \
  X((u32)((s32)x < (s32)y ? (s32)x : (s32)y)) X(x > y ? x : y) X((u32)((s32)x < 0 ? -(s32)x : (s32)x)) \
  X(float_bits(fa + fb)) X(float_bits(fa - fb)) X(float_bits(fa * fb)) X(float_bits(fa / fb)) \
  X(float_bits(fmaf(fa, fb, -fc))) X(float_bits(-fa * fb - fc)) X(float_bits(sqrtf(fabsf(fa)))) \
  X(float_bits(fminf(fa, fb)) ^ float_bits(fmaxf(-fa, fc))) \
  X(float_bits(floorf(fa)) ^ float_bits(ceilf(fb)) ^ float_bits(truncf(fc))) \
  X(float_bits(rintf(fa * 1e-3f))) X(float_bits(sum_to_zero(fa, fb))) X(float_bits(product_up(fa, fb))) \
  X(float_bits(product_sum_down(fa, fb, fc))) X(double_bits(double_sum_up(da, db))) X(double_bits(double_product_up(da, db))) X(double_bits(double_product_sum_down(da, db, dc))) X(double_bits(fmin(da, db))) X(double_bits(fmax(-da, dc))) \
  X(float_bits(as_float(x & 0x807fffff) + as_float(y & 0x80ffffff))) \
  X(float_bits(as_float(x & 0x7fffff) * 2.0f)) X(float_bits(fa / as_float(y & 0x80ffffff | 1))) \
  X(float_bits(as_float((x & 0x7fffffff) % 0x7f000000) / as_float((y & 0x7fffffff) % 0x7f000000 | 0x800000))) \
  X(float_bits(sqrtf(as_float(x & 0xffffff)))) X(fa < fb) X(fa >= fb || fb != fc) \
  X(!(fa > fb) && fc <= fa) X((fa < fb) != (fb < fc)) X(fa == fb) X(as_float(x | 0x7fc00000) < fb) \
  X(!(as_float(x | 0x7fc00000) >= fb) + 2 * (fa < as_float(y | 0x7fc00000))) \
  X((u32)nearest_integer(fa)) X((u32)lower_integer(fb * 1e4f)) X(upper_unsigned(fc)) X((u32)(s32)fa) \
  X((u64)(s64)fb) X((u64)(u32)(s32)(int16_t)(s32)(fa * 10)) X(float_bits((float)(s32)x)) \
  X(float_bits((float)y)) X(float_bits((float)(s64)a)) X(float_bits((float)b)) \
  X(double_bits((double)(s32)x)) X(double_bits((double)a)) X(double_bits((double)fa)) \
  X(float_bits((float)da)) X((u64)(s64)da) X((u32)(s32)db) X(float_bits((float)(uint8_t)(x >> 8))) \
  X(float_bits((float)(int16_t)(y >> 16))) X(double_bits(da + db)) X(double_bits(da - db)) \
  X(double_bits(da * db)) X(double_bits(da / db)) X(double_bits(fma(da, db, -dc))) \
  X(double_bits(sqrt(fabs(da)))) X(da < db) X(da >= db || db != dc) X(!(da > db) && dc <= da) \
  X(double_bits(floor(da)) ^ double_bits(ceil(db)) ^ double_bits(trunc(dc))) \
  X(double_bits(da < db ? da : dc)) X(double_bits(-fabs(da)))

// Expressions that call functions of libraries, which must be near.
#define NEAR_EXPRESSIONS(X) \
  X(expf(fa * 1e-2f)) X(logf(fabsf(fa) + 1e-3f)) X(sinf(fa)) X(cosf(fb * 100.f)) X(tanhf(fa)) \
  X(powf(fabsf(fa) + .1f, fb * 1e-2f)) X(exp2f(fa * .1f)) X(1.f / sqrtf(fabsf(fb) + 1e-6f)) \
  X(atan2f(fa, fb)) X(erff(fa)) X((float)exp(da * 1e-2)) X((float)log(fabs(da) + 1e-9)) \
  X((float)sin(da)) X((float)pow(fabs(da) + .1, db * 1e-2)) X(cbrtf(fa)) X(fmodf(fa, fb))
// clang-format on
