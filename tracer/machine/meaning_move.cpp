// Moves, selections, predicates.
#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

constexpr unsigned predicates_of_lane = 7;  // without the one that is always true

void select_from(Step& s, const Values& a, const Values& b) {
  const Lanes chosen = s.condition(0);
  s.each_lane([&](unsigned l) { s.write(l, bits::has(chosen, l) ? a[l] : b[l]); });
}

}  // namespace

void nothing(Step&) {}

void move(Step& s) {
  const Values b = s.raw(1);
  s.each_lane([&](unsigned l) { s.write(l, b[l]); });
}

void select(Step& s) {
  select_from(s, s.raw(0), s.raw(1));
}

void select_float(Step& s) {
  select_from(s, s.real(0), s.real(1));
}

// B selects the predicates that go into a byte of A.
void predicates_to_register(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  const unsigned shift = 8 * s.field(Field::part);
  s.each_lane([&](unsigned l) {
    Word predicates = 0;
    for (unsigned p = 0; p < predicates_of_lane; ++p) predicates |= (s.warp().predicates[p] >> l & 1) << p;
    const Word mask = b[l] << shift;
    s.write(l, (a[l] & ~mask) | (predicates << shift & mask));
  });
}

void register_to_predicates(Step& s) {
  const Values a = s.raw(0), b = s.raw(1);
  s.each_lane([&](unsigned l) {
    const Word value = a[l] >> 8 * s.field(Field::part);
    for (unsigned p = 0; p < predicates_of_lane; ++p)
      if (bits::has(b[l], p)) bits::set(s.warp().predicates[p], l, bits::has(value, p));
  });
}

void special_register(Step& s) {
  const unsigned number = s.field(Field::special);
  // A uniform instruction reads the register in the first lane that executes it.
  const unsigned first = s.guarded() == 0 ? 0 : bits::lowest(s.guarded());
  const bool is_uniform_result = s.lanes() != s.guarded();
  s.each_lane([&](unsigned l) {
    const Word value = s.special_register(number, is_uniform_result ? first : l);
    if (s.instruction().destination_width == 2)
      s.write_wide(l, value);
    else
      s.write(l, value);
  });
}

// Two functions of three predicates, each given by a bit for each of the eight combinations.
void predicate_logic(Step& s) {
  const std::array<Lanes, 3> in{s.condition(0), s.condition(1), s.condition(2)};
  const auto function_of = [&](unsigned lut) {
    Lanes out = 0;
    for (unsigned n = 0; n < 8; ++n)
      if (bits::has(lut, n))
        out |= (n & 4 ? in[0] : ~in[0]) & (n & 2 ? in[1] : ~in[1]) & (n & 1 ? in[2] : ~in[2]);
    return out;
  };
  s.write_predicates(function_of(s.field(Field::lut)), function_of(s.field(Field::second_lut)));
}

void register_to_uniform(Step& s) {
  if (s.lanes() != 0) s.write_uniform(s.raw(0)[bits::lowest(s.lanes())]);
}

}  // namespace subcore::tracer::meaning
