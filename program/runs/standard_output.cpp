#include "subcore/program/runs/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "subcore/base/whole_file.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/progress.h"

namespace subcore {

void keep_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is the stream's. Opened in this way, the stream cannot be used for its purpose.
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
      throw std::runtime_error(std::string("/dev/null cannot be opened: ") + std::strerror(errno) +
                               "; expected /dev/null in place of a standard stream that is closed");
  }
}

void note(const std::string& text) {
  std::cerr << "subcore: note: " << text << '\n';
}

void print(std::string_view text) {
  hide_progress();
  errno = 0;
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written == text.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) throw Interrupted(SIGPIPE);
  throw std::runtime_error(std::string("standard output cannot be written: ") + std::strerror(errno) +
                           "; expected room for it");
}

void write_output(const std::string& file, std::string_view text) {
  if (file == "-")
    print(text);
  else
    write_whole_file(file, text);
}

}  // namespace subcore
