// Input files as users name them, read whole: regular files, and pipes that somebody writes to.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

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

// The bytes of `file`. Stops reading soon after `most_bytes`, so a longer result means that the file is
// longer. Waits some seconds for a writer if the file is a pipe. Throws InputError.
std::string read_input(const std::filesystem::path& file, std::size_t most_bytes);

}  // namespace subcore
