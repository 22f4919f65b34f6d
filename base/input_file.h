// Input files as users name them, read whole: regular files, and pipes that another program writes to.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace subcore {

// The reason why a file cannot be read, in a few words: "Permission denied".
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& reason, bool is_missing)
      : std::runtime_error(reason), is_missing_(is_missing) {}
  // True: there is no such file. False: the file is there and cannot be read.
  bool is_missing() const { return is_missing_; }

 private:
  bool is_missing_;
};

// The bytes of `file`. The function stops reading soon after `most_bytes`, so a longer result means that the
// file is longer. If the file is a pipe, the function waits some seconds for a writer. Throws InputError.
std::string read_input(const std::filesystem::path& file, std::size_t most_bytes);

}  // namespace subcore
