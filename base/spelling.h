// Words that people type and read: misspelt words ("did you mean"), blanks around words, lists of words.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// The word nearest to `wrong`. Empty if no word is near enough, or if `wrong` is one of the words.
std::string nearest_word(std::string_view wrong, const std::vector<std::string>& words);

// The text without blanks and line ends (LF or CRLF) around it.
std::string trimmed(std::string_view text);

// The parts of a text between separators, without blanks around them; one part if there is no separator.
std::vector<std::string> split(std::string_view text, char separator);

// "run, compare and annotate". `last` is " and " here.
std::string listed(const std::vector<std::string>& words, const char* last);

// The text with small letters for A to Z.
std::string in_small_letters(std::string text);

// " did you mean 'count'?" or nothing.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& words);

// did_you_mean() for a path that does not exist. The first missing component is replaced by the nearest name
// in its folder.
std::string did_you_mean_file(const std::filesystem::path& wrong);

}  // namespace subcore
