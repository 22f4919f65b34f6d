// ChildProcess: a process forked from this one, which tells it by messages what it comes to and can be asked
// for something by numbers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace subcore {

struct RunMessage {
  enum class Kind : std::size_t {
    progress,   // the share that is done
    result,     // JSON
    error,      // a line for the user
    no_memory,  // said without any
    ended       // the run's process, with this status
  };
  Kind kind;
  std::size_t job;
  std::string text;
};

class ChildProcess {
 public:
  // In the new process `body` is called, with its end of the connection, and must not return.
  explicit ChildProcess(const std::function<void(int)>& body);
  // Ends the process, if it has not ended, and waits until those that it has forked are gone as well: they
  // hold its end of the connection, too.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The connection, for poll(), and to be closed in processes that have no business with it.
  int connection() const { return connection_; }
  // Once there is something: calls `handle` for each message. False when it and all that it has forked are
  // gone; then status() is what waitpid() says.
  bool receive(const std::function<void(const RunMessage&)>& handle);
  int status();

  // Asks the child to end, as a signal to the program asks that; and waits for that, but not for long.
  void ask_to_end();
  void await_end();

  // A child that is gone is not asked; receive() will tell.
  void ask(std::size_t number);

 private:
  pid_t pid_;
  int connection_;
  std::string received_;
};

// Sends a message from the child, from any thread and without allocation.
void send_message(int connection, RunMessage::Kind kind, std::size_t job, std::string_view text = {});
// The next number that the child is asked for.
std::size_t receive_request(int connection);

}  // namespace subcore
