// Keeps two runs from writing to one file or folder at the same time.
#pragma once

#include <filesystem>

namespace subcore {

// The lock is the kernel's (flock), on a file that exists while a run writes. The lock ends with the last
// process of the run, however that ends, and holds among hosts that share a file system. So if the owner of
// the lock finds half-written files, a run left them that is dead. Process numbers would not tell: they are
// used again, and mean nothing on another host.
class LockFile {
 public:
  // Throws std::runtime_error (one line with `target`) if another run has the lock, or if the file cannot be
  // made.
  LockFile(std::filesystem::path file, const std::filesystem::path& target);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace subcore
