#include "model/statistics/whole_file.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include <signal.h>
#include <unistd.h>

namespace subcore {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw std::runtime_error("cannot write " + path.string() + ": " + reason);
}

// What would end the program waits for a moment, so that no half-written file stays.
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

// The reason it failed, or an empty string.
std::string write_bytes(const fs::path& path, std::string_view content, const char* mode) {
  std::FILE* file = std::fopen(path.c_str(), mode);
  if (file == nullptr) return std::strerror(errno);
  std::string reason;
  // An empty view may have no data at all, which fwrite must not be given.
  if (!content.empty() && std::fwrite(content.data(), 1, content.size(), file) != content.size()) {
    reason = std::strerror(errno);
  }
  // A full disk often shows only here, when the buffer goes out.
  if (std::fclose(file) != 0 && reason.empty()) reason = std::strerror(errno);
  return reason;
}

}  // namespace

void require_writable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) fail(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) return;  // a pipe or a device: only writing tells
  const SignalsBlocked blocked;
  fs::path aside = path;
  aside += ".partial-" + std::to_string(::getpid());
  const std::string reason = write_bytes(aside, {}, "wbx");
  if (!reason.empty()) fail(path, reason);
  fs::remove(aside, error);
}

void write_whole_file(const fs::path& path, std::string_view content) {
  std::error_code error;
  fs::path target = path;
  // Behind a link the file itself is replaced: the link stays.
  if (fs::is_symlink(path, error)) {
    const fs::path resolved = fs::weakly_canonical(path, error);
    if (!error) target = resolved;
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) fail(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    // A pipe or a device (/dev/null, /dev/stdout) takes the bytes; renaming over it would destroy it.
    const std::string reason = write_bytes(path, content, "wb");
    if (!reason.empty()) fail(path, reason);
    return;
  }

  // Process and count make the name unique among all writers of this directory; "x" makes sure of it.
  static std::atomic<unsigned> count{0};
  const SignalsBlocked blocked;
  fs::path aside = target;
  aside += ".partial-" + std::to_string(::getpid()) + '-' + std::to_string(count++);
  std::string reason = write_bytes(aside, content, "wbx");
  if (reason.empty()) {
    fs::rename(aside, target, error);
    if (!error) return;
    reason = error.message();
  }
  fs::remove(aside, error);
  fail(path, reason);
}

}  // namespace subcore
