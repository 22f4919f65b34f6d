// Keeps two runs from writing to one file or folder at the same time.
#pragma once

#include <filesystem>

namespace subcore {

// The lock is the kernel's (flock), on a file that is there while somebody writes: it ends with the last
// process of the run, however that ends, and holds among the hosts that share a file system. Whoever has it
// therefore knows that what he finds half-written was left by a run that is dead; process numbers would not
// tell, because they are used again and mean nothing on another host.
class LockFile {
 public:
  // Throws std::runtime_error (one line with `target`) when another run has the lock, or it cannot be made.
  LockFile(std::filesystem::path file, const std::filesystem::path& target);
  ~LockFile();
  LockFile(const LockFile&) = delete;
  LockFile& operator=(const LockFile&) = delete;

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace subcore
