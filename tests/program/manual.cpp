#include "tests/program/manual.h"

#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace subcore::test {
namespace {

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream in(row.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) cells.push_back(cell);
  return cells;
}

}  // namespace

Names words_of(const std::string& cell) {
  Names words;
  static const std::regex code("`([^`]*)`");
  for (std::sregex_iterator m(cell.begin(), cell.end(), code), end; m != end; ++m) words.insert((*m)[1]);
  return words;
}

std::vector<std::vector<std::string>> rows_below(const std::string& heading) {
  std::istringstream in(content_of(std::filesystem::path(SUBCORE_SOURCE_DIR) / "docs" / "results.md"));
  std::vector<std::vector<std::string>> rows;
  bool here = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind('#', 0) == 0) here = line.substr(line.find(' ') + 1) == heading;
    if (here && line.rfind("| ", 0) == 0) rows.push_back(cells_of(line));
  }
  REQUIRE_FALSE(rows.empty());
  return rows;
}

Names named_below(const std::string& heading, std::size_t cell) {
  Names names;
  for (const auto& row : rows_below(heading)) names.merge(words_of(row.at(cell)));
  return names;
}

Names keys_of(const nlohmann::json& object) {
  Names keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

}  // namespace subcore::test
