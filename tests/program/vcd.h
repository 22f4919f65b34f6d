// A reader of VCD files as strict as a viewer might be, for tests of what the program writes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace subcore::test {

struct Vcd {
  struct Variable {
    std::string scope, name, type, code;  // the name without its range
    unsigned bits = 0;
    // The ascending times of changes, with the values: "1", "1011", "x", a word, or a number.
    std::vector<std::pair<std::uint64_t, std::string>> values;
    std::string path() const { return scope + '.' + name; }
    // The value at the end of `time`; empty before the first.
    std::string at(std::uint64_t time) const;
    std::uint64_t number_at(std::uint64_t time) const;  // binary
  };
  std::string timescale;
  std::vector<Variable> variables;
  std::set<std::string> scopes;  // full paths that declare variables
  std::set<std::string> codes;
  std::vector<std::uint64_t> times;
  std::vector<std::uint64_t> dumps;  // times of $dumpvars, $dumpall and $dumpon
  std::vector<std::uint64_t> ends;   // times of $dumpoff
  std::uint64_t changes = 0;         // changes outside of these

  // The only variable whose path ends in `path`, behind a point. Requires that there is exactly one.
  const Variable& find(const std::string& path) const;
};

// Requires (Catch2) that the text is well formed.
Vcd read_vcd(const std::string& text);

}  // namespace subcore::test
