// Reads a pipeline file as strictly as Konata's description of its format (Kanata 0004) allows:
// * Commands are separated by tabs and come in order of cycles.
// * I introduces every instruction before any other command about it, and no command about it follows R.
// * Stages end by their names on their lanes.
// * The file knows all producers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace subcore::test {

class Kanata {
 public:
  struct Operation {
    std::uint64_t thread = 0;
    std::string label, detail;
    bool retired = false;
    std::map<int, std::string> open;  // by lane: the stage
    std::vector<std::string> stages;  // stages of lane 0
    std::map<int, std::uint64_t> begun;
    std::vector<std::size_t> producers;
  };
  std::vector<Operation> operations;  // by id
  std::uint64_t first_cycle = 0, cycle = 0;
  std::size_t retired = 0;
  std::map<std::string, unsigned> operand_stages;  // stages of all other lanes

  explicit Kanata(const std::string& text) {
    std::size_t number = 0;
    REQUIRE(!text.empty());
    REQUIRE(text.back() == '\n');
    for (std::size_t at = 0; at < text.size(); ++number) {
      const std::size_t end = text.find('\n', at);
      line_ = text.substr(at, end - at);
      INFO("line " << number + 1 << ": " << line_);
      std::vector<std::string> columns;
      for (std::size_t begin = 0; begin <= line_.size();) {
        const std::size_t tab = std::min(line_.find('\t', begin), line_.size());
        columns.push_back(line_.substr(begin, tab - begin));
        begin = tab + 1;
      }
      if (number == 0) {
        REQUIRE(line_ == "Kanata\t0004");
      } else {
        command(columns, number);
      }
      at = end + 1;
    }
  }

 private:
  static std::uint64_t whole(const std::string& text) {
    REQUIRE(!text.empty());
    REQUIRE(text.size() < 19);  // a difference below zero would have more digits
    REQUIRE(text.find_first_not_of("0123456789") == std::string::npos);
    return std::stoull(text);
  }
  Operation& alive(const std::string& id) {
    const std::uint64_t n = whole(id);
    REQUIRE(n < operations.size());
    REQUIRE_FALSE(operations[n].retired);
    return operations[n];
  }
  void command(const std::vector<std::string>& c, std::size_t number) {
    const std::string& name = c[0];
    if (name == "C=") {
      REQUIRE(c.size() == 2);
      REQUIRE(number == 1);
      first_cycle = cycle = whole(c[1]);
      return;
    }
    REQUIRE(number > 1);  // the cycle comes first
    if (name == "C") {
      REQUIRE(c.size() == 2);
      REQUIRE(whole(c[1]) > 0);
      cycle += whole(c[1]);
      return;
    }
    if (name == "I") {
      REQUIRE(c.size() == 4);
      REQUIRE(whole(c[1]) == operations.size());
      whole(c[2]);
      operations.emplace_back().thread = whole(c[3]);
      return;
    }
    REQUIRE(c.size() == 4);
    Operation& o = alive(c[1]);
    if (name == "L") {
      REQUIRE((c[2] == "0" || c[2] == "1"));
      REQUIRE_FALSE(c[3].empty());
      (c[2] == "0" ? o.label : o.detail) += c[3];
    } else if (name == "S") {
      const int lane = static_cast<int>(whole(c[2]));
      REQUIRE_FALSE(c[3].empty());
      REQUIRE((o.begun.count(lane) == 0 || cycle > o.begun[lane]));  // every stage has a length
      o.begun[lane] = cycle;
      o.open[lane] = c[3];
      if (lane == 0) {
        o.stages.push_back(c[3]);
      } else {
        ++operand_stages[c[3]];
      }
    } else if (name == "E") {
      const int lane = static_cast<int>(whole(c[2]));
      REQUIRE(o.open.count(lane) == 1);
      REQUIRE(o.open[lane] == c[3]);
      o.open.erase(lane);
    } else if (name == "W") {
      REQUIRE(whole(c[2]) < operations.size());
      REQUIRE(whole(c[2]) != whole(c[1]));
      REQUIRE(c[3] == "0");
      o.producers.push_back(whole(c[2]));
    } else {
      REQUIRE(name == "R");
      REQUIRE(whole(c[2]) == retired);
      REQUIRE(c[3] == "0");
      REQUIRE(o.open.size() == 1);  // no operand is missing any more
      ++retired;
      o.retired = true;
    }
  }
  std::string line_;
};

}  // namespace subcore::test
