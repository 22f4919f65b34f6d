#include "subcore/program/runs/interrupt.h"

#include <cstring>

#include <signal.h>
#include <unistd.h>

namespace subcore {
namespace {

constexpr int end_signals[] = {SIGINT, SIGTERM, SIGHUP};

volatile sig_atomic_t received = 0;
void remember(int signal) {
  received = signal;
}

}  // namespace

Interrupted::Interrupted(int signal)
    : std::runtime_error("interrupted by signal " + signal_name(signal)), signal_(signal) {}

Interrupted::Interrupted(const Interrupted& other, const std::string& more)
    : std::runtime_error(other.what() + more), signal_(other.signal_) {}

bool Interrupted::is_quiet() const {
  return signal_ == SIGPIPE;
}

std::string signal_name(int signal) {
  return std::to_string(signal) + " (" + strsignal(signal) + ")";
}

void remember_interrupts() {
  for (const int s : end_signals) {
    struct sigaction action {};
    sigaction(s, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action.sa_handler = remember;
    sigaction(s, &action, nullptr);
  }
}

void throw_if_interrupted() {
  if (received != 0) throw Interrupted(received);
}

void forget_interrupts() {
  for (const int s : end_signals) {
    struct sigaction action {};
    sigaction(s, nullptr, &action);
    if (action.sa_handler == remember) signal(s, SIG_DFL);
  }
}

void end_by_signal(const Interrupted& interrupted) {
  forget_interrupts();
  raise(interrupted.signal());
  _exit(interrupted.exit_code());
}

}  // namespace subcore
