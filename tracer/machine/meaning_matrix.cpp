// Matrix products of a warp, D = A B + C. PTX (mma.sync) defines which lane has which elements. A row of
// eight elements of A and C is in four lanes, and so is a column of B. Sums are exact in double, or nearly
// so, and are rounded once.
#include <algorithm>
#include <limits>

#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

constexpr unsigned columns = 8;  // of B, C and D

// Register `n` of operand `operand` in a lane.
Word element(Step& s, unsigned operand, unsigned n, unsigned lane) {
  return s.vector_at(s.instruction().operands[operand].number, n, lane);
}

float half_element(Step& s, Word word, unsigned n) {
  const Half half = half_of(word, n);
  return s.field(Field::bfloat) ? bfloat_value(half) : half_value(half);
}

// C and D of 16 rows. Two registers hold rows 0 to 7 and two hold rows 8 to 15, or a register of two halves
// holds each of the two.
template <unsigned depth>
void multiply_16_rows(Step& s, const std::array<std::array<float, depth>, 16>& a,
                      const std::array<std::array<float, columns>, depth>& b, bool half_sums) {
  const auto each_element = [&](auto f) {
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned n = 0; n < 2; ++n) f(half, n);
  };
  std::array<std::array<double, columns>, 16> sums;
  for (unsigned l = 0; l < lanes_of_warp; ++l)
    each_element([&](unsigned half, unsigned n) {
      const Word word = half_sums ? element(s, 2, half, l) : element(s, 2, 2 * half + n, l);
      sums[l / 4 + 8 * half][l % 4 * 2 + n] =
          static_cast<double>(half_sums ? half_value(half_of(word, n)) : as_float(word));
    });
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < columns; ++column)
      for (unsigned k = 0; k < depth; ++k)
        sums[row][column] += static_cast<double>(a[row][k]) * static_cast<double>(b[k][column]);
  s.each_lane([&](unsigned l) {
    for (unsigned half = 0; half < 2; ++half) {
      const double low = sums[l / 4 + 8 * half][l % 4 * 2], high = sums[l / 4 + 8 * half][l % 4 * 2 + 1];
      if (half_sums) {
        s.write(l, joined_halves(nearest_half(low), nearest_half(high)), half);
      } else {
        s.write(l, bits_of(static_cast<float>(low)), 2 * half);
        s.write(l, bits_of(static_cast<float>(high)), 2 * half + 1);
      }
    }
  });
}

// A and B of half floats or bfloat16. A register holds two neighbours in k.
template <unsigned depth>
void multiply_halves_16_rows(Step& s, bool half_sums) {
  std::array<std::array<float, depth>, 16> a;
  std::array<std::array<float, columns>, depth> b;
  for (unsigned l = 0; l < lanes_of_warp; ++l) {
    for (unsigned n = 0; n < 2; ++n) {
      for (unsigned r = 0; r < depth / 4; ++r)
        a[l / 4 + 8 * (r & 1)][l % 4 * 2 + 8 * (r >> 1) + n] = half_element(s, element(s, 0, r, l), n);
      for (unsigned r = 0; r < depth / 8; ++r)
        b[l % 4 * 2 + 8 * r + n][l / 4] = half_element(s, element(s, 1, r, l), n);
    }
  }
  multiply_16_rows<depth>(s, a, b, half_sums);
}

// Whole numbers of `width` bits, with several in a register.
int integer_element(Word word, unsigned n, unsigned width, bool is_signed) {
  const Word plain = word >> width * n & bits::below<Word>(width);
  const Word shifted = plain << (32 - width);
  return is_signed ? as_signed(shifted) >> (32 - width) : static_cast<int>(plain);
}

// A and B of whole numbers. `of_rows` is 8 or 16. A register holds neighbours in k. Registers of A hold rows
// 0 to 7 and rows 8 to 15, and then both again for the second half of k.
template <unsigned rows, unsigned depth, unsigned width>
void multiply_integers(Step& s) {
  constexpr unsigned in_register = 32 / width, in_row = 4 * in_register, parts = depth / in_row;
  std::array<std::array<int, depth>, rows> a;
  std::array<std::array<int, columns>, depth> b;
  std::array<std::array<std::int64_t, columns>, rows> sums;
  for (unsigned l = 0; l < lanes_of_warp; ++l) {
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned n = 0; n < in_register; ++n) {
        const unsigned k = part * in_row + l % 4 * in_register + n;
        for (unsigned half = 0; half < rows / 8; ++half)
          a[l / 4 + 8 * half][k] =
              integer_element(element(s, 0, part * (rows / 8) + half, l), n, width, s.field(Field::a_signed));
        b[k][l / 4] = integer_element(element(s, 1, part, l), n, width, s.field(Field::b_signed));
      }
    for (unsigned half = 0; half < rows / 8; ++half)
      for (unsigned n = 0; n < 2; ++n)
        sums[l / 4 + 8 * half][l % 4 * 2 + n] = as_signed(element(s, 2, 2 * half + n, l));
  }
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column) {
      std::int64_t& sum = sums[row][column];
      for (unsigned k = 0; k < depth; ++k) sum += a[row][k] * b[k][column];
      if (s.field(Field::saturate))
        sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                       std::numeric_limits<std::int32_t>::max());
    }
  s.each_lane([&](unsigned l) {
    for (unsigned half = 0; half < rows / 8; ++half)
      for (unsigned n = 0; n < 2; ++n)
        s.write(l, static_cast<Word>(sums[l / 4 + 8 * half][l % 4 * 2 + n]), 2 * half + n);
  });
}

}  // namespace

void matrix_1688_half(Step& s) {
  multiply_halves_16_rows<8>(s, true);
}

void matrix_1688_single(Step& s) {
  multiply_halves_16_rows<8>(s, false);
}

void matrix_16816_half(Step& s) {
  multiply_halves_16_rows<16>(s, true);
}

void matrix_16816_single(Step& s) {
  multiply_halves_16_rows<16>(s, false);
}

// Floats whose lower 13 bits do not count.
void matrix_1688_tf32(Step& s) {
  const auto number = [&](unsigned operand, unsigned n, unsigned lane) {
    return as_float(element(s, operand, n, lane) & 0xffffe000);
  };
  std::array<std::array<float, 8>, 16> a;
  std::array<std::array<float, columns>, 8> b;
  for (unsigned l = 0; l < lanes_of_warp; ++l) {
    for (unsigned r = 0; r < 4; ++r) a[l / 4 + 8 * (r & 1)][l % 4 + 4 * (r >> 1)] = number(0, r, l);
    for (unsigned r = 0; r < 2; ++r) b[l % 4 + 4 * r][l / 4] = number(1, r, l);
  }
  multiply_16_rows<8>(s, a, b, false);
}

void matrix_8816_bytes(Step& s) {
  multiply_integers<8, 16, 8>(s);
}

void matrix_8832_nibbles(Step& s) {
  multiply_integers<8, 32, 4>(s);
}

void matrix_16832_bytes(Step& s) {
  multiply_integers<16, 32, 8>(s);
}

void matrix_884_doubles(Step& s) {
  const auto number = [&](unsigned operand, unsigned n, unsigned lane) {
    return as_double(joined(element(s, operand, 2 * n, lane), element(s, operand, 2 * n + 1, lane)));
  };
  std::array<std::array<double, 4>, 8> a;
  std::array<std::array<double, columns>, 4> b;
  std::array<std::array<double, columns>, 8> sums;
  for (unsigned l = 0; l < lanes_of_warp; ++l) {
    a[l / 4][l % 4] = number(0, 0, l);
    b[l % 4][l / 4] = number(1, 0, l);
    for (unsigned n = 0; n < 2; ++n) sums[l / 4][l % 4 * 2 + n] = number(2, n, l);
  }
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < columns; ++column)
      for (unsigned k = 0; k < 4; ++k)
        sums[row][column] = std::fma(a[row][k], b[k][column], sums[row][column]);
  s.each_lane([&](unsigned l) {
    for (unsigned n = 0; n < 2; ++n) s.write_wide(l, bits_of(sums[l / 4][l % 4 * 2 + n]), 2 * n);
  });
}

// MOVM: the transpose of a matrix of 8 x 8 halves. A row is in four lanes.
void transpose(Step& s) {
  const Values a = s.raw(0);
  s.each_lane([&](unsigned l) {
    const auto at = [&](unsigned row, unsigned column) {
      return half_of(a[row * 4 + column / 2], column & 1);
    };
    s.write(l, joined_halves(at(l % 4 * 2, l / 4), at(l % 4 * 2 + 1, l / 4)));
  });
}

}  // namespace subcore::tracer::meaning
