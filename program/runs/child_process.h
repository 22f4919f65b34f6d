// ChildProcess: a process that is forked from this one. The child sends messages about its work. The parent
// sends numbers to ask the child for something.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace subcore {

struct RunMessage {
  enum class Kind : std::size_t {
    progress,   // the share of the work that is done
    result,     // JSON of the result
    error,      // a line for the user
    no_memory,  // memory ran out; needs no memory to be sent
    ended       // the run's process has ended with this status
  };
  Kind kind;
  std::size_t job;
  std::string text;
};

class ChildProcess {
 public:
  // In the new process calls `body`, with its end of the connection. `body` must not return.
  explicit ChildProcess(const std::function<void(int)>& body);
  // Ends the process, if it has not ended, and waits until the processes that it has forked are gone as well.
  // Such processes have the child's end of the connection, too.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The connection, for poll(), and to be closed in processes that do not use it.
  int connection() const { return connection_; }
  // To be called when there is something to read. Calls `handle` for each message. False: the child and all
  // processes that it has forked are gone, and status() is the result of waitpid().
  bool receive(const std::function<void(const RunMessage&)>& handle);
  int status();

  // Asks the child to end, like a signal that asks the program to end. Waits a short time for the end.
  void ask_to_end();
  void await_end();

  // Sends a number. Nothing happens if the child is gone; receive() will tell.
  void ask(std::size_t number);

 private:
  pid_t pid_;
  int connection_;
  std::string received_;
};

// Sends a message from the child. May be called from any thread, and allocates nothing.
void send_message(int connection, RunMessage::Kind kind, std::size_t job, std::string_view text = {});
// The next number that the parent has sent to the child.
std::size_t receive_request(int connection);

}  // namespace subcore
