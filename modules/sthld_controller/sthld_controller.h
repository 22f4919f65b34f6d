// SthldController: sets the waiting threshold of every SM from the IPC of the whole GPU, interval by interval
// (Malekeh, section IV-B3). It knows the SMs, and that a kernel has begun, only through their control
// sockets. One timed event per interval, where no SM is in the middle of a cycle.
//
// With intervals of `kernel` they are counted from the cycle in which a kernel's first CTA was handed to an
// SM. The interval that is under way then is dropped, and so is the time before the run's first kernel: a
// kernel that is shorter than an interval decides nothing. When kernels start does not matter, so neither
// does what was before.
#pragma once

#include "model/policy/sthld/sthld_machine.h"
#include "model/policy/sthld/sthld_parameters.h"
#include "modules/conductor/between_cycles.h"
#include "modules/conductor/method_process.h"
#include "modules/control_registers/control_port.h"
#include "modules/protocol/module.h"

namespace subcore {

class SthldController : public Module {
 public:
  sc_core::sc_vector<ControlPort<>> control_socket;  // one per SM

  SthldController(const sc_core::sc_module_name& name, unsigned sms, const SthldParameters& parameters,
                  sc_core::sc_time cycle);

  // No further decisions; otherwise its timed event keeps the simulation going.
  void stop();
  // Goes on after stop(), in the state that it was left in: intervals, and the instructions in them, are
  // counted from the current cycle on, or from the start of the next kernel. Unless stopped before, it starts
  // with the simulation.
  void start();
  const SthldMachine& machine() const { return machine_; }
  // Over intervals; before the first has ended, what it is now.
  double sthld_mean() const {
    return decisions_ == 0 ? machine_.sthld()
                           : static_cast<double>(sthld_sum_) / static_cast<double>(decisions_);
  }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;

 private:
  void start_of_simulation() override;
  void decide();
  void decide_now();
  std::uint64_t instructions_retired();
  bool is_within_interval(std::uint64_t instructions);

  SthldMachine machine_;
  std::uint32_t interval_;
  SthldIntervals intervals_;
  sc_core::sc_time cycle_;
  Cycle started_ = 0;     // in which start() was called
  Cycle kernel_ = never;  // the start of the kernel from which intervals are counted
  BetweenCycles between_cycles_;
  MethodProcess process_;
  bool running_ = true;
  std::uint64_t last_instructions_ = 0;
  std::uint64_t sthld_sum_ = 0;
  Counter decisions_{counter_list_, "decisions", "intervals", "intervals decided"};
};

}  // namespace subcore
