// Lines of the program's tables, and numbers as text.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <cstdio>
#include <string>

namespace subcore {

// The text that printf would write, cut off after 255 characters.
template <typename... Args>
std::string formatted(const char* format, Args... args) {
  char line[256];
  std::snprintf(line, sizeof line, format, args...);
  return line;
}

// Appends such a line to `out`.
template <typename... Args>
void print(std::string& out, const char* format, Args... args) {
  out += formatted(format, args...);
}

// A share in per cent, or 0 if the whole is 0.
inline double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// Functions for numbers as text give the same text on every machine and in every locale.

// Whole numbers have no point and no exponent. Other numbers have the shortest form that reads back to the
// same double, or are "nan", "inf", "-inf".
std::string number_text(double value);

}  // namespace subcore
