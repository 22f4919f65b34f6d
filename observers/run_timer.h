// RunTimer: calls a function at regular intervals of cycles while a GPU runs. The timer makes no call while
// the GPU rests, because that would keep the simulation going.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <functional>

#include "subcore/modules/conductor/between_cycles.h"
#include "subcore/modules/conductor/method_process.h"
#include "subcore/platforms/gpu.h"

namespace subcore {

class RunTimer {
 public:
  // Intervals count from the beginning of each run, or from gpu.start_cycle if that is later. The GPU must
  // not outlive the timer.
  RunTimer(const char* name, Gpu& gpu, std::uint64_t interval, std::function<void()> act)
      : gpu_(gpu),
        act_(std::move(act)),
        between_cycles_(interval, gpu.period()),
        process_(name, between_cycles_.event(), [this] { due(); }) {
    gpu.driver.on_run([this] { start(); });
    gpu.driver.on_finish([this] { between_cycles_.stop(); });
    gpu.driver.on_failure([this] { between_cycles_.stop(); });
    start();
  }
  // Called at the start of simulation, because events cannot be notified before.
  void start() {
    if (!gpu_.finished() && !gpu_.failed() && sc_core::sc_get_status() >= sc_core::SC_START_OF_SIMULATION)
      between_cycles_.start(
          std::max(gpu_.driver.conductor.now(), gpu_.driver.kernel_dispatcher.start_cycle()));
  }

 private:
  void due() {
    if (!gpu_.finished() && !gpu_.failed() && between_cycles_.due()) act_();
  }

  Gpu& gpu_;
  std::function<void()> act_;
  BetweenCycles between_cycles_;
  MethodProcess process_;
};

}  // namespace subcore
