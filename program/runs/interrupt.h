// Signals that ask the program to end: it stops its runs, removes what is half-written, and says so.
#pragma once

#include <stdexcept>
#include <string>

namespace subcore {

class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int signal);
  // The other interruption, with more words about it.
  Interrupted(const Interrupted& other, const std::string& more);
  int signal() const { return signal_; }
  int exit_code() const { return 128 + signal_; }  // a shell's code for such an end
  bool is_quiet() const;                           // nobody wants to read more of the output: no failure

 private:
  int signal_;
};

std::string signal_name(int signal);  // "9 (Killed)"

// From now on INT, TERM and HUP are remembered instead of ending the program, unless they were ignored, as
// nohup does. Whoever runs something long must ask for them.
void remember_interrupts();
void throw_if_interrupted();
// Lets the signals end a child process again.
void forget_interrupts();
// Ends the process by the signal of the interruption.
[[noreturn]] void end_by_signal(const Interrupted& interrupted);

}  // namespace subcore
