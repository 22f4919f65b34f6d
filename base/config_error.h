// ConfigError: a configuration that cannot be used.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace subcore {

// The message, of one line, has the form `file:line: key: problem; expected ...`.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::string message) : std::runtime_error(on_one_line(std::move(message))) {}

 private:
  // A message may quote text of the file, with its line ends.
  static std::string on_one_line(std::string message) {
    for (char& c : message)
      if (c == '\n' || c == '\r') c = ' ';
    return message;
  }
};

}  // namespace subcore
