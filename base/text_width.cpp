#include "subcore/base/text_width.h"

#include <algorithm>
#include <cstdint>

#include "subcore/base/text_stream.h"

namespace subcore {
namespace {

struct Character {
  std::size_t bytes, columns;
};

struct CodePoints {
  std::uint32_t first, last;
};

template <std::size_t n>
bool is_in(const CodePoints (&ranges)[n], std::uint32_t code) {
  return std::any_of(ranges, ranges + n, [=](CodePoints r) { return code >= r.first && code <= r.last; });
}

// Characters that Unicode calls East Asian wide or fullwidth, and marks without a width, by block.
constexpr CodePoints wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                               {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
                               {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                               {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr CodePoints marks[] = {{0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f},
                                {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned head = byte(0);
  const std::size_t bytes = head < 0xc0 ? 1 : head < 0xe0 ? 2 : head < 0xf0 ? 3 : 4;
  if (bytes == 1 || bytes > text.size()) return {1, 1};
  std::uint32_t code = head & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return {1, 1};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  return {bytes, is_in(marks, code) ? std::size_t{0} : is_in(wide, code) ? std::size_t{2} : std::size_t{1}};
}

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character c = first_of(text);
    width += c.columns;
    text.remove_prefix(c.bytes);
  }
  return width;
}

std::string_view cut(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Character c = first_of(text.substr(bytes));
    if (c.columns > width) break;
    width -= c.columns;
    bytes += c.bytes;
  }
  return text.substr(0, bytes);
}

std::string cut_at_word(std::string_view text, std::size_t width) {
  constexpr std::string_view more = " ...";
  if (text_width(text) <= width) return std::string(text);
  const std::size_t room = width - std::min(width, more.size());
  const std::string_view begin = cut(text, room + 1);
  const std::size_t blank = begin.rfind(' ');
  const std::string_view words = blank == std::string_view::npos ? cut(text, room) : begin.substr(0, blank);
  return std::string(words.substr(0, words.find_last_not_of(" ,;:") + 1)).append(more);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (text_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  const std::size_t behind = (width - 1) / 2;
  std::string_view end = text;
  while (text_width(end) > behind) end.remove_prefix(first_of(end).bytes);
  return std::string(cut(text, width - 1 - behind)) + '~' + std::string(end);
}

std::vector<std::string> shortened(const std::vector<std::string>& texts, std::size_t width) {
  std::vector<std::string> all;
  const auto stands_for_another = [&](const std::string& candidate, const std::string& text) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (texts[i] != text && (texts[i] == candidate || (i < all.size() && all[i] == candidate))) return true;
    return false;
  };
  for (const std::string& text : texts) {
    std::string candidate = shortened(text, width);
    for (std::size_t n = 2; stands_for_another(candidate, text); ++n) {
      const std::string end = "~" + std::to_string(n);
      candidate = std::string(cut(text, width - std::min(width, end.size()))) + end;
    }
    all.push_back(std::move(candidate));
  }
  return all;
}

std::string folded(const std::vector<std::string>& parts, std::string_view between, std::size_t indent,
                   std::size_t width) {
  std::string text, line;
  const auto end_line = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) text += std::string(indent, ' ') + line + '\n';
    line.clear();
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string part = parts[i] + std::string(i + 1 < parts.size() ? between : std::string_view());
    const std::string_view bare = std::string_view(part).substr(0, part.find_last_not_of(' ') + 1);
    if (indent + text_width(line) + text_width(bare) > width) end_line();
    line += part;
  }
  end_line();
  return text;
}

std::string folded(std::string_view text, std::size_t indent, std::size_t width) {
  std::vector<std::string> words;
  std::istringstream in = text_stream(std::string(text));
  for (std::string word; in >> word;) words.push_back(word);
  return folded(words, " ", indent, width);
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t own = text_width(text);
  return own < width ? text.append(width - own, ' ') : text;
}

std::string padded_left(std::string_view text, std::size_t width) {
  const std::size_t own = text_width(text);
  return std::string(own < width ? width - own : 0, ' ').append(text);
}

}  // namespace subcore
