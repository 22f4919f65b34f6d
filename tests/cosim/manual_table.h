// Tables of the manual, which tests compare with what they find.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace subcore::test {

// The cells of the table of docs/`file` whose head begins with `first_cell`, row by row: first the head, then
// the line below it. Empty if there is no such table.
inline std::vector<std::vector<std::string>> manual_table(const std::string& file,
                                                          const std::string& first_cell) {
  std::ifstream in(std::string(SUBCORE_SOURCE_DIR) + "/docs/" + file);
  std::vector<std::vector<std::string>> rows;
  bool within = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| " + first_cell + " |", 0) == 0) within = true;
    if (!within) continue;
    if (line.empty() || line[0] != '|') break;
    std::vector<std::string> row;
    std::istringstream cells(line.substr(1));
    for (std::string cell; std::getline(cells, cell, '|');) {
      const std::size_t begin = cell.find_first_not_of(' ');
      row.push_back(begin == std::string::npos ? ""
                                               : cell.substr(begin, cell.find_last_not_of(' ') - begin + 1));
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace subcore::test
