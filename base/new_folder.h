// Output folders that appear whole or not at all: they are made beside the target and renamed when complete.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <string>
#include <vector>

namespace subcore {

// A folder that appears whole or not at all, with the folders above it. Until then its writer holds a lock on
// it. A process that gets the lock of another's folder knows that the writer is dead.
class NewFolder {
 public:
  // Throws std::runtime_error (one line: path and reason) if the target exists already or cannot be made.
  explicit NewFolder(const std::filesystem::path& target);
  // Removes the folder if it has not been published.
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  // The folder for files until publish().
  const std::filesystem::path& path() const { return aside_; }
  // Gives the folder its name. Throws as the constructor does.
  void publish();

 private:
  void remove();
  [[noreturn]] void fail(const std::string& reason) const;

  std::filesystem::path target_, aside_;
  int lock_ = -1;
  std::vector<std::filesystem::path> made_;  // folders above the target
};

}  // namespace subcore
