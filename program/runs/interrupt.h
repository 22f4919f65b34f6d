// Signals that ask the program to end: the program stops its runs, removes half-written files, and says so.
#pragma once

#include <stdexcept>
#include <string>

namespace subcore {

class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(int signal);
  // Copies an interruption, with more words about it.
  Interrupted(const Interrupted& other, const std::string& more);
  int signal() const { return signal_; }
  int exit_code() const { return 128 + signal_; }  // the code that shells give such an end
  bool is_quiet() const;                           // the reader of the output is gone, which is no failure

 private:
  int signal_;
};

std::string signal_name(int signal);  // A signal's number and name: "9 (Killed)"

// From now on INT, TERM and HUP are remembered and do not end the program, unless they were ignored, as nohup
// does. Code that runs for long must ask for the signals.
void remember_interrupts();
void throw_if_interrupted();
// Lets the signals end a child process again.
void forget_interrupts();
// Ends the process by the signal of the interruption.
[[noreturn]] void end_by_signal(const Interrupted& interrupted);

}  // namespace subcore
