// Output folders appear whole or not at all: made beside the target, renamed when complete.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <string>
#include <vector>

namespace subcore {

// A folder that appears whole or not at all, with the folders above it. It is locked until then: whoever gets
// the lock of another knows that its writer is dead.
class NewFolder {
 public:
  // Throws std::runtime_error (one line: path and reason) if the target is there already or cannot be made.
  explicit NewFolder(const std::filesystem::path& target);
  // Removes what has not been published.
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  // The folder that files are written to until then.
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
