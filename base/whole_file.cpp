#include "subcore/base/whole_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "subcore/base/files.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_writing(const fs::path& path, const std::string& reason) {
  throw std::runtime_error("cannot write " + path.string() + ": " + reason);
}

// Holds back signals that would end the program, so that no half-written file stays.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t ends;
    sigemptyset(&ends);
    for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, s);
    pthread_sigmask(SIG_BLOCK, &ends, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

// Opens a pipe or a device. Refuses a pipe without a reader, instead of waiting for a reader.
int open_through(const fs::path& path) {
  const int number = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (number < 0)
    fail_writing(path, errno == ENXIO ? "the path is a pipe that nobody reads" : std::strerror(errno));
  fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK);
  return number;
}

// Writes to a pipe or a device. Returns the reason of a failure, or an empty string.
std::string write_through(const fs::path& path, std::string_view content) {
  std::FILE* file = fdopen(open_through(path), "wb");
  if (file == nullptr) return std::strerror(errno);
  std::string reason;
  // fwrite must not be given a null pointer, which an empty view may have.
  if (!content.empty() && std::fwrite(content.data(), 1, content.size(), file) != content.size()) {
    reason = std::strerror(errno);
  }
  // A full disk often shows only here, when the buffer is written out.
  if (std::fclose(file) != 0 && reason.empty()) reason = std::strerror(errno);
  return reason;
}

// The file to replace. Where the path is a link, the file that the link leads to is replaced, and the link
// stays.
fs::path target_of(const fs::path& path) {
  std::error_code error;
  const bool is_link = fs::is_symlink(path, error);
  if (error && is_there(path)) fail_writing(path, error.message());
  if (!is_link) return path;
  const fs::path resolved = fs::weakly_canonical(path, error);
  return error ? path : resolved;
}

// Whether the target is a pipe or a device (/dev/null, /dev/stdout), which a renamed file would replace.
bool takes_bytes(const fs::path& path, const fs::path& target) {
  if (is_folder(target)) fail_writing(path, "the path is a directory");
  return is_there(target) && !is_plain_file(target);
}

[[noreturn]] void fail_here() {
  throw std::system_error(errno, std::generic_category());
}

}  // namespace

FileAside::FileAside(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  for (;;) {
    path_ = target;
    path_ += aside_mark + std::to_string(::getpid()) + '-' + std::to_string(count++);
    number_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number_ < 0 && errno == EEXIST) continue;  // left by a dead process with the same number
    if (number_ < 0) fail_here();
    flock(number_, LOCK_EX | LOCK_NB);
    // Another process may have removed the file before it was locked, because it took the writer for dead.
    struct stat about {};
    if (fstat(number_, &about) == 0 && about.st_nlink == 0) {
      close(number_);
      continue;
    }
    return;
  }
}

FileAside::~FileAside() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
  if (number_ >= 0) close(number_);
}

void FileAside::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(number_, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_here();
    content.remove_prefix(static_cast<std::size_t>(n));
  }
}

// A full disk often shows only when a file is closed. The lock stays until the file has its name.
void FileAside::flush() {
  const int other = dup(number_);
  if (other < 0 || close(other) != 0) fail_here();
}

void FileAside::sync() {
  if (fsync(number_) != 0) fail_here();
}

void FileAside::give_name(const fs::path& target) {
  if (std::rename(path_.c_str(), target.c_str()) != 0) fail_here();
  path_.clear();
}

void remove_left_aside(const fs::path& target, bool are_folders) {
  const std::string begin = target.filename().string() + aside_mark;
  std::vector<fs::path> left;
  try {
    for (const auto& entry : fs::directory_iterator(target.has_parent_path() ? target.parent_path() : ".")) {
      const std::string name = entry.path().filename().string();
      if (name.compare(0, begin.size(), begin) == 0 &&
          name.find_first_not_of("0123456789-", begin.size()) == std::string::npos)
        left.push_back(entry.path());
    }
  } catch (const fs::filesystem_error&) {
    return;  // writing the target will report what is wrong
  }
  std::error_code ignored;
  for (const fs::path& path : left) {
    const int number =
        open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (are_folders ? O_DIRECTORY : O_NONBLOCK));
    if (number < 0) continue;
    const bool is_free = flock(number, LOCK_EX | LOCK_NB) == 0;
    if (is_free && are_folders) fs::remove_all(path, ignored);
    if (is_free && !are_folders) fs::remove(path, ignored);
    close(number);
  }
}

void require_writable(const fs::path& path) {
  const fs::path target = target_of(path);
  if (takes_bytes(path, target)) {
    // The target stays open to the program's end, because its reader would take a close for the end of the
    // output.
    open_through(path);
    return;
  }
  const SignalsBlocked blocked;
  remove_left_aside(target, false);
  try {
    FileAside(target).flush();
  } catch (const std::system_error& e) {
    fail_writing(path, e.code().message());
  }
}

void write_whole_file(const fs::path& path, std::string_view content) {
  const fs::path target = target_of(path);
  if (takes_bytes(path, target)) {
    const std::string reason = write_through(path, content);
    if (!reason.empty()) fail_writing(path, reason);
    return;
  }
  const SignalsBlocked blocked;
  remove_left_aside(target, false);
  try {
    FileAside aside(target);
    aside.write(content);
    aside.flush();
    aside.give_name(target);
  } catch (const std::system_error& e) {
    fail_writing(path, e.code().message());
  }
}

}  // namespace subcore
