#include "subcore/base/new_folder.h"

#include <stdexcept>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "subcore/base/whole_file.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

fs::path without_slash(const fs::path& p) {
  return p.has_filename() ? p : p.parent_path();
}

}  // namespace

NewFolder::NewFolder(const fs::path& target)
    : target_(without_slash(fs::absolute(target).lexically_normal())),
      aside_(fs::path(target_) += aside_mark + std::to_string(::getpid())) {
  if (fs::exists(fs::symlink_status(target_)))
    fail("the path exists already; expected the name of a new folder");
  for (fs::path above = target_.parent_path(); !fs::exists(above); above = above.parent_path())
    made_.push_back(above);
  remove_left_aside(target_, true);
  std::error_code error;
  fs::create_directories(aside_, error);
  if (error) {
    remove();
    fail(error.message());
  }
  lock_ = open(aside_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (lock_ >= 0) flock(lock_, LOCK_EX | LOCK_NB);
}

NewFolder::~NewFolder() {
  remove();
  if (lock_ >= 0) close(lock_);
}

void NewFolder::publish() {
  std::error_code error;
  fs::rename(aside_, target_, error);
  if (error) fail(error.message());
}

void NewFolder::remove() {
  std::error_code ignored;
  fs::remove_all(aside_, ignored);
  for (const fs::path& above : made_) fs::remove(above, ignored);  // a folder with something in it stays
}

void NewFolder::fail(const std::string& reason) const {
  throw std::runtime_error("cannot write " + target_.string() + ": " + reason);
}

}  // namespace subcore
