#include "subcore/program/runs/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace fs = std::filesystem;

namespace subcore {

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
  std::error_code error;
  const fs::path above = fs::temp_directory_path(error);
  if (error)
    throw std::runtime_error("no folder for " + purpose + ": " + error.message() +
                             "; expected TMPDIR to name a folder, or none and a /tmp");
  std::string name = (above / "subcore-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("cannot make a folder in " + above.string() + " for " + purpose + ": " +
                             std::strerror(errno) + "; expected TMPDIR to name one that can be written");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace subcore
