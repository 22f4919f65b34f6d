// A file in memory, which is gone when the last process that has it open ends, however that ends.
#pragma once

#include <filesystem>

namespace subcore {

class MemoryFile {
 public:
  // Makes an empty file. Throws std::runtime_error.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  // The path of the file in this process and in processes that it forks.
  std::filesystem::path path() const;

 private:
  int file_;
};

}  // namespace subcore
