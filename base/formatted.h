// Lines of the program's tables.
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

// A share in per cent; 0 of nothing.
inline double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace subcore
