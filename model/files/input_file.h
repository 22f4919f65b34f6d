// Input files as users name them, read whole: regular files, and pipes that somebody writes to.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace subcore {

// Why a file cannot be read, in a few words: "Permission denied".
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& reason, bool is_missing)
      : std::runtime_error(reason), is_missing_(is_missing) {}
  // There is no such file, rather than one that cannot be read.
  bool is_missing() const { return is_missing_; }

 private:
  bool is_missing_;
};

// The bytes of `file`; of one with more than `most_bytes` some more than these. Waits some seconds for a pipe
// that nobody writes to. Throws InputError.
std::string read_input(const std::filesystem::path& file, std::size_t most_bytes);

}  // namespace subcore
