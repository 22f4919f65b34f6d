// Reads numbers and words from lines of a trace, without allocation or locale. Only a whole token counts as a
// number.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace subcore::text {

// The value of each character as a hexadecimal digit, or -1.
inline constexpr std::array<std::int8_t, 256> hex_digit = [] {
  std::array<std::int8_t, 256> t{};
  for (auto& v : t) v = -1;
  for (int i = 0; i < 10; ++i) t[static_cast<std::size_t>('0' + i)] = static_cast<std::int8_t>(i);
  for (int i = 0; i < 6; ++i) {
    t[static_cast<std::size_t>('a' + i)] = static_cast<std::int8_t>(10 + i);
    t[static_cast<std::size_t>('A' + i)] = static_cast<std::int8_t>(10 + i);
  }
  return t;
}();
// The value of hexadecimal digit `c`, or -1 for any other character.
inline int hex_value(char c) {
  return hex_digit[static_cast<unsigned char>(c)];
}
// Whether `c` separates words.
inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// `s` without blanks at its ends.
inline std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

// Words of a line, separated by blanks.
struct Cursor {
  const char* at;
  const char* end;
  std::string_view word() {
    while (at != end && is_blank(*at)) ++at;
    const char* begin = at;
    while (at != end && !is_blank(*at)) ++at;
    return {begin, static_cast<std::size_t>(at - begin)};
  }
};

// Reads decimal digits of a number of at most `limit`. For any other text, returns false and leaves `out` as
// it was.
inline bool parse_unsigned(std::string_view s, std::uint64_t& out,
                           std::uint64_t limit = std::numeric_limits<std::uint64_t>::max()) {
  if (s.empty()) return false;
  std::uint64_t value = 0;
  for (const char c : s) {
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (limit - digit) / 10 || digit > limit) return false;
    value = value * 10 + digit;
  }
  out = value;
  return true;
}

// Reads decimal digits, with or without a minus, as parse_unsigned() does.
inline bool parse_signed(std::string_view s, std::int64_t& out) {
  const bool negative = !s.empty() && s[0] == '-';
  if (negative) s.remove_prefix(1);
  std::uint64_t value;
  constexpr std::uint64_t top = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!parse_unsigned(s, value, top)) return false;
  out = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return true;
}

// Reads a decimal number that is neither infinite nor NaN.
inline bool parse_number(std::string_view s, double& out) {
  const auto result = std::from_chars(s.data(), s.data() + s.size(), out);
  return result.ec == std::errc{} && result.ptr == s.data() + s.size() && std::isfinite(out);
}

// Reads 1 to 16 hexadecimal digits, with or without 0x before them.
inline bool parse_hex(std::string_view s, std::uint64_t& out) {
  if (s.size() > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) s.remove_prefix(2);
  if (s.empty() || s.size() > 16) return false;
  std::uint64_t value = 0;
  for (const char c : s) {
    const int digit = hex_value(c);
    if (digit < 0) return false;
    value = value << 4 | static_cast<unsigned>(digit);
  }
  out = value;
  return true;
}

// "warp = 3" -> "3"; false when the line has another key.
inline bool value_of(std::string_view line, std::string_view key, std::string_view& value) {
  if (line.substr(0, key.size()) != key) return false;
  line = trimmed(line.substr(key.size()));
  if (line.empty() || line[0] != '=') return false;
  value = trimmed(line.substr(1));
  return true;
}

}  // namespace subcore::text
