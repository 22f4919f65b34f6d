// SthldController: sets the waiting threshold of every SM from the IPC of the whole GPU, interval by interval
// (Malekeh, section IV-B3). The controller knows the SMs, and the beginnings and ends of kernels, only
// through their control sockets. The controller has one timed event per interval, at a time when no SM is in
// the middle of a cycle.
//
// Intervals of `kernel` are counted from the cycle in which a kernel's first CTA was handed to an SM. An
// interval that ends after its kernel is dropped (model/policy/sthld/kernel_intervals.h). So a kernel that is
// shorter than an interval decides nothing, and the time between kernels decides nothing either. The start of
// a kernel, and the time of its launch, move no decision.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <optional>

#include "subcore/model/policy/sthld/kernel_intervals.h"
#include "subcore/model/policy/sthld/sthld_machine.h"
#include "subcore/model/policy/sthld/sthld_parameters.h"
#include "subcore/modules/conductor/between_cycles.h"
#include "subcore/modules/conductor/method_process.h"
#include "subcore/modules/control_registers/control_port.h"
#include "subcore/modules/protocol/module.h"

namespace subcore {

class SthldController : public Module {
 public:
  sc_core::sc_vector<ControlPort<>> control_socket;  // a socket per SM

  SthldController(const sc_core::sc_module_name& name, unsigned sms, const SthldParameters& parameters,
                  sc_core::sc_time cycle);

  // Ends the decisions. Without this call the timed event keeps the simulation going.
  void stop();
  // Goes on after stop(), in the state in which stop() left the controller. Intervals, and the instructions
  // in them, are counted from the current cycle on, or from the start of the next kernel. Unless it was
  // stopped before, the controller starts with the simulation.
  void start();
  const SthldMachine& machine() const { return machine_; }
  // Mean threshold over intervals; before the first interval has ended, the present threshold.
  double sthld_mean() const {
    return decisions_ == 0 ? machine_.sthld()
                           : static_cast<double>(sthld_sum_) / static_cast<double>(decisions_);
  }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  void inventory(Inventory& list) const override;

 private:
  void start_of_simulation() override;
  void decide();
  void decide_now();
  std::uint64_t instructions_retired();
  std::optional<std::uint64_t> of_interval();
  std::optional<std::uint64_t> of_kernel_interval();

  SthldMachine machine_;
  std::uint32_t interval_;
  SthldIntervals intervals_;
  sc_core::sc_time cycle_;
  KernelIntervals kernel_intervals_;
  BetweenCycles between_cycles_;
  MethodProcess process_;
  bool running_ = true;
  std::uint64_t last_instructions_ = 0;
  std::uint64_t sthld_sum_ = 0;
  Counter decisions_{counter_list_, "decisions", "intervals", "intervals decided"};
};

}  // namespace subcore
