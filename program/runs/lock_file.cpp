#include "subcore/program/runs/lock_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace subcore {
namespace {

// Children of a run that was just killed may need a moment to end.
constexpr unsigned patience = 100;
constexpr useconds_t pause = 20000;  // microseconds

[[noreturn]] void fail(const std::filesystem::path& target, const std::string& reason) {
  throw std::runtime_error("cannot write " + target.string() + ": " + reason);
}

}  // namespace

LockFile::LockFile(std::filesystem::path file, const std::filesystem::path& target) : file_(std::move(file)) {
  for (unsigned attempt = 0;;) {
    constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    descriptor_ = open(file_.c_str(), flags | O_EXCL, 0666);
    const bool is_new = descriptor_ >= 0;
    if (!is_new && errno == EEXIST) descriptor_ = open(file_.c_str(), flags, 0666);
    if (descriptor_ < 0) fail(target, std::strerror(errno));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
      // After the file was opened here, its last owner may have removed it. Then another process can have a
      // new file.
      struct stat mine {
      }, there{};
      if (fstat(descriptor_, &mine) == 0 && stat(file_.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
          mine.st_dev == there.st_dev)
        return;
      close(descriptor_);
      continue;
    }
    const int reason = errno;
    close(descriptor_);
    if (reason != EWOULDBLOCK && is_new) unlink(file_.c_str());
    if (reason != EWOULDBLOCK)
      fail(target, "its lock " + file_.string() + " cannot be taken (" + std::strerror(reason) +
                       "); expected a file system with locks");
    if (++attempt == patience)
      fail(target, "another run is writing there (it holds " + file_.string() + "); expected one at a time");
    usleep(pause);
  }
}

LockFile::~LockFile() {
  unlink(file_.c_str());
  close(descriptor_);
}

}  // namespace subcore
