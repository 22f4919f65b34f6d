#include "subcore/model/trace/place.h"

namespace subcore {

std::string quoted(std::string_view token) {
  std::string s = "'";
  for (const char c : token.substr(0, 40)) s += c >= 0x20 && c < 0x7f ? c : '?';
  return s + (token.size() > 40 ? "...'" : "'");
}

}  // namespace subcore
