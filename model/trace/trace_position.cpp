#include "subcore/model/trace/trace_position.h"

#include <cstdio>

namespace subcore {

std::string quoted(std::string_view token) {
  std::string s = "'";
  for (const char c : token.substr(0, 40)) s += c >= 0x20 && c < 0x7f ? c : '?';
  return s + (token.size() > 40 ? "...'" : "'");
}

std::string pc_text(std::uint64_t pc) {
  char text[24];
  std::snprintf(text, sizeof text, "%04llx", static_cast<unsigned long long>(pc));
  return text;
}

}  // namespace subcore
