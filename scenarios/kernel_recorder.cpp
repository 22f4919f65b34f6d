#include "scenarios/kernel_recorder.h"

#include <algorithm>

namespace subcore {

KernelRecorder::KernelRecorder(const sc_core::sc_module_name& name, TraceDriver& driver,
                               std::function<KernelResult()> totals)
    : sc_module(name),
      driver_(driver),
      totals_(std::move(totals)),
      between_cycles_(1, driver.conductor.period()),
      process_("read", between_cycles_.event(), [this] { read(); }) {
  driver_.kernel_dispatcher.on_kernel_end([this](const std::string& kernel) { ended(kernel); });
}

void KernelRecorder::ended(const std::string& name) {
  const Cycle now = driver_.conductor.now();
  KernelResult k;
  k.name = name;
  k.cycles = now - end_;
  k.ctas = driver_.kernel_dispatcher.ctas_sent() - ctas_;
  k.instructions_traced = driver_.kernel_dispatcher.instructions_sent() - instructions_;
  end_ = now;
  ctas_ += k.ctas;
  instructions_ += k.instructions_traced;
  kernels_.push_back(std::move(k));
  between_cycles_.start();
}

void KernelRecorder::read() {
  if (!between_cycles_.due()) return;
  between_cycles_.stop();
  settle();
}

// Kernels without CTAs end in the cycle in which the one before them does, and have nothing to count.
void KernelRecorder::settle() {
  const KernelResult now = totals_();
  KernelResult& k = kernels_[std::min(settled_, kernels_.size() - 1)];
  for (const KernelCounter& c : kernel_counters) k.*c.of_kernel += now.*c.of_kernel - read_.*c.of_kernel;
  k.energy_total_pj += now.energy_total_pj - read_.energy_total_pj;
  read_ = now;
  settled_ = kernels_.size();
}

std::vector<KernelResult> KernelRecorder::close() {
  if (!kernels_.empty()) {
    if (settled_ < kernels_.size()) settle();
    settle();  // the rest, for the last one
  }
  return kernels_;
}

}  // namespace subcore
