// Pairs of half floats and of bfloat16.
#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

float value_of(Step& s, Half half) {
  return s.field(Field::bfloat) ? bfloat_value(half) : half_value(half);
}
Half nearest(Step& s, double value) {
  return s.field(Field::bfloat) ? nearest_bfloat(value) : nearest_half(value);
}

// The low or high half of an operand, or the value that the operand has in place of halves.
float half_operand(Step& s, unsigned operand, Word bits, unsigned n) {
  const Operand& o = s.instruction().operands[operand];
  float value;
  if (o.kind == Operand::Kind::immediate || o.halves == 0)
    value = value_of(s, half_of(bits, n));
  else if (o.halves == 1)
    value = as_float(bits);
  else
    value = value_of(s, half_of(bits, o.halves == 2 ? 0 : 1));
  if (o.absolute) value = std::fabs(value);
  return o.negated ? -value : value;
}

// Applies a function of doubles to both halves.
template <class Function>
void write_halves(Step& s, unsigned operands, Function function) {
  std::array<Values, 3> in{s.raw(0), s.raw(1), operands > 2 ? s.raw(2) : Values{}};
  s.each_lane([&](unsigned l) {
    std::array<double, 2> out;
    for (unsigned n = 0; n < 2; ++n) {
      std::array<double, 3> x{};
      for (unsigned o = 0; o < operands; ++o) x[o] = static_cast<double>(half_operand(s, o, in[o][l], n));
      double y = function(x);
      if (s.field(Field::relu) && y < 0) y = 0;
      if (s.field(Field::saturate)) y = y > 0 ? std::fmin(y, 1.0) : 0;
      out[n] = y;
    }
    if (s.field(Field::single))
      s.write(l, bits_of(static_cast<float>(out[0])));
    else
      s.write(l, joined_halves(nearest(s, out[0]), nearest(s, out[1])));
  });
}

// Whether the comparison holds for the low half and for the high half of a lane.
std::array<bool, 2> halves_compare(Step& s, Word a, Word b) {
  std::array<bool, 2> holds;
  for (unsigned n = 0; n < 2; ++n)
    holds[n] =
        compares_floats(s.field(Field::comparison), half_operand(s, 0, a, n), half_operand(s, 1, b, n));
  return holds;
}

}  // namespace

void add_halves(Step& s) {
  write_halves(s, 2, [](const std::array<double, 3>& x) { return x[0] + x[1]; });
}

void multiply_halves(Step& s) {
  write_halves(s, 2, [](const std::array<double, 3>& x) { return x[0] * x[1]; });
}

void multiply_add_halves(Step& s) {
  write_halves(s, 3, [](const std::array<double, 3>& x) { return x[0] * x[1] + x[2]; });
}

// Two predicates: one for each half, or one for both and one for the opposite.
void compare_halves(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  const Lanes other = s.condition(0);
  Lanes first = 0, second = 0;
  s.each_lane([&](unsigned l) {
    const auto [low, high] = halves_compare(s, a[l], b[l]);
    const auto with_other = [&](bool holds) {
      return combined(s.field(Field::combine), holds, bits::has(other, l));
    };
    const bool both = s.field(Field::both) != 0;
    bits::set(first, l, with_other(both ? low && high : low));
    bits::set(second, l, with_other(both ? !(low && high) : high));
  });
  s.write_predicates(first, second);
}

// The value 1, or a mask, in each half in which the comparison holds.
void compare_halves_to_number(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  const Lanes other = s.condition(0);
  const Half yes = !s.field(Field::both) ? Half{0xffff} : nearest(s, 1);
  s.each_lane([&](unsigned l) {
    const auto [low, high] = halves_compare(s, a[l], b[l]);
    const auto number = [&](bool holds) {
      return combined(s.field(Field::combine), holds, bits::has(other, l)) ? yes : Half{0};
    };
    s.write(l, joined_halves(number(low), number(high)));
  });
}

void minimum_halves(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  const Lanes smaller = s.condition(0);
  s.each_lane([&](unsigned l) {
    const auto chosen = [&](unsigned n) {
      const float value =
          minimum_of(half_operand(s, 0, a[l], n), half_operand(s, 1, b[l], n), bits::has(smaller, l));
      return nearest(s, static_cast<double>(value));
    };
    s.write(l, joined_halves(chosen(0), chosen(1)));
  });
}

}  // namespace subcore::tracer::meaning
