// A file in memory, which is gone when the last process that has it ends, however that ends.
#pragma once

#include <filesystem>

namespace subcore {

class MemoryFile {
 public:
  // Empty. Throws std::runtime_error.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  // Its path in this process, and in those that it forks.
  std::filesystem::path path() const;

 private:
  int file_;
};

}  // namespace subcore
