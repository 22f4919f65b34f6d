// Instructions by which lanes of a warp exchange values.
#include <algorithm>

#include "subcore/tracer/machine/instruction_table.h"
#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

// For each lane, the lanes that have the same value.
template <class V>
void write_matches(Step& s, const V& values) {
  s.each_lane([&](unsigned l) {
    Lanes equal = 0;
    s.each_lane([&](unsigned other) { bits::set(equal, other, values[other] == values[l]); });
    s.write(l, equal);
  });
}

}  // namespace

void vote(Step& s) {
  const Lanes yes = s.condition(0) & s.lanes();
  const unsigned mode = s.field(Field::mode);
  const bool result = mode == 0 ? yes == s.lanes() : mode == 1 ? yes != 0 : yes == 0 || yes == s.lanes();
  if (s.instruction().row->has(is_uniform)) {
    if (s.lanes() != 0) s.write_uniform(yes);
  } else {
    s.each_lane([&](unsigned l) { s.write(l, yes); });
  }
  s.write_predicate(0, result ? all_lanes : 0);
}

// IDX, UP, DOWN and BFLY within segments of lanes, as PTX's shfl.sync defines them.
void shuffle(Step& s) {
  const Values a = s.raw(0), b = s.raw(1), c = s.raw(2);
  Lanes in_range = 0;
  s.each_lane([&](unsigned l) {
    const unsigned clamp = c[l] & 31, segment = c[l] >> 8 & 31, distance = b[l] & 31;
    const unsigned highest = (l & segment) | (clamp & ~segment), lowest = l & segment;
    int from;
    bool is_in;
    switch (s.field(Field::mode)) {
      case 0:
        from = static_cast<int>(lowest | (distance & ~segment & 31));
        is_in = from <= static_cast<int>(highest);
        break;
      case 1:
        from = static_cast<int>(l) - static_cast<int>(distance);
        is_in = from >= static_cast<int>(highest);
        break;
      case 2:
        from = static_cast<int>(l + distance);
        is_in = from <= static_cast<int>(highest);
        break;
      default:
        from = static_cast<int>(l ^ distance);
        is_in = from <= static_cast<int>(highest);
        break;
    }
    s.write(l, a[is_in ? static_cast<unsigned>(from) : l]);
    bits::set(in_range, l, is_in);
  });
  s.write_predicate(0, in_range);
}

void match_any(Step& s) {
  write_matches(s, s.raw(0));
}

void match_any_wide(Step& s) {
  write_matches(s, s.wide_integer(0));
}

// All lanes, if they have the same value; otherwise none.
void match_all(Step& s) {
  const Values a = s.raw(0);
  bool all = true;
  s.each_lane([&](unsigned l) { all &= a[l] == a[bits::lowest(s.lanes())]; });
  s.each_lane([&](unsigned l) { s.write(l, all ? s.lanes() : 0); });
  s.write_predicate(0, all ? all_lanes : 0);
}

void reduce(Step& s) {
  if (s.lanes() == 0) return;
  const Values a = s.raw(0);
  const bool is_signed = s.field(Field::is_signed);
  Word result = a[bits::lowest(s.lanes())];
  const auto smaller = [&](Word x, Word y) { return is_signed ? as_signed(x) < as_signed(y) : x < y; };
  for (const unsigned l : bits::each(bits::without_lowest(s.lanes()))) switch (s.field(Field::function)) {
      case 0:
        result &= a[l];
        break;
      case 1:
        result |= a[l];
        break;
      case 2:
        result ^= a[l];
        break;
      case 3:
        result += a[l];
        break;
      case 4:
        result = smaller(a[l], result) ? a[l] : result;
        break;
      case 5:
        result = smaller(result, a[l]) ? a[l] : result;
        break;
      default:
        s.fail(s.instruction().text + " has an operation that is not known");
    }
  s.write_uniform(result);
}

}  // namespace subcore::tracer::meaning
