#include "scenarios/temporary_folder.h"

#include <cstdlib>
#include <stdexcept>

namespace fs = std::filesystem;

namespace subcore {

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
  std::string name = (fs::temp_directory_path() / "subcore-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("cannot make a folder in " + fs::temp_directory_path().string() + " for " +
                             purpose);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace subcore
