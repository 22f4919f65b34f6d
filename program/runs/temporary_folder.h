// A folder for temporary files.
#pragma once

#include <filesystem>
#include <string>

namespace subcore {

class TemporaryFolder {
 public:
  // Makes an empty folder in the system's place for such folders. Throws std::runtime_error. `purpose` says
  // what the folder is for.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace subcore
