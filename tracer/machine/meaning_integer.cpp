// Whole numbers and bits.
#include <algorithm>

#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

// A sum with carries in and out.
struct Carries {
  Lanes one = 0, two = 0;  // lanes whose sum carries at least 1, at least 2
  void note(unsigned lane, Wide sum) {
    if (sum >> 32 >= 1) bits::add(one, lane);
    if (sum >> 32 >= 2) bits::add(two, lane);
  }
};

// An operand of a sum. A minus becomes the complement and a carry of one.
Values summand(Step& s, unsigned n, Word& carry) {
  Operand o = s.instruction().operands[n];
  if (o.negated) {
    o.negated = false;
    o.inverted = true;
    ++carry;
  }
  return s.integer(o);
}

Word smaller_or_larger(Word a, Word b, bool is_signed, bool smaller) {
  const bool a_is_below = is_signed ? as_signed(a) < as_signed(b) : a < b;
  return a_is_below == smaller ? a : b;
}

// The smaller or larger of two words, or of each of their halves, by the instruction's type.
Word chosen(Step& s, Word a, Word b, bool smaller) {
  const unsigned type = s.field(Field::type);
  const bool is_signed = (type & 1) != 0;
  if (type < 2) return smaller_or_larger(a, b, is_signed, smaller);
  // A half in the upper part of a word compares as a word does.
  const auto half = [&](unsigned n) {
    return smaller_or_larger(Word{half_of(a, n)} << 16, Word{half_of(b, n)} << 16, is_signed, smaller);
  };
  return half(0) >> 16 | half(1);
}

// The value after .RELU: zero for negative numbers.
Word clamped(Step& s, Word value) {
  return s.field(Field::relu) ? chosen(s, value, 0, false) : value;
}

// The number of bits by which a shift moves: at most the width, or modulo the width.
unsigned shift_amount(Step& s, Word amount, unsigned width) {
  return s.field(Field::wrap) ? amount & (width - 1) : std::min<Word>(amount, width);
}

// The product of IMAD.WIDE and IMAD.HI, with a carry into the sum's bit 64.
Wide wide_product_sum(Step& s, Word a, Word b, Wide c, bool carry_in, bool& carry_out) {
  const bool is_signed = s.field(Field::is_signed);
  const Wide product = is_signed ? static_cast<Wide>(static_cast<std::int64_t>(as_signed(a)) * as_signed(b))
                                 : static_cast<Wide>(a) * b;
  const Wide sum = product + c, result = sum + carry_in;
  carry_out = sum < product || result < sum;
  return result;
}

void multiply_add_wide_or_high(Step& s, bool high) {
  const Values a = s.integer(0), b = s.integer(1);
  WideValues c = s.wide_integer(2);
  const bool is_number = s.instruction().operands[2].kind == Operand::Kind::immediate;
  const Lanes carry = s.field(Field::extended) ? s.condition(0) : 0;
  Lanes carries = 0;
  s.each_lane([&](unsigned l) {
    if (is_number && s.field(Field::is_signed))
      c[l] = static_cast<Wide>(std::int64_t{as_signed(low_word(c[l]))});
    bool carried;
    const Wide result = wide_product_sum(s, a[l], b[l], c[l], bits::has(carry, l), carried);
    bits::set(carries, l, carried);
    if (high)
      s.write(l, high_word(result));
    else
      s.write_wide(l, result);
  });
  s.write_predicate(0, carries);
}

}  // namespace

void compare_integers(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  const Lanes other = s.condition(0), low = s.condition(2);
  const unsigned comparison = s.field(Field::comparison), combine = s.field(Field::combine);
  const bool is_signed = s.field(Field::is_signed);
  Lanes first = 0, second = 0;
  s.each_lane([&](unsigned l) {
    bool holds;
    if (s.field(Field::extended)) {
      // The high words decide. If they are equal, the earlier comparison of the low words decides.
      const bool is_below = is_signed ? as_signed(a[l]) < as_signed(b[l]) : a[l] < b[l];
      const bool is_equal = a[l] == b[l], low_holds = bits::has(low, l);
      switch (comparison) {
        case 0:
          holds = false;
          break;
        case 1:
        case 3:
          holds = is_below || (is_equal && low_holds);
          break;
        case 2:
          holds = is_equal && low_holds;
          break;
        case 5:
          holds = !is_equal || low_holds;
          break;
        case 7:
          holds = true;
          break;
        default:
          holds = (!is_below && !is_equal) || (is_equal && low_holds);
          break;
      }
    } else {
      holds = is_signed ? compares(comparison, as_signed(a[l]), as_signed(b[l]))
                        : compares(comparison, a[l], b[l]);
    }
    bits::set(first, l, combined(combine, holds, bits::has(other, l)));
    bits::set(second, l, combined(combine, !holds, bits::has(other, l)));
  });
  s.write_predicates(first, second);
}

void add_2(Step& s) {
  const Values a = s.integer(0), b = s.integer(1);
  s.each_lane([&](unsigned l) { s.write(l, a[l] + b[l]); });
}

void add_3(Step& s) {
  Word carry = 0;
  const Values a = summand(s, 0, carry), b = summand(s, 1, carry), c = summand(s, 2, carry);
  const Lanes first = s.field(Field::extended) ? s.condition(0) : 0;
  const Lanes second = s.field(Field::extended) ? s.condition(1) : 0;
  Carries out;
  s.each_lane([&](unsigned l) {
    const Wide sum = Wide{a[l]} + b[l] + c[l] + carry + (first >> l & 1) + (second >> l & 1);
    s.write(l, low_word(sum));
    out.note(l, sum);
  });
  s.write_predicates(out.one, out.two);
}

// LEA: (A << shift) + B. Or the bits of A that a shift moves into the upper word, with C or A's sign above
// them.
void shift_and_add(Step& s) {
  const Operand& first = s.instruction().operands[0];
  Word carry = first.negated;
  Operand plain = first;
  plain.negated = plain.inverted = false;
  const Values a = s.integer(plain), b = summand(s, 1, carry), c = s.raw(2);
  const Lanes carry_in = s.field(Field::extended) ? s.condition(0) : 0;
  const unsigned shift = s.field(Field::shift);
  Carries out;
  s.each_lane([&](unsigned l) {
    Word shifted = a[l] << shift;
    if (s.field(Field::high)) {
      const Word above = s.field(Field::sign_extend) ? (as_signed(a[l]) < 0 ? ~Word{0} : 0) : c[l];
      shifted = shift == 0 ? above : above << shift | a[l] >> (32 - shift);
    }
    if (first.negated || first.inverted) shifted = ~shifted;
    const Wide sum = Wide{shifted} + b[l] + carry + (carry_in >> l & 1);
    s.write(l, low_word(sum));
    out.note(l, sum);
  });
  s.write_predicate(0, out.one);
}

void logic_3(Step& s) {
  const Values a = s.raw(0), b = s.raw(1), c = s.raw(2);
  const Lanes other = s.condition(0);
  const unsigned lut = s.field(Field::lut);
  Lanes out = 0;
  s.each_lane([&](unsigned l) {
    Word result = 0;
    for (unsigned n = 0; n < 8; ++n)
      if (bits::has(lut, n))
        result |= (n & 4 ? a[l] : ~a[l]) & (n & 2 ? b[l] : ~b[l]) & (n & 1 ? c[l] : ~c[l]);
    s.write(l, result);
    const bool own = bits::has(other, l);
    bits::set(out, l, s.field(Field::both) ? result != 0 && own : result != 0 || own);
  });
  s.write_predicate(0, out);
}

void absolute_integer(Step& s) {
  const Values b = s.raw(1);
  s.each_lane([&](unsigned l) { s.write(l, as_signed(b[l]) < 0 ? 0 - b[l] : b[l]); });
}

// Bytes of A and C, chosen by B.
void permute(Step& s) {
  const Values a = s.raw(0), b = s.raw(1), c = s.raw(2);
  const unsigned mode = s.field(Field::mode);
  s.each_lane([&](unsigned l) {
    const Wide both = joined(a[l], c[l]);
    const auto byte = [&](unsigned n) { return static_cast<Word>(both >> 8 * (n & 7) & 255); };
    const unsigned first = b[l] & 3;
    Word result = 0;
    for (unsigned n = 0; n < 4; ++n) {
      Word chosen = 0;
      switch (mode) {
        case 0: {
          const unsigned selector = b[l] >> 4 * n & 15;
          chosen = byte(selector);
          if (selector >= 8) chosen = chosen >= 128 ? 255 : 0;  // sign of the byte
          break;
        }
        case 1:
          chosen = byte(first + n);
          break;
        case 2:
          chosen = byte(first - n);
          break;
        case 3:
          chosen = byte(first);
          break;
        case 4:
          chosen = byte(std::max(first, n));
          break;
        case 5:
          chosen = byte(std::min(first, n));
          break;
        case 6:
          chosen = byte((b[l] & 1) * 2 + (n & 1));
          break;
        default:
          s.fail("PRMT has mode 7, which is not known");
      }
      result |= chosen << 8 * n;
    }
    s.write(l, result);
  });
}

void minimum_integer(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  const Lanes smaller = s.condition(0);
  s.each_lane([&](unsigned l) {
    s.write(l, smaller_or_larger(a[l], b[l], s.field(Field::is_signed), bits::has(smaller, l)));
  });
}

void minimum_vector(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  const Lanes smaller = s.condition(0);
  s.each_lane([&](unsigned l) { s.write(l, clamped(s, chosen(s, a[l], b[l], bits::has(smaller, l)))); });
}

void minimum_3(Step& s) {
  const Values a = s.raw(0), b = s.raw(1), c = s.raw(2);
  const Lanes smaller = s.condition(0);
  s.each_lane([&](unsigned l) {
    const bool is_smaller = bits::has(smaller, l);
    s.write(l, clamped(s, chosen(s, chosen(s, a[l], b[l], is_smaller), c[l], is_smaller)));
  });
}

void minimum_of_sum(Step& s) {
  const Values a = s.raw(0), b = s.integer(1), c = s.raw(2);
  const Lanes smaller = s.condition(0);
  const bool is_halves = s.field(Field::type) >= 2;
  s.each_lane([&](unsigned l) {
    const auto half = [&](unsigned n) { return static_cast<Half>(half_of(a[l], n) + half_of(b[l], n)); };
    const Word sum = is_halves ? joined_halves(half(0), half(1)) : a[l] + b[l];
    s.write(l, clamped(s, chosen(s, sum, c[l], bits::has(smaller, l))));
  });
}

// A word of C:A, shifted as one value.
void shift_funnel(Step& s) {
  const Values a = s.raw(0), b = s.raw(1), c = s.raw(2);
  const unsigned type = s.field(Field::type), width = type < 2 ? 64 : 32;
  const bool is_signed = (type & 1) == 0;
  s.each_lane([&](unsigned l) {
    const Wide both = joined(a[l], c[l]);
    const unsigned shift = shift_amount(s, b[l], width);
    Wide result;
    if (!s.field(Field::right))
      result = shift >= 64 ? 0 : both << shift;
    else if (is_signed)
      result = static_cast<Wide>(static_cast<std::int64_t>(both) >> std::min(shift, 63u));
    else
      result = shift >= 64 ? 0 : both >> shift;
    s.write(l, s.field(Field::high) ? high_word(result) : low_word(result));
  });
}

void sign_extend(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  s.each_lane([&](unsigned l) {
    const unsigned width = shift_amount(s, b[l], 32);
    if (width == 0) return s.write(l, 0);
    const Word top = a[l] << (32 - width);
    s.write(l, s.field(Field::is_signed) ? static_cast<Word>(as_signed(top) >> (32 - width))
                                         : top >> (32 - width));
  });
}

void bit_mask(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  s.each_lane([&](unsigned l) {
    const unsigned from = s.field(Field::wrap) ? a[l] & 31 : std::min<Word>(a[l], 32);
    const unsigned width = s.field(Field::wrap) ? b[l] & 31 : std::min<Word>(b[l], 32);
    s.write(l, low_word(bits::below<Wide>(width) << from));
  });
}

void multiply_add(Step& s) {
  const Values a = s.integer(0), b = s.integer(1), c = s.integer(2);
  const Lanes carry = s.field(Field::extended) ? s.condition(0) : 0;
  s.each_lane([&](unsigned l) { s.write(l, a[l] * b[l] + c[l] + (carry >> l & 1)); });
}

void multiply_add_wide(Step& s) {
  multiply_add_wide_or_high(s, false);
}

void multiply_add_high(Step& s) {
  multiply_add_wide_or_high(s, true);
}

void dot_product(Step& s) {
  const Values a = s.raw(0), b = s.raw(1), c = s.raw(2);
  const auto byte = [](Word value, unsigned n, bool is_signed) {
    const int plain = static_cast<int>(value >> 8 * n & 255);
    return is_signed ? static_cast<std::int8_t>(plain) : plain;
  };
  s.each_lane([&](unsigned l) {
    Word sum = c[l];
    for (unsigned n = 0; n < 4; ++n)
      sum += static_cast<Word>(byte(a[l], n, s.field(Field::a_signed)) *
                               byte(b[l], n, s.field(Field::b_signed)));
    s.write(l, sum);
  });
}

// PTX's cvt.pack.sat: A and B, clamped, behind C.
void pack_integers(Step& s) {
  const Values a = s.raw(0), b = s.raw(1), c = s.raw(2);
  const unsigned type = s.field(Field::type);
  if (type == 4 || type == 5) s.fail(s.instruction().text + " has a type that is not known");
  const unsigned width = type < 2 ? 8 : type < 4 ? 16 : 4;
  const bool is_signed = (type & 1) != 0;
  const int low = is_signed ? -(1 << (width - 1)) : 0, high = (1 << (is_signed ? width - 1 : width)) - 1;
  s.each_lane([&](unsigned l) {
    const auto clamped = [&](Word value) {
      return static_cast<Word>(std::clamp(as_signed(value), low, high)) & bits::below<Word>(width);
    };
    const Word above = width == 16 ? 0 : c[l] << 2 * width;
    s.write(l, above | clamped(a[l]) << width | clamped(b[l]));
  });
}

void leading_one(Step& s) {
  const Values b = s.integer(1);
  s.each_lane([&](unsigned l) {
    Word value = b[l];
    if (s.field(Field::is_signed) && as_signed(value) < 0) value = ~value;
    if (value == 0) return s.write(l, ~Word{0});
    s.write(l, s.field(Field::mode) ? 31 - bits::highest(value) : bits::highest(value));
  });
}

void reverse_bits(Step& s) {
  const Values b = s.raw(1);
  s.each_lane([&](unsigned l) {
    Word reversed = 0;
    for (unsigned n = 0; n < 32; ++n) reversed |= (b[l] >> n & 1) << (31 - n);
    s.write(l, reversed);
  });
}

void count_bits(Step& s) {
  const Values b = s.integer(1);
  s.each_lane([&](unsigned l) { s.write(l, bits::count(b[l])); });
}

}  // namespace subcore::tracer::meaning
