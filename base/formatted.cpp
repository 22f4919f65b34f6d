#include "subcore/base/formatted.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace subcore {

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // Up to 2^53 a double holds every integer; to_chars would turn 1000000 into 1e+06.
  if (std::trunc(value) == value && std::abs(value) < 9007199254740992.0)
    return std::to_string(static_cast<std::int64_t>(value));
  std::array<char, 40> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace subcore
