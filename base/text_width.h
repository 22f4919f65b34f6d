// Texts in columns of a terminal: how wide they are, and shorter ones.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// The width that every terminal has, and that tables keep to.
inline constexpr std::size_t usual_width = 80;

// Columns that UTF-8 takes: two for an East Asian character or an emoji, none for a combining mark; one for a
// byte that is no UTF-8.
std::size_t text_width(std::string_view text);

// The text's first `width` columns at most, never a part of a character.
std::string_view cut(std::string_view text, std::size_t width);

// The text's first words in `width` columns at most, with "..." if something is left out. Only a first word
// that is too wide by itself is cut.
std::string cut_at_word(std::string_view text, std::size_t width);

// The text itself if it is no wider than `width`, else its two ends with a ~ between them.
std::string shortened(std::string_view text, std::size_t width);

// Each text shortened; where two that differ would come out as one, the later ones end in ~2, ~3 ...
std::vector<std::string> shortened(const std::vector<std::string>& texts, std::size_t width);

// The parts with `between` between them, in lines of at most `width` columns that begin with `indent` blanks;
// each ends in a line end. A part is never broken.
std::string folded(const std::vector<std::string>& parts, std::string_view between, std::size_t indent,
                   std::size_t width);

// The text's words with blanks between them, in lines as above.
std::string folded(std::string_view text, std::size_t indent, std::size_t width);

// The text with blanks behind it, up to `width` columns.
std::string padded(std::string text, std::size_t width);
// The text with blanks in front of it, up to `width` columns.
std::string padded_left(std::string_view text, std::size_t width);

}  // namespace subcore
