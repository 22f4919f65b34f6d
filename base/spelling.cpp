#include "subcore/base/spelling.h"

#include <algorithm>
#include <cstddef>

#include <boost/algorithm/string/split.hpp>

namespace subcore {

namespace fs = std::filesystem;

namespace {

// Counts insertions, deletions, substitutions and swaps of neighbours: the slips of typing.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  boost::split(parts, text, [=](char c) { return c == separator; });
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

std::string listed(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : last) + words[i];
  return text;
}

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string nearest_word(std::string_view wrong, const std::vector<std::string>& words) {
  if (wrong.size() > 100) return {};
  // A third of the word may be wrong. A word that is wrong throughout was never meant.
  std::size_t best = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  std::string nearest;
  for (const std::string& word : words) {
    const std::size_t distance = edits(wrong, word);
    if (distance == 0) return {};  // `wrong` is one of the words: another mistake is to blame
    if (distance >= best || distance >= word.size()) continue;
    best = distance;
    nearest = word;
  }
  return nearest;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& words) {
  const std::string nearest = nearest_word(wrong, words);
  return nearest.empty() ? "" : " did you mean '" + nearest + "'?";
}

std::string did_you_mean_file(const fs::path& wrong) {
  constexpr std::size_t most_names = 10000;  // in a larger folder a search for a slip would take too long
  std::error_code error;
  fs::path meant;
  for (auto part = wrong.begin(); part != wrong.end(); ++part) {
    if (fs::exists(meant / *part, error)) {
      meant /= *part;
      continue;
    }
    std::vector<std::string> names;
    for (fs::directory_iterator entry(meant.empty() ? fs::path(".") : meant, error), end;
         !error && entry != end && names.size() < most_names; entry.increment(error))
      names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end());
    const std::string nearest = nearest_word(part->string(), names);
    if (nearest.empty()) return {};
    meant /= nearest;
    fs::path rest;
    while (++part != wrong.end()) rest /= *part;
    if (!rest.empty() && fs::exists(meant / rest, error)) meant /= rest;
    return " did you mean '" + meant.string() + "'?";
  }
  return {};
}

}  // namespace subcore
