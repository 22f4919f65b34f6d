#include "subcore/base/input_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace subcore {
namespace {

// The longest waits, in seconds: for a pipe's writer to come, and for the writer to write.
constexpr int for_a_writer = 5, for_its_words = 60;

[[noreturn]] void fail(int error) {
  throw InputError(std::strerror(error), error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG);
}

class Descriptor {
 public:
  // O_NONBLOCK: otherwise opening a pipe would wait until the pipe has a writer.
  explicit Descriptor(const std::filesystem::path& file)
      : number_(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {
    if (number_ < 0) fail(errno);
  }
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// Waits for bytes, or a writer. Returns false if all writers have gone.
bool wait_for_more(const Descriptor& pipe, bool has_writer) {
  const int seconds = has_writer ? for_its_words : for_a_writer;
  pollfd one{pipe.number(), POLLIN, 0};
  const int ready = poll(&one, 1, 1000 * seconds);
  if (ready < 0 && errno != EINTR) fail(errno);
  if (ready == 0)
    throw InputError("a pipe that nobody has written to for " + std::to_string(seconds) + " s", false);
  return ready < 0 || (one.revents & POLLIN) != 0;
}

}  // namespace

std::string read_input(const std::filesystem::path& file, std::size_t most_bytes) {
  const Descriptor in(file);
  struct stat status {};
  if (fstat(in.number(), &status) != 0) fail(errno);
  const bool is_pipe = S_ISFIFO(status.st_mode);
  std::string text;
  for (char piece[1 << 16]; text.size() <= most_bytes;) {
    const ssize_t n = read(in.number(), piece, sizeof piece);
    if (n > 0)
      text.append(piece, static_cast<std::size_t>(n));
    else if (n < 0 && errno == EAGAIN)
      wait_for_more(in, true);
    else if (n < 0 && errno != EINTR)
      fail(errno);
    else if (n == 0 && (!is_pipe || !wait_for_more(in, false)))
      break;
  }
  return text;
}

}  // namespace subcore
