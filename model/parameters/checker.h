// Requirements on a platform beyond the range of each value. Schemes read each other's parameters by the keys
// of platform files. A scheme can thus state its needs without knowing which other schemes exist.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/model/parameters/parameter_list.h"

namespace subcore {

// Values that are each in range but contradict each other.
struct Contradiction {
  std::string key;                  // the key to blame
  std::vector<std::string> others;  // the keys that contradict it
  std::string problem;              // "...; expected ..."
};

class Checker {
 public:
  explicit Checker(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {}

  // Values by full key. Throws std::logic_error if there is no such key, or if its value has another type.
  std::uint64_t whole(std::string_view key) const;
  bool on(std::string_view key) const;
  std::string word(std::string_view key) const;
  bool is(std::string_view key, std::string_view value) const { return word(key) == value; }

  void require(bool holds, const char* key, std::vector<std::string> others, const std::string& problem) {
    if (!holds) found_.push_back({key, std::move(others), problem});
  }
  std::vector<Contradiction> take() { return std::move(found_); }

 private:
  const Parameter& find(std::string_view key) const;

  std::vector<Parameter> parameters_;
  std::vector<Contradiction> found_;
};

// "'word'", for messages.
std::string in_quotes(std::string_view word);
// Whether n is 1, 2, 4, 8 ...
bool power_of_two(std::uint64_t n);

}  // namespace subcore
