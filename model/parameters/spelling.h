// Words as people type them: the nearest known word to a misspelt one ("did you mean"), blanks around one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// The word nearest to `wrong`, or an empty string when none is near enough to be what was meant, or when it
// is one of them.
std::string nearest_word(std::string_view wrong, const std::vector<std::string>& words);

// Without blanks and line ends (also those of DOS) around it.
std::string trimmed(std::string_view text);

// " did you mean 'count'?" or nothing.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& words);

// The same of a path that leads nowhere: from the first component that is not there, the nearest name there
// is.
std::string did_you_mean_file(const std::filesystem::path& wrong);

}  // namespace subcore
