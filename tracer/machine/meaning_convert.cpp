// Conversions between numbers of different types.
#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

// Types of floats, in the numbers of Field::to and Field::from.
enum : unsigned { half_type = 1, single_type = 2, double_type = 3 };

// The source B of a conversion from floats, in each lane.
std::array<double, lanes_of_warp> float_source(Step& s) {
  std::array<double, lanes_of_warp> result{};
  const unsigned from = s.field(Field::from);
  const Operand& o = s.instruction().operands[1];
  if (from == double_type) {
    const WideValues b = s.wide_real(1);
    for (unsigned l = 0; l < lanes_of_warp; ++l) result[l] = as_double(b[l]);
  } else if (from == half_type) {
    const Values b = s.raw(1);
    for (unsigned l = 0; l < lanes_of_warp; ++l) {
      float value = half_value(half_of(b[l], s.field(Field::part) != 0 ? 1 : 0));
      if (o.absolute) value = std::fabs(value);
      result[l] = static_cast<double>(o.negated ? -value : value);
    }
  } else {
    const Values b = s.real(1);
    for (unsigned l = 0; l < lanes_of_warp; ++l) {
      const float value = as_float(b[l]);
      result[l] = static_cast<double>(s.field(Field::flush) ? flushed(value) : value);
    }
  }
  return result;
}

void write_float(Step& s, unsigned lane, double value) {
  switch (s.field(Field::to)) {
    case half_type:
      return s.write(lane, nearest_half(value));
    case double_type:
      return s.write_wide(lane, bits_of(value));
    default: {
      float single = static_cast<float>(value);
      if (s.field(Field::flush)) single = flushed(single);
      if (s.field(Field::saturate)) single = single > 0 ? (single < 1 ? single : 1.0f) : 0.0f;
      return s.write(lane, bits_of(single));
    }
  }
}

// `rounding` is nearest, down, up or to zero.
double rounded(double value, unsigned rounding) {
  switch (rounding) {
    case 0:
      return std::nearbyint(value);
    case 1:
      return std::floor(value);
    case 2:
      return std::ceil(value);
    default:
      return std::trunc(value);
  }
}

// The nearest whole number of a type. NaN becomes 0, or the lowest number of 64 bits.
Wide whole_number(double value, unsigned width, bool is_signed) {
  if (std::isnan(value)) return width == 64 ? Wide{1} << 63 : 0;
  const double end = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
  if (is_signed) {
    if (value >= end) return bits::below<Wide>(width - 1);
    if (value < -end) return ~bits::below<Wide>(width - 1);
    return static_cast<Wide>(static_cast<std::int64_t>(value));
  }
  if (value >= end) return bits::first<Wide>(width);
  return value <= 0 ? 0 : static_cast<Wide>(value);
}

// The whole number that an I2F converts, as 64 bits.
Wide integer_source(Step& s, unsigned lane, const Values& words, const WideValues& wide) {
  const bool is_signed = s.field(Field::is_signed);
  const unsigned part = s.field(Field::part);
  switch (s.field(Field::from)) {
    case 0: {
      const auto byte = static_cast<std::uint8_t>(words[lane] >> 8 * part);
      return is_signed ? static_cast<Wide>(std::int64_t{static_cast<std::int8_t>(byte)}) : byte;
    }
    case 1: {
      const Half half = half_of(words[lane], part != 0 ? 1 : 0);
      return is_signed ? static_cast<Wide>(std::int64_t{static_cast<std::int16_t>(half)}) : half;
    }
    case 2:
      return is_signed ? static_cast<Wide>(std::int64_t{as_signed(words[lane])}) : words[lane];
    default:
      return wide[lane];
  }
}

}  // namespace

void float_to_float(Step& s) {
  const auto b = float_source(s);
  const unsigned rounding = s.field(Field::rounding);
  if (s.field(Field::to) == half_type && rounding != 0) {
    if (rounding != 3 || s.field(Field::from) == double_type)
      s.fail(s.instruction().text + " rounds in a way that is not known");
    return s.each_lane([&](unsigned l) { s.write(l, truncated_half(static_cast<float>(b[l]))); });
  }
  const RoundingScope scope(rounding);
  s.each_lane([&](unsigned l) { write_float(s, l, b[l]); });
}

void round_float(Step& s) {
  const auto b = float_source(s);
  s.each_lane([&](unsigned l) { write_float(s, l, rounded(b[l], s.field(Field::rounding))); });
}

void float_to_integer(Step& s) {
  const auto b = float_source(s);
  const unsigned width = 8u << s.field(Field::to);
  s.each_lane([&](unsigned l) {
    const Wide number =
        whole_number(rounded(b[l], s.field(Field::rounding)), width, s.field(Field::is_signed));
    if (width == 64)
      s.write_wide(l, number);
    else
      s.write(l, low_word(number));
  });
}

void integer_to_float(Step& s) {
  const bool is_wide = s.field(Field::from) == 3, is_signed = s.field(Field::is_signed);
  const Values words = is_wide ? Values{} : s.raw(1);
  const WideValues wide = is_wide ? s.wide_integer(1) : WideValues{};
  const RoundingScope rounding(s.field(Field::rounding));
  s.each_lane([&](unsigned l) {
    const Wide number = integer_source(s, l, words, wide);
    const auto as_integer = static_cast<std::int64_t>(number);
    if (s.field(Field::to) == single_type)
      s.write(l, bits_of(is_signed ? static_cast<float>(as_integer) : static_cast<float>(number)));
    else
      write_float(s, l, is_signed ? static_cast<double>(as_integer) : static_cast<double>(number));
  });
}

void word_to_float(Step& s) {
  const Values b = s.raw(1);
  const RoundingScope rounding(s.field(Field::rounding));
  s.each_lane([&](unsigned l) {
    s.write(l, bits_of(s.field(Field::is_signed) ? static_cast<float>(as_signed(b[l]))
                                                 : static_cast<float>(b[l])));
  });
}

// Packs two floats as halves into a word, with B in the low half.
void pack_floats(Step& s) {
  const Values a = s.real(0), b = s.real(1);
  const unsigned rounding = s.field(Field::rounding);
  if (rounding != 0 && (rounding != 3 || s.field(Field::bfloat)))
    s.fail(s.instruction().text + " rounds in a way that is not known");
  const auto packed = [&](Word bits) -> Half {
    float value = as_float(bits);
    if (s.field(Field::relu) && !(value > 0)) value = 0;
    if (s.field(Field::bfloat)) return nearest_bfloat(static_cast<double>(value));
    return rounding == 3 ? truncated_half(value) : nearest_half(static_cast<double>(value));
  };
  s.each_lane([&](unsigned l) { s.write(l, joined_halves(packed(b[l]), packed(a[l]))); });
}

}  // namespace subcore::tracer::meaning
