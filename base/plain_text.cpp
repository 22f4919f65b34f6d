#include "subcore/base/plain_text.h"

#include <cstddef>

namespace subcore {
namespace {

// The number of bytes in the text's first character, or 0 if the text does not begin with UTF-8.
std::size_t first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned head = byte(0);
  if (head < 0x80) return 1;
  const std::size_t bytes = head < 0xe0 ? 2 : head < 0xf0 ? 3 : 4;
  if (head < 0xc2 || head > 0xf4 || bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((byte(i) & 0xc0u) != 0x80) return 0;
  // Three errors of UTF-8: a longer form than needed, half of a surrogate pair, a code behind the last
  // character.
  const unsigned second = byte(1);
  if ((head == 0xe0 && second < 0xa0) || (head == 0xed && second >= 0xa0)) return 0;
  if ((head == 0xf0 && second < 0x90) || (head == 0xf4 && second >= 0x90)) return 0;
  return bytes;
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string all;
  while (!text.empty()) {
    const std::size_t bytes = first_character(text);
    const bool is_control = static_cast<unsigned char>(text[0]) < ' ' || text[0] == 0x7f;
    if (is_control)
      all += '?';
    else if (bytes == 0)
      all += "\xef\xbf\xbd";
    else
      all += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return all;
}

}  // namespace subcore
