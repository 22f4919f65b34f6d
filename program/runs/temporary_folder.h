// A folder for what nobody wants to keep.
#pragma once

#include <filesystem>
#include <string>

namespace subcore {

class TemporaryFolder {
 public:
  // Makes an empty folder where the system has such. Throws std::runtime_error; `purpose` is what it was for.
  explicit TemporaryFolder(const std::string& purpose);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace subcore
