// The command line: which commands there are and which options each of them takes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace subcore {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Arguments {
  std::string command;
  bool help = false;
  std::vector<std::string> platforms, traces, overrides, positional;
  std::string results, json, vcd, vcd_scope, vcd_from, vcd_to, jobs, kernel;
  bool lines = false;
};

// The options of argv[2] and later for the command argv[1]. Throws UsageError for a command that there is
// not, and for an option that the command has no use for.
Arguments parse_arguments(int argc, char** argv);

// What `subcore --help` says, or `subcore COMMAND --help`.
std::string help_text(const std::string& command = "");

// The option library takes -1 for a very large number.
std::uint64_t whole_number(const char* option, const std::string& text, std::uint64_t otherwise);

}  // namespace subcore
