// Floats and doubles.
#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

float input(Step& s, Word bits) {
  const float value = as_float(bits);
  return s.field(Field::flush) ? flushed(value) : value;
}

Word output(Step& s, float value) {
  if (s.field(Field::flush)) value = flushed(value);
  if (s.field(Field::saturate)) value = value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;
  return bits_of(value);
}

// A comparison in each lane, combined with a predicate. The second result is that of the opposite comparison.
template <class HoldsIn>
void write_comparison(Step& s, HoldsIn holds_in) {
  const Lanes other = s.condition(0);
  const unsigned combine = s.field(Field::combine);
  Lanes first = 0, second = 0;
  s.each_lane([&](unsigned l) {
    const bool holds = holds_in(l);
    bits::set(first, l, combined(combine, holds, bits::has(other, l)));
    bits::set(second, l, combined(combine, !holds, bits::has(other, l)));
  });
  s.write_predicates(first, second);
}

// DSETP.MIN and DSETP.MAX, whose predicates choose between their operands. The first predicate is true if the
// minimum or maximum is the first operand. The second is true if both operands are NaN. A compiler selects by
// the first, and makes the selected value a quiet NaN by the second.
void choose_double(Step& s, const WideValues& a, const WideValues& b, bool greater) {
  Lanes first = 0, second = 0;
  s.each_lane([&](unsigned l) {
    const double x = as_double(a[l]), y = as_double(b[l]);
    const bool is_ahead =
        greater ? x > y || (x == y && !std::signbit(x)) : x < y || (x == y && std::signbit(x));
    bits::set(first, l, !std::isnan(x) && (std::isnan(y) || is_ahead));
    bits::set(second, l, std::isnan(x) && std::isnan(y));
  });
  s.write_predicates(first, second);
}

}  // namespace

void minimum_float(Step& s) {
  const Values a = s.real(0), b = s.real(1);
  const Lanes smaller = s.condition(0);
  s.each_lane([&](unsigned l) {
    s.write(l, bits_of(minimum_of(input(s, a[l]), input(s, b[l]), bits::has(smaller, l))));
  });
}

void compare_floats(Step& s) {
  const Values a = s.real(0), b = s.real(1);
  write_comparison(s, [&](unsigned l) {
    return compares_floats(s.field(Field::comparison), input(s, a[l]), input(s, b[l]));
  });
}

void compare_floats_to_number(Step& s) {
  const Values a = s.real(0), b = s.real(1);
  const Lanes other = s.condition(0);
  s.each_lane([&](unsigned l) {
    const bool holds = compares_floats(s.field(Field::comparison), input(s, a[l]), input(s, b[l]));
    s.write(l, combined(s.field(Field::combine), holds, bits::has(other, l)) ? bits_of(1.0f) : 0);
  });
}

void multiply_float(Step& s) {
  const Values a = s.real(0), b = s.real(1);
  const float scale = std::ldexp(1.0f, static_cast<int>(s.field(Field::scale)) - 4);
  const RoundingScope rounding(s.field(Field::rounding));
  s.each_lane([&](unsigned l) { s.write(l, output(s, input(s, a[l]) * input(s, b[l]) * scale)); });
}

void add_float(Step& s) {
  const Values a = s.real(0), b = s.real(1);
  const RoundingScope rounding(s.field(Field::rounding));
  s.each_lane([&](unsigned l) { s.write(l, output(s, input(s, a[l]) + input(s, b[l]))); });
}

void multiply_add_float(Step& s) {
  const Values a = s.real(0), b = s.real(1), c = s.real(2);
  const RoundingScope rounding(s.field(Field::rounding));
  s.each_lane(
      [&](unsigned l) { s.write(l, output(s, std::fma(input(s, a[l]), input(s, b[l]), input(s, c[l])))); });
}

// Whether a quotient must be computed by the slow path, because its exponents are near the ends of the range.
void check_division(Step& s) {
  const Values a = s.real(0), b = s.real(1);
  Lanes is_long = 0;
  s.each_lane([&](unsigned l) {
    const int of_a = a[l] >> 23 & 255, of_b = b[l] >> 23 & 255;
    const bool a_is_zero = (a[l] << 1) == 0;
    bits::set(is_long, l,
              of_b < 2 || of_b > 252 || of_a == 255 ||
                  (!a_is_zero && (of_a < 25 || of_a - of_b > 125 || of_a - of_b < -125)));
  });
  s.write_predicate(0, is_long);
}

// Functions of the special unit, correctly rounded. The hardware's results are slightly less exact.
void function(Step& s) {
  const Values b = s.real(1);
  constexpr double pi = 3.14159265358979323846;
  s.each_lane([&](unsigned l) {
    const double x = static_cast<double>(flushed(as_float(b[l])));
    const double of_high_word = as_double(joined(0, b[l]));
    double y = 0;
    switch (s.field(Field::function)) {
      case 0:
        y = std::cos(x * 2 * pi);
        break;
      case 1:
        y = std::sin(x * 2 * pi);
        break;
      case 2:
        y = std::exp2(x);
        break;
      case 3:
        y = std::log2(x);
        break;
      case 4:
        y = 1 / x;
        break;
      case 5:
        y = 1 / std::sqrt(x);
        break;
      case 6:
        return s.write(l, high_word(bits_of(1 / of_high_word)));
      case 7:
        return s.write(l, high_word(bits_of(1 / std::sqrt(of_high_word))));
      case 8:
        y = std::sqrt(x);
        break;
      case 9:
        y = std::tanh(x);
        break;
      default:
        s.fail(s.instruction().text + " has a function that is not known");
    }
    s.write(l, bits_of(flushed(static_cast<float>(y))));
  });
}

void multiply_double(Step& s) {
  const WideValues a = s.wide_real(0), b = s.wide_real(1);
  const RoundingScope rounding(s.field(Field::rounding));
  s.each_lane([&](unsigned l) { s.write_wide(l, bits_of(as_double(a[l]) * as_double(b[l]))); });
}

void add_double(Step& s) {
  const WideValues a = s.wide_real(0), c = s.wide_real(2);
  const RoundingScope rounding(s.field(Field::rounding));
  s.each_lane([&](unsigned l) { s.write_wide(l, bits_of(as_double(a[l]) + as_double(c[l]))); });
}

void compare_doubles(Step& s) {
  const WideValues a = s.wide_real(0), b = s.wide_real(1);
  const unsigned comparison = s.field(Field::comparison);
  constexpr unsigned minimum = 0, maximum = 15;
  if (comparison == minimum || comparison == maximum) return choose_double(s, a, b, comparison == maximum);
  write_comparison(s,
                   [&](unsigned l) { return compares_floats(comparison, as_double(a[l]), as_double(b[l])); });
}

void multiply_add_double(Step& s) {
  const WideValues a = s.wide_real(0), b = s.wide_real(1), c = s.wide_real(2);
  const RoundingScope rounding(s.field(Field::rounding));
  s.each_lane([&](unsigned l) {
    s.write_wide(l, bits_of(std::fma(as_double(a[l]), as_double(b[l]), as_double(c[l]))));
  });
}

}  // namespace subcore::tracer::meaning
