// The width of texts in a terminal's columns, and ways to shorten and fold texts.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// Every terminal has at least this width. Tables keep to it.
inline constexpr std::size_t usual_width = 80;

// The columns that a text of UTF-8 takes. An East Asian character or an emoji takes two, a combining mark
// none, and a byte that is not UTF-8 one.
std::size_t text_width(std::string_view text);

// The text's first characters, in at most `width` columns. No character is cut.
std::string_view cut(std::string_view text, std::size_t width);

// The text's first words, in at most `width` columns, with "..." if words are left out. Only a first word
// that is wider than that is cut.
std::string cut_at_word(std::string_view text, std::size_t width);

// The text itself if it fits in `width`, else its two ends with a ~ between them.
std::string shortened(std::string_view text, std::size_t width);

// Each text shortened. Where two different texts would come out alike, the later ones end in ~2, ~3 ...
std::vector<std::string> shortened(const std::vector<std::string>& texts, std::size_t width);

// The parts with `between` between them, in lines of at most `width` columns. Each line begins with `indent`
// blanks and ends in a line end. A part is never broken.
std::string folded(const std::vector<std::string>& parts, std::string_view between, std::size_t indent,
                   std::size_t width);

// The text's words with blanks between them, folded in the same way.
std::string folded(std::string_view text, std::size_t indent, std::size_t width);

// The text with blanks behind it, `width` columns wide.
std::string padded(std::string text, std::size_t width);
// The text with blanks in front of it, `width` columns wide.
std::string padded_left(std::string_view text, std::size_t width);

}  // namespace subcore
