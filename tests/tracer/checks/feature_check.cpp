// cuda/features.cu against plain loops.
#include <algorithm>
#include <functional>

#include "checks.h"
#include "gpu.h"
#include "subcore/base/formatted.h"
#include "subcore/tracer/machine/numbers.h"

namespace subcore::tracer {
namespace {

using Words = std::vector<Word>;

Words made_input(std::size_t count) {
  Words in(count);
  for (std::size_t n = 0; n < count; ++n)
    in[n] = static_cast<Word>(n * 2654435761u) ^ static_cast<Word>(n << 7);
  return in;
}

// A kernel of the file, with its launch, its results and the values that these must have.
class Feature {
 public:
  Feature(const std::string& cubin, const InstructionTable& table, std::string kernel)
      : gpu(cubin, table), kernel_(std::move(kernel)) {
    gpu.device.print = [this](const std::string& text) { printed += text; };
    out = gpu.device.memory.allocate(4096);
  }
  template <class... Arguments>
  void launch(unsigned threads, Arguments... arguments) {
    gpu.launch(kernel_, {1}, {threads}, arguments...);
  }
  void expect(const Words& expected) { expect(expected, out); }
  void expect(const Words& expected, std::uint64_t at) {
    const Words got = gpu.download<Word>(at, expected.size());
    for (std::size_t n = 0; n < got.size(); ++n)
      if (got[n] != expected[n])
        return problems.push_back(
            formatted("%s: word %zu is %x, expected %x", kernel_.c_str(), n, got[n], expected[n]));
  }

  Gpu gpu;
  std::uint64_t out = 0;
  std::string printed;
  Problems problems;

 private:
  std::string kernel_;
};

Word hash_of(const Word* p, unsigned n) {
  Word hash = 0;
  for (unsigned i = 0; i < n; ++i) hash = hash * 31 + p[i];
  return hash;
}

void generic_addresses(Feature& f) {
  const Words in = made_input(64);
  f.launch(64, f.gpu.upload(in), f.out);
  Words tile(64), out(68);
  for (Word t = 0; t < 64; ++t) tile[t] = (in[t] ^ t) + 5;
  for (Word t = 0; t < 64; ++t) {
    Words own(8);
    for (Word i = 0; i < 8; ++i) own[i] = in[t] * (i + 3);
    out[t] = hash_of(&in[t % 32], 8) ^ hash_of(&tile[t % 32], 16) ^ hash_of(own.data(), 8);
    out[64 + t % 4] += t;
  }
  f.expect(out);
}

// The memory of a thread: word, float, double, wide, two halves.
Word changed(Word* p, Word v) {
  const auto take = [](auto& place, auto next) {
    const auto before = place;
    place = next;
    return before;
  };
  Word& a = p[0];
  Word sum = take(a, v);
  sum += take(a, a == v ? v + 1 : a);
  sum += take(a, a >= v + 9 ? 0 : a + 1);
  sum += take(a, std::max(a, v / 2));
  sum += take(a, a - 7);
  const auto add = [&](auto value, unsigned at) {
    auto before = value;
    std::memcpy(&before, p + at, sizeof before);
    const auto after = before + value;
    std::memcpy(p + at, &after, sizeof after);
    return static_cast<Word>(before);
  };
  sum += add(1.5f, 1);
  sum += add(2.25, 2);
  Wide wide = joined(p[4], p[5]);
  sum += low_word(take(wide, wide == 5 ? Wide{v} : wide));
  sum += low_word(take(wide, wide | 6));
  p[4] = low_word(wide);
  p[5] = high_word(wide);
  const auto half = [&](unsigned n, float more) {
    return nearest_half(static_cast<double>(half_value(half_of(p[6], n)) + more));
  };
  p[6] = joined_halves(half(0, 1), half(1, 2));
  return sum;
}

void generic_atomics(Feature& f) {
  Words memory(256);
  for (Word t = 0; t < 32; ++t) {
    Word* const p = &memory[t * 8];
    p[0] = t % 3 ? t * 5 : 2;
    p[1] = bits_of(static_cast<float>(t));
    p[2] = low_word(bits_of(t * 2.0));
    p[3] = high_word(bits_of(t * 2.0));
    p[4] = t % 2 ? 5 : 9;
    p[6] = joined_halves(nearest_half(t), nearest_half(3));
  }
  const std::uint64_t at = f.gpu.upload(memory);
  f.launch(32, at, f.out);
  Words out(64);
  for (Word t = 0; t < 32; ++t) out[t] = out[32 + t] = changed(&memory[t * 8], t + 3);
  out.insert(out.end(), memory.begin(), memory.end());
  f.expect(out);
  f.expect(memory, at);
}

void plain_atomics(Feature& f) {
  const bool has_bfloats = f.gpu.cubin().architecture >= 90;
  const auto numbers = [&](auto one, std::size_t count) {
    std::vector<decltype(one)> values(count);
    for (std::size_t n = 0; n < count; ++n) values[n] = static_cast<decltype(one)>(n);
    return values;
  };
  Words a = numbers(Word{}, 96), halves(33), bfloats(33);
  for (Word n = 0; n < 33; ++n) {
    halves[n] = joined_halves(nearest_half(n), nearest_half(2));
    bfloats[n] = joined_halves(nearest_bfloat(n), nearest_bfloat(2));
  }
  std::vector<float> singles = numbers(1.0f, 33);
  std::vector<double> doubles = numbers(1.0, 33);
  std::vector<Wide> wides = numbers(Wide{}, 32);
  const std::uint64_t at_singles = f.gpu.upload(singles), at_doubles = f.gpu.upload(doubles),
                      at_halves = f.gpu.upload(halves), at_bfloats = f.gpu.upload(bfloats),
                      at_a = f.gpu.upload(a);
  f.launch(32, at_a, at_singles, at_doubles, f.gpu.upload(wides), at_halves, at_bfloats, f.out);
  Words out(34);
  for (Word t = 0; t < 32; ++t) {
    out[t] = a[t] + a[32 + t] + a[64 + t] + t + t + t + t + 6 + (has_bfloats ? t + 2 : 0);
    halves[t] = joined_halves(nearest_half(2 * t), nearest_half(3));
    if (has_bfloats) bfloats[t] = joined_halves(nearest_bfloat(2 * t), nearest_bfloat(3));
    a[t] += 5;
    a[32 + t] = t;
    a[64 + t] = 0;
  }
  halves[32] = joined_halves(nearest_half(64), nearest_half(34));
  if (has_bfloats) bfloats[32] = joined_halves(nearest_bfloat(64), nearest_bfloat(34));
  out[32] = 32032;
  out[33] = 32 + 496 + 248;
  f.expect(out);
  f.expect(a, at_a);
  f.expect(halves, at_halves);
  f.expect(bfloats, at_bfloats);
  f.expect({bits_of(32 + 16.0f)}, at_singles + 32 * sizeof(float));
  f.expect({low_word(bits_of(32 + 8.0)), high_word(bits_of(32 + 8.0))}, at_doubles + 32 * sizeof(double));
}

Word fibonacci(Word n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
void recursion(Feature& f) {
  f.launch(32, f.out);
  Words out(32);
  for (Word t = 0; t < 32; ++t) out[t] = fibonacci(t % 12);
  f.expect(out);
}

void function_pointers(Feature& f) {
  const Words in = made_input(64);
  f.launch(64, f.gpu.upload(in), f.out);
  Words out(64);
  for (Word t = 0; t < 64; ++t) out[t] = in[t] % 3 == 0 ? in[t] + t : in[t] % 3 == 1 ? in[t] * t : in[t] ^ t;
  f.expect(out);
}

Word reversed(Word x) {
  Word result = 0;
  for (unsigned n = 0; n < 32; ++n) result |= (x >> n & 1) << (31 - n);
  return result;
}

void jump_table(Feature& f) {
  const Words in = made_input(64);
  f.launch(64, f.gpu.upload(in), f.out);
  Words out(192);
  for (Word t = 0; t < 64; ++t) {
    Word v = in[t], r = v;
    for (unsigned n = 0; n < 4; ++n, v /= 3) switch (v % 8) {
        case 0:
          r = r * 3;
          break;
        case 1:
          r ^= in[r % 64];
          break;
        case 2:
          r -= 77;
          break;
        case 3:
          r = reversed(r);
          break;
        case 4:
          out[128 + t] = r;
          break;
        case 5:
          r = r / 7;
          break;
        case 6:
          r += in[t ^ 1] * 5;
          break;
        default:
          r = r << 3 | r >> 29;
      }
    out[t] = r;
  }
  f.expect(out);
}

void named_barriers(Feature& f) {
  f.launch(64, f.out, 5, 64);
  Words out(128);
  for (Word n = 0; n < 128; ++n) out[n] = (31 - n % 32) * 7 + n / 32;
  f.expect(out);
}

void groups(Feature& f) {
  const Words in = made_input(64);
  f.launch(64, f.gpu.upload(in), f.out);
  Words out(64);
  for (Word t = 0; t < 64; ++t) {
    Word largest = 0, odd = 0, before = 0, exclusive = 0;
    for (Word n = t / 32 * 32; n < t / 32 * 32 + 32; ++n) {
      out[t] += in[n];
      if (n / 8 == t / 8) largest = std::max(largest, in[n]);
      if (in[n] % 2 == 0) continue;
      ++odd;
      before += n < t;
      exclusive ^= in[n];
    }
    out[t] += largest;
    if (in[t] % 2 != 0) out[t] += odd * 1000 + before + exclusive;
  }
  f.expect(out);
}

void prints(Feature& f) {
  f.launch(32, f.out);
  Words out(32);
  for (Word t = 0; t < 32; ++t) out[t] = t;
  f.expect(out);
  if (f.printed != "lane 0 of a warp:  0.00 123456789ab x %\nlane 1 of a warp:  0.50 123456789ab x %\n")
    f.problems.push_back("prints: printed '" + f.printed + "'");
}

void asserts(Feature& f) {
  Words in(32);
  f.launch(32, f.gpu.upload(in));
  in[9] = 3;
  try {
    f.launch(32, f.gpu.upload(in));
  } catch (const ExecutionError& e) {
    const std::string what = e.what();
    for (const char* const part : {"asserts, PC 0x",
                                   ", CTA (0,0,0), warp 0: lane 9: assertion 'in[threadIdx.x] != 3' does "
                                   "not hold in void asserts("})
      if (what.find(part) == std::string::npos) f.problems.push_back("asserts: said '" + what + "'");
    return;
  }
  f.problems.push_back("asserts: an assertion that does not hold was passed");
}

void allocates(Feature& f) {
  const std::uint64_t before = f.gpu.device.memory.bytes();
  f.launch(32, f.out);
  Words out(32);
  for (Word t = 0; t < 32; ++t) out[t] = t * 3;
  f.expect(out);
  if (f.gpu.device.memory.bytes() != before) f.problems.push_back("allocates: memory is not given back");
}

void seldom(Feature& f) {
  const Words in = made_input(64);
  const Word n = 0x1234567;
  f.launch(32, f.gpu.upload(in), f.out, n);
  Words out(288);
  for (Word t = 0; t < 32; ++t) {
    const Word x = in[t], y = in[t + 32];
    const auto mask = [](Wide width) { return low_word((Wide{1} << width) - 1); };
    const auto clamped = [](Word value) {
      return static_cast<Word>(std::clamp(as_signed(value), -128, 127)) & 255;
    };
    out[t] = static_cast<Word>(as_signed(x << (31 - y % 31)) >> (31 - y % 31));
    out[32 + t] = x & mask(std::min<Word>(y % 40, 32));
    out[64 + t] = x % 40 >= 32 ? 0 : mask(std::min<Word>(y % 40, 32)) << x % 40;
    out[96 + t] = mask(y % 32) << x % 32;
    out[128 + t] = as_float((x & 0x7fffff) | 0x3f800000) < 1.5f ? bits_of(1.0f) : 0;
    out[160 + t] = clamped(static_cast<Word>(as_signed(x) >> 22)) << 8 |
                   clamped(static_cast<Word>(as_signed(y) >> 24)) | x << 16;
    for (Word l = 0; l < 32; ++l)
      out[192 + t] |= Word{(in[l] & 1) == (x & 1) && (in[l + 32] & 1) == (y & 1)} << l;
    const Wide both = joined(n, n * 5);
    Word bytes = 0;
    for (const unsigned from : {3u, 7u, 1u, 5u})
      bytes = bytes << 8 | static_cast<Word>(both >> 8 * from & 255);
    out[224 + t] = static_cast<Word>(__builtin_popcount(n)) + (reversed(n) >> (t & 3)) + bytes;
  }
  f.expect(out);
}

void load_matrices(Feature& f) {
  const Words in = made_input(64);
  f.launch(32, f.gpu.upload(in), f.out);
  Words out(96);
  for (Word t = 0; t < 32; ++t) {
    out[t] = out[32 + t] = in[t];
    out[64 + t] = in[32 + t];
  }
  f.expect(out);
}

void counters(Feature& f) {
  f.launch(64, f.out);
  f.expect(Words(64, 11 * 100 + 11 + 9));
}

void minima(Feature& f) {
  const Words in = made_input(96);
  f.launch(32, f.gpu.upload(in), f.out);
  Words out(256);
  const auto of_halves = [](auto function, auto... words) {
    return joined_halves(static_cast<Half>(function(static_cast<std::int16_t>(half_of(words, 0))...)),
                         static_cast<Half>(function(static_cast<std::int16_t>(half_of(words, 1))...)));
  };
  for (Word t = 0; t < 32; ++t) {
    const Word x = in[t], y = in[t + 32], z = in[t + 64];
    const auto smaller = [](Word a, Word b) {
      return static_cast<Word>(std::min(as_signed(a), as_signed(b)));
    };
    const auto larger = [](Word a, Word b) {
      return static_cast<Word>(std::max(as_signed(a), as_signed(b)));
    };
    out[t] = smaller(x + y, z);
    out[t + 32] = std::max(x - y, z);
    out[t + 64] = larger(smaller(x + y, z), 0);
    out[t + 96] = of_halves([](std::int16_t a, std::int16_t b,
                               std::int16_t c) { return std::max(static_cast<std::int16_t>(a + b), c); },
                            x, y, z);
    out[t + 128] = larger(larger(x, y), z);
    out[t + 160] = of_halves(
        [](auto a, auto b, auto c) {
          return std::min({static_cast<Half>(a), static_cast<Half>(b), static_cast<Half>(c)});
        },
        x, y, z);
    out[t + 192] = larger(larger(x, y), 0);
    out[t + 224] = of_halves(
        [](std::int16_t a, std::int16_t b, std::int16_t c) {
          return std::max(std::min({a, b, c}), std::int16_t{0});
        },
        x, y, z);
  }
  f.expect(out);
}

}  // namespace

Problems check_features(const std::string& cubin, const InstructionTable& table) {
  struct Line {
    const char* kernel;
    void (*check)(Feature&);
  };
  Problems problems;
  for (const auto& [kernel, check] :
       {Line{"generic_addresses", generic_addresses}, Line{"generic_atomics", generic_atomics},
        Line{"plain_atomics", plain_atomics}, Line{"recursion", recursion},
        Line{"function_pointers", function_pointers}, Line{"jump_table", jump_table},
        Line{"named_barriers", named_barriers}, Line{"groups", groups}, Line{"prints", prints},
        Line{"asserts", asserts}, Line{"allocates", allocates}, Line{"seldom", seldom},
        Line{"load_matrices", load_matrices}, Line{"counters", counters}, Line{"minima", minima}}) {
    Feature feature(cubin, table, kernel);
    if (feature.gpu.cubin().kernels.count(kernel) == 0) continue;
    try {
      check(feature);
    } catch (const std::exception& e) {
      feature.problems.push_back(e.what());
    }
    problems.insert(problems.end(), feature.problems.begin(), feature.problems.end());
  }
  return problems;
}

}  // namespace subcore::tracer
