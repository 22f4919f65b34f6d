// How parameters are declared (see platform.h) and which visitors read the declarations.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace subcore {

// A configuration that cannot be used. what() is one line: `file:line: key: problem; expected ...`.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::string message) : std::runtime_error(on_one_line(std::move(message))) {}

 private:
  // A message may quote what the file says, line ends and all.
  static std::string on_one_line(std::string message) {
    for (char& c : message)
      if (c == '\n' || c == '\r') c = ' ';
    return message;
  }
};

// Inclusive range of a numeric parameter, in its unit.
struct Range {
  double low;
  double high;
};

}  // namespace subcore
