#include "subcore/program/report/markup.h"

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
  return without_zeros(formatted("%.2f", value));
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace subcore
