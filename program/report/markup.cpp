#include "subcore/program/report/markup.h"

#include <cmath>

#include "subcore/base/formatted.h"

namespace subcore {
namespace {

std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n')
      out += "\xEF\xBF\xBD";
    else
      out += c;
  }
  return out;
}

std::string px(double value) {
  return without_zeros(decimals(value, 2));
}

std::string short_number(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  for (const auto& [factor, prefix] : {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")})
    if (size >= (factor > 1e3 ? factor : 1e4)) return formatted("%.4g", value / factor) + prefix;
  return formatted("%.4g", value);
}

std::string decimals(double value, int count) {
  return std::isfinite(value) ? formatted("%.*f", count, value) : "";
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace subcore
