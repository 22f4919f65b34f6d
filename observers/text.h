// Fast writing of large texts: every function writes to a given place, and returns the place behind the text.
// The caller provides the room.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace subcore {

// Each function put() writes a character, a text, or a number in decimal digits to `to`, and returns the
// place behind it.
inline char* put(char* to, char c) {
  *to = c;
  return to + 1;
}
// Writes the text unchanged.
inline char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}
inline char* put(char* to, std::uint64_t number) {
  if (number < 10) return put(to, static_cast<char>('0' + number));  // most numbers are
  return std::to_chars(to, to + 20, number).ptr;
}
// Writes a number in hexadecimal, with at least `digits` digits (up to 16).
inline char* put_hex(char* to, std::uint64_t number, unsigned digits) {
  while (digits < 16 && number >> (4 * digits) != 0) ++digits;
  for (unsigned d = digits; d-- > 0;) *to++ = "0123456789abcdef"[number >> (4 * d) & 15];
  return to;
}

}  // namespace subcore
