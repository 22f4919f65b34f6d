// Expressions on the emulator and on the host; exchanges between lanes.
#include <algorithm>
#include <random>

#include "checks.h"
#include "gpu.h"
#include "subcore/base/formatted.h"
#include "subcore/tracer/machine/decoder.h"

// The host's side must convert as the GPU's code does, with the same casts.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wparentheses"
#include "../cuda/expressions.h"

namespace subcore::tracer {
namespace {

constexpr std::size_t inputs = 2048;
constexpr unsigned block = 128;

#define X(e) #e,
const char* const exact_texts[] = {EXACT_EXPRESSIONS(X)};
const char* const near_texts[] = {NEAR_EXPRESSIONS(X)};
#undef X

std::vector<u64> exact_values(u64 a, u64 b) {
  PARTS
#define X(e) (u64)(e),
  return {EXACT_EXPRESSIONS(X)};
#undef X
}
std::vector<double> near_values(u64 a, u64 b) {
  PARTS
#define X(e) (double)(e),
  return {NEAR_EXPRESSIONS(X)};
#undef X
}

// Random words, among them small and special words, and pairs that are equal or nearly equal.
void make_inputs(std::vector<u64>& a, std::vector<u64>& b) {
  std::mt19937_64 random(11);
  const u64 special[] = {0,
                         1,
                         2,
                         0xffffffff,
                         0x80000000,
                         0x7fffffff,
                         0x100000000,
                         ~u64{0},
                         u64{1} << 63,
                         0x7fffffffffffffff,
                         0xdeadbeefcafebabe};
  const auto word = [&] { return random() >> (random() % 3 ? 0 : random() % 60); };
  for (std::size_t n = 0; n < inputs; ++n) {
    a.push_back(n % 13 == 0 ? special[random() % 11] : word());
    b.push_back(n % 7 == 0 ? special[random() % 11] : word());
    if (random() % 9 == 0) b[n] = a[n];
    if (random() % 9 == 0) b[n] = (a[n] & 0xffffffff00000000) | static_cast<u32>(random());
    // C++ does not define the lowest number by a negative one.
    if (a[n] == u64{1} << 63 && static_cast<s64>(b[n]) < 0) b[n] = 5;
  }
}

// The values of so many expressions. Each expression has the values of all inputs, and the first expression
// comes first.
template <class T>
std::vector<T> values_on_gpu(Gpu& gpu, const char* kernel, std::size_t expressions, std::uint64_t of_a,
                             std::uint64_t of_b) {
  const std::uint64_t out = gpu.device.memory.allocate(expressions * inputs * sizeof(T));
  gpu.launch(kernel, Dimensions{inputs / block}, {block}, of_a, of_b, out, static_cast<int>(inputs));
  return gpu.download<T>(out, expressions * inputs);
}

}  // namespace

Problems check_expressions(const std::string& cubin, const InstructionTable& table) {
  Problems problems;
  std::vector<u64> a, b;
  make_inputs(a, b);
  Gpu gpu(cubin, table);
  const std::uint64_t of_a = gpu.upload(a), of_b = gpu.upload(b);
  {
    const std::size_t count = std::size(exact_texts);
    const auto got = values_on_gpu<u64>(gpu, "exact_expressions", count, of_a, of_b);
    std::vector<bool> is_wrong(count);
    for (std::size_t n = 0; n < inputs; ++n) {
      const std::vector<u64> expected = exact_values(a[n], b[n]);
      for (std::size_t e = 0; e < count; ++e) {
        if (is_wrong[e] || got[e * inputs + n] == expected[e]) continue;
        is_wrong[e] = true;
        problems.push_back(formatted("of a = %llx, b = %llx: %llx, expected %llx: ", a[n], b[n],
                                     got[e * inputs + n], expected[e]) +
                           exact_texts[e]);
      }
    }
  }
  const std::size_t count = std::size(near_texts);
  const auto got = values_on_gpu<float>(gpu, "near_expressions", count, of_a, of_b);
  std::vector<bool> is_wrong(count);
  for (std::size_t n = 0; n < inputs; ++n) {
    const std::vector<double> expected = near_values(a[n], b[n]);
    for (std::size_t e = 0; e < count; ++e) {
      const double value = static_cast<double>(got[e * inputs + n]);
      const double error = std::fabs(value - expected[e]) / std::fmax(1e-3, std::fabs(expected[e]));
      if (is_wrong[e] || value == expected[e] || error <= 2e-5 ||
          (std::isnan(value) && std::isnan(expected[e])))
        continue;
      is_wrong[e] = true;
      problems.push_back(
          formatted("of a = %llx, b = %llx: %g, expected %g: ", a[n], b[n], value, expected[e]) +
          near_texts[e]);
    }
  }
  return problems;
}

// The kernel warp_exchanges in plain loops. Its results are whole numbers.
Problems check_warp_exchanges(const std::string& cubin, const InstructionTable& table) {
  constexpr unsigned blocks = 3, threads = 256, all = blocks * threads;
  std::mt19937 random(5);
  std::vector<u32> values(all);
  for (u32& value : values) value = static_cast<u32>(random());
  // In global memory: XORs, maxima, minima of signed numbers, and a lock of each thread.
  std::vector<u32> memory(96 + all, 0);
  std::fill(memory.begin() + 64, memory.begin() + 96, 0x7fffffff);
  std::fill(memory.begin() + 96, memory.end(), ~u32{0});

  Gpu gpu(cubin, table);
  const std::uint64_t in = gpu.upload(values), shared = gpu.upload(memory);
  const std::uint64_t out = gpu.device.memory.allocate(all * sizeof(u32));
  gpu.launch("warp_exchanges", {blocks}, {threads}, in, out, shared, static_cast<int>(all));
  const auto got = gpu.download<u32>(out, all), got_memory = gpu.download<u32>(shared, memory.size());

  std::vector<u32> expected(all);
  for (unsigned cta = 0; cta < blocks; ++cta) {
    const u32* const v = &values[cta * threads];
    std::vector<u32> tile(v, v + threads);
    u32 counter = 0, votes = 0;
    bool every = true, any = false;
    for (unsigned t = 0; t < threads; ++t) {
      counter += v[t] & 15;
      votes += v[t] >> 1 & 1;
      every &= v[t] != 77;
      any |= v[t] == values[0];
    }
    for (unsigned t = 0; t < threads; ++t) {
      const unsigned lane = t & 31;
      const u32* const warp = v + (t & ~31u);
      const u32 x = v[t];
      u32 r = warp[lane ^ 5];
      r = r * 31 + (lane >= 3 ? warp[lane - 3] : x);
      r = r * 31 + warp[x >> 4 & 31];
      r = r * 31 + ((lane & 7) + 2 < 8 ? warp[lane + 2] : x);
      u32 ballot = 0, matches = 0;
      bool some = false, each = true;
      for (unsigned other = 0; other < 32; ++other) {
        if (warp[other] & 4) ballot |= u32{1} << other;
        some |= (warp[other] & 0xff) == 7;
        each &= (warp[other] & 0x80000000) != 0;
        matches += (warp[other] & 3) == (x & 3);
      }
      r = r * 31 + ballot;
      r = r * 31 + some + 2 * each;
      r = r * 31 + matches;
      u32 local[16];
      for (u32 n = 0; n < 16; ++n) local[n] = x * (n + 1);
      for (u32 n = 0; n < 20; ++n) local[x >> n & 15] ^= local[r >> n & 15] + n;
      for (const u32 word : local) r = r * 33 + word;
      for (u32 n = 0; n < (x & 7); ++n) {
        if ((x >> n & 3) == 2) {
          if (n == 5) break;
          r += tile[(t + n) & 255];
          continue;
        }
        r ^= n << (x & 15);
        if ((r & 0xff) == 3) break;
      }
      switch (x % 9) {
        case 0:
          r += 3;
          break;
        case 1:
          r ^= x;
          break;
        case 2:
          r *= 5;
          break;
        case 3:
          r = ~r;
          break;
        case 4:
          r += tile[t ^ 1];
          break;
        case 5:
          r -= x;
          break;
        case 6:
          r <<= 3;
          break;
        case 7:
          r = r >> 2 | x;
          break;
        default:
          r += 1234;
          break;
      }
      if (x & 1) memory[x & 31] ^= x;
      memory[32 + (x >> 8 & 31)] = std::max(memory[32 + (x >> 8 & 31)], x);
      memory[64 + lane] =
          static_cast<u32>(std::min(static_cast<s32>(memory[64 + lane]), static_cast<s32>(x)));
      memory[96 + cta * threads + t] = 1;
      expected[cta * threads + t] = r * 31 + votes * 4 + every * 2 + any + counter + ~u32{0};
    }
    for (unsigned half = 128; half > 0; half /= 2)
      for (unsigned t = 0; t < half; ++t) tile[t] += tile[t + half] * 3;
    for (unsigned t = 0; t < threads; ++t) expected[cta * threads + t] += tile[0];
  }
  Problems problems;
  for (unsigned t = 0; t < all && problems.empty(); ++t)
    if (got[t] != expected[t])
      problems.push_back(formatted("thread %u of warp_exchanges: %x, expected %x", t, got[t], expected[t]));
  for (std::size_t n = 0; n < memory.size(); ++n)
    if (got_memory[n] != memory[n]) {
      problems.push_back(
          formatted("word %zu of warp_exchanges' atomics: %x, expected %x", n, got_memory[n], memory[n]));
      break;
    }
  return problems;
}

Problems check_uniform_bits(const std::string& cubin, const InstructionTable& table) {
  constexpr u32 n = 0x0000b10d, highest = 15, ones = 7;
  std::vector<u32> expected(32, 0);
  for (u32 lane = 0; lane < highest + ones; ++lane) expected[lane] = highest * 64 + ones + reversed(n);
  Gpu gpu(cubin, table);
  const std::uint64_t out = gpu.upload(std::vector<u32>(32, 0));
  gpu.launch("uniform_bits", {1}, {32}, out, n);
  if (gpu.download<u32>(out, expected.size()) == expected) return {};
  return {"uniform_bits is wrong"};
}

// UFLO by itself: nvcc uses UFLO to choose a lane that adds for all, and any lane would do.
Problems check_uniform_leading_one(const InstructionTable& table) {
  struct Result : ExecutionObserver {
    void executed(const Warp& warp, const Instruction&, Lanes,
                  const std::array<std::uint64_t, 32>*) override {
      uniform = warp.uniforms[4];
    }
    u32 uniform = 0;
  } result;
  Kernel kernel;
  // VOTEU.ANY UR4, UPT, PT; UFLO.U32 UR4, UR4; EXIT, of a warp of 20 lanes
  const u64 code[][2] = {{0x0000000000047886, 0x000fe200038e0100},
                         {0x00000004000472bd, 0x000fe200080e0000},
                         {0x000000000000794d, 0x000fea0003800000}};
  for (const auto& [low, high] : code)
    kernel.code.push_back(decode(table, 80, low, high, static_cast<u32>(16 * kernel.code.size())));
  Launch launch;
  launch.kernel = &kernel;
  launch.architecture = 80;
  launch.block = {20};
  DeviceMemory memory;
  Cta(launch, memory, CopyTime::wait, &result).run({});
  if (result.uniform == 19) return {};
  return {formatted("UFLO: %u, expected 19", result.uniform)};
}

// WARPSYNC.ALL by itself: lanes that come on two ways go on together.
Problems check_synchronize_all(const InstructionTable& table) {
  struct Result : ExecutionObserver {
    void executed(const Warp&, const Instruction&, Lanes lanes,
                  const std::array<std::uint64_t, 32>*) override {
      last = lanes;
    }
    Lanes last = 0;
  } result;
  Kernel kernel;
  // S2R R0, SR_TID.X; ISETP.LT.U32 P0, R0, 8; @P0 BRA over a NOP; NOP; WARPSYNC.ALL; EXIT
  const u64 code[][2] = {{0x0000000000007919, 0x000e220000002100}, {0x000000080000780c, 0x000fe20003f01070},
                         {0x0000000000040947, 0x000fea0003800000}, {0x0000000000007918, 0x000fc00000000000},
                         {0x0000000000007948, 0x000fea0003800000}, {0x000000000000794d, 0x000fea0003800000}};
  for (const auto& [low, high] : code)
    kernel.code.push_back(decode(table, 90, low, high, static_cast<u32>(16 * kernel.code.size())));
  Launch launch;
  launch.kernel = &kernel;
  launch.architecture = 90;
  launch.block = {32};
  DeviceMemory memory;
  Cta(launch, memory, CopyTime::wait, &result).run({});
  if (result.last == all_lanes) return {};
  return {formatted("WARPSYNC.ALL: lanes %x leave together, expected all", result.last)};
}

Problems check_split_warp(const std::string& cubin, const InstructionTable& table) {
  std::vector<u32> in(32), expected(32);
  for (u32 n = 0; n < 32; ++n) in[n] = n * n + 1;
  for (u32 n = 0; n < 32; ++n) {
    u32 sum = 0;
    for (u32 i = 0; n >= 16 && i < in[n - 16] % 5; ++i) sum += in[i] * 3;
    expected[n] = n < 16 ? in[n + 16] + 7 : sum * 5;
  }
  Gpu gpu(cubin, table);
  const std::uint64_t from = gpu.upload(in), to = gpu.device.memory.allocate(in.size() * sizeof(u32));
  gpu.launch("split_warp", {1}, {32}, from, to);
  if (gpu.download<u32>(to, in.size()) == expected) return {};
  return {"split_warp is wrong"};
}

}  // namespace subcore::tracer
