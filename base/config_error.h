// ConfigError: a configuration that cannot be used.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace subcore {

// what() is one line: `file:line: key: problem; expected ...`.
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

}  // namespace subcore
