// Matrix products of every form, on whole numbers so that sums are exact. Fragments are laid out by the
// formulas of the PTX manual (mma.sync: "row = groupID ..., col = threadID_in_group * 2 + (i & 1) ..."),
// element by element.
#include <random>

#include "checks.h"
#include "gpu.h"
#include "subcore/base/formatted.h"

namespace subcore::tracer {
namespace {

constexpr unsigned warp = 32;

double half_at(Word word, unsigned n, bool is_bfloat) {
  const auto bits = static_cast<Half>(word >> 16 * n);
  return static_cast<double>(is_bfloat ? bfloat_value(bits) : half_value(bits));
}

struct Fragments {
  std::vector<Word> a = std::vector<Word>(warp * 4), b = std::vector<Word>(warp * 2);
  std::vector<float> c = std::vector<float>(warp * 5);
  std::vector<double> doubles = std::vector<double>(64);
};

Fragments made_fragments(std::mt19937& random, bool is_bfloat) {
  Fragments f;
  const auto small = [&] {
    const double value = static_cast<double>(random() % 9) - 4;
    return Word{is_bfloat ? nearest_bfloat(value) : nearest_half(value)};
  };
  for (auto* const words : {&f.a, &f.b})
    for (Word& word : *words) {
      word = small();
      word |= small() << 16;
    }
  for (float& value : f.c) value = (static_cast<float>(random() % 17) - 8) * 0.5f;
  for (double& value : f.doubles) value = static_cast<double>(random() % 9) - 4;
  return f;
}

// The element of D that a lane's value i is, in products of 16 rows and 8 columns.
unsigned row_of(unsigned lane, unsigned i) {
  return lane / 4 + (i >= 2 ? 8 : 0);
}
unsigned column_of(unsigned lane, unsigned i) {
  return lane % 4 * 2 + (i & 1);
}

}  // namespace

Problems check_matrix_forms(const std::string& cubin, const InstructionTable& table) {
  Problems problems;
  std::mt19937 random(5);
  for (const bool is_bfloat : {false, true}) {
    const Fragments f = made_fragments(random, is_bfloat);
    double a[16][16], b[16][8];
    int bytes_a[16][32], bytes_b[32][8];
    for (unsigned lane = 0; lane < warp; ++lane) {
      const unsigned group = lane / 4, in_group = lane % 4;
      for (unsigned i = 0; i < 8; ++i)
        a[i < 2 || (i >= 4 && i < 6) ? group : group + 8][in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0)] =
            half_at(f.a[lane * 4 + i / 2], i & 1, is_bfloat);
      for (unsigned i = 0; i < 4; ++i)
        b[in_group * 2 + (i & 1) + (i >= 2 ? 8 : 0)][group] =
            half_at(f.b[lane * 2 + i / 2], i & 1, is_bfloat);
      for (unsigned i = 0; i < 16; ++i)
        bytes_a[i < 4 || (i >= 8 && i < 12) ? group : group + 8][in_group * 4 + (i & 3) + (i >= 8 ? 16 : 0)] =
            static_cast<std::int8_t>(f.a[lane * 4 + i / 4] >> 8 * (i & 3));
      for (unsigned i = 0; i < 8; ++i)
        bytes_b[in_group * 4 + (i & 3) + (i >= 4 ? 16 : 0)][group] =
            static_cast<std::int8_t>(f.b[lane * 2 + i / 4] >> 8 * (i & 3));
    }
    Gpu gpu(cubin, table);
    const std::uint64_t of_a = gpu.upload(f.a), of_b = gpu.upload(f.b), of_c = gpu.upload(f.c);
    const std::uint64_t out = gpu.device.memory.allocate(704 * sizeof(float)),
                        doubles = gpu.upload(f.doubles);
    gpu.launch("matrix_forms", {1}, {warp}, of_a, of_b, of_c, out, doubles);
    const auto d = gpu.download<float>(out, 704);
    const auto check = [&](const char* form, unsigned at, double expected) {
      const double got = static_cast<double>(d[at]);
      if (got != expected && (problems.empty() || problems.back().compare(0, 10, form, 10) != 0))
        problems.push_back(std::string(form) +
                           formatted(": element %u is %g, expected %g", at, got, expected));
    };
    for (unsigned lane = 0; lane < warp; ++lane) {
      for (unsigned i = 0; i < 4; ++i) {
        const unsigned row = row_of(lane, i), column = column_of(lane, i), at = lane * 4 + i;
        double sum = static_cast<double>(f.c[at]);
        for (unsigned k = 0; k < 16; ++k) sum += a[row][k] * b[k][column];
        if (is_bfloat) {
          check("HMMA.16816.F32.BF16", 256 + at, sum);
        } else {
          check("HMMA.16816.F32", at, sum);
          check("HMMA.16816.F16", 128 + at, static_cast<double>(half_value(nearest_half(sum))));
        }
        double whole = at;
        for (unsigned k = 0; k < 32; ++k) whole += bytes_a[row][k] * bytes_b[k][column];
        check("IMMA.16832.S8.S8", 384 + at, whole);
        // The kernel makes its TF32 fragments from C. A is half of C, and B is its second and third value.
        const auto tf32_a = [&](unsigned r, unsigned k) {
          return static_cast<double>(f.c[((r & 7) * 4 + (k & 3)) * 4 + (r >> 3) + 2 * (k >> 2)]) * 0.5;
        };
        const auto tf32_b = [&](unsigned k, unsigned n) {
          return static_cast<double>(f.c[(n * 4 + (k & 3)) * 4 + 1 + (k >> 2)]);
        };
        double tf32 = static_cast<double>(f.c[lane * 4 + 3 - i]);
        for (unsigned k = 0; k < 8; ++k) tf32 += tf32_a(row, k) * tf32_b(k, column);
        check("HMMA.1688.F32.TF32", 512 + at, tf32);
      }
      for (unsigned i = 0; i < 2; ++i) {
        double sum = static_cast<double>(f.c[lane * 4 + i]);
        for (unsigned k = 0; k < 4; ++k)
          sum += f.doubles[lane / 4 * 4 + k] * f.doubles[32 + (lane % 4 * 2 + i) * 4 + k];
        check("DMMA.884", 640 + lane * 2 + i, sum);
      }
    }
  }
  return problems;
}

}  // namespace subcore::tracer
