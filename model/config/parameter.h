// How parameters are declared (see platform.h) and which visitors read the declarations.
#pragma once

#include <stdexcept>

namespace subcore {

// A configuration that cannot be used. what() is one line: `file:line: key: problem; expected ...`.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Inclusive range of a numeric parameter, in its unit.
struct Range {
  double low;
  double high;
};

}  // namespace subcore
