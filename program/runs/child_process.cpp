#include "subcore/program/runs/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subcore/program/runs/interrupt.h"

namespace subcore {
namespace {

// The head of a message before its text: kind, job, length.
using Head = std::array<std::size_t, 3>;

void write_all(int connection, const char* bytes, std::size_t size) {
  while (size != 0) {
    const ssize_t n = write(connection, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(3);  // the parent is gone
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
}

[[noreturn]] void fail(const char* call) {
  throw std::runtime_error(std::string(call) + ": " + std::strerror(errno));
}

}  // namespace

ChildProcess::ChildProcess(const std::function<void(int)>& body) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    // A parent that is killed cannot end its children.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(3);  // the parent was killed before
    close(ends[0]);
    forget_interrupts();
    signal(SIGPIPE, SIG_DFL);  // without its parent the process has no work
    body(ends[1]);
    _exit(3);
  }
  const int error = errno;
  close(ends[1]);
  connection_ = ends[0];
  if (pid_ > 0) return;
  close(connection_);
  errno = error;
  fail("fork");
}

ChildProcess::~ChildProcess() {
  if (pid_ != 0) {
    kill(pid_, SIGKILL);
    char block[4096];
    for (ssize_t n = 1; n > 0 || (n < 0 && errno == EINTR);) n = read(connection_, block, sizeof block);
    status();
  }
  close(connection_);
}

void ChildProcess::ask_to_end() {
  if (pid_ != 0) kill(pid_, SIGTERM);
}

void ChildProcess::await_end() {
  if (pid_ == 0) return;
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::seconds(10);
  for (char block[4096];;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd one{connection_, POLLIN, 0};
    const int ready = poll(&one, 1, static_cast<int>(std::max<long>(left, 0)));
    if (ready == 0 || (ready > 0 && read(connection_, block, sizeof block) == 0)) return;
  }
}

bool ChildProcess::receive(const std::function<void(const RunMessage&)>& handle) {
  char block[4096];
  const ssize_t n = read(connection_, block, sizeof block);
  if (n < 0 && errno == EINTR) return true;
  if (n < 0 && errno != ECONNRESET) fail("read");  // the child may go on
  if (n <= 0) return false;
  received_.append(block, static_cast<std::size_t>(n));
  Head head;
  while (received_.size() >= sizeof head) {
    std::memcpy(head.data(), received_.data(), sizeof head);
    const auto [kind, job, length] = head;
    if (received_.size() < sizeof head + length) break;
    const RunMessage message{RunMessage::Kind{kind}, job, received_.substr(sizeof head, length)};
    received_.erase(0, sizeof head + length);
    handle(message);
  }
  return true;
}

int ChildProcess::status() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = 0;
  return status;
}

void ChildProcess::ask(std::size_t number) {
  const auto* bytes = reinterpret_cast<const char*>(&number);
  for (std::size_t left = sizeof number; left != 0;) {
    const ssize_t n = send(connection_, bytes, left, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
      return;  // receive() will tell that the child has
               // ended
    if (n < 0) fail("send");
    bytes += n;
    left -= static_cast<std::size_t>(n);
  }
}

void send_message(int connection, RunMessage::Kind kind, std::size_t job, std::string_view text) {
  static std::mutex sending;  // the run and its guard may both send
  const std::lock_guard lock(sending);
  const Head head{static_cast<std::size_t>(kind), job, text.size()};
  write_all(connection, reinterpret_cast<const char*>(head.data()), sizeof head);
  write_all(connection, text.data(), text.size());
}

std::size_t receive_request(int connection) {
  std::size_t number = 0;
  auto* bytes = reinterpret_cast<char*>(&number);
  for (std::size_t left = sizeof number; left != 0;) {
    const ssize_t n = recv(connection, bytes, left, MSG_WAITALL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(3);  // the parent is gone
    bytes += n;
    left -= static_cast<std::size_t>(n);
  }
  return number;
}

}  // namespace subcore
