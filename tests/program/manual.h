// The tables of docs/results.md, for tests that compare the program with them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace subcore::test {

using Names = std::set<std::string>;

// The words in `code` of a cell.
Names words_of(const std::string& cell);
// The rows of the tables below a heading, up to the next one.
std::vector<std::vector<std::string>> rows_below(const std::string& heading);
// The words of the tables' cells of this number.
Names named_below(const std::string& heading, std::size_t cell = 0);

Names keys_of(const nlohmann::json& object);

}  // namespace subcore::test
