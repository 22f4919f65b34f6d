// TraceDriver: plays a trace on SMs and watches over them until the trace is over. The driver has the kernel
// dispatcher, the registers by which a host launches kernels, the watchdog and the checks at the end of a
// run. Gpu has one. A platform with other memory and controllers makes its own.
#pragma once

#include "subcore/modules/conductor/watchdog.h"
#include "subcore/modules/kernel_dispatcher/kernel_dispatcher.h"
#include "subcore/modules/launch_registers/launch_registers.h"
#include "subcore/platforms/streaming_multiprocessor.h"

namespace subcore {

class TraceDriver : public sc_core::sc_module {
 public:
  // Binds the CTA socket of each of `sms`. The SMs must outlive the driver. `parameters`: those that the SMs
  // were given.
  TraceDriver(const sc_core::sc_module_name& name, const PlatformParameters& parameters,
              std::vector<StreamingMultiprocessor*> sms);

  // Adds a module beside the SMs to leftovers() and report_waiting(). The module must outlive the driver.
  void watch(Module& module) { others_.push_back(&module); }

  // Plays the trace, from the start of simulation on or, if that has begun, from now on. finished() and the
  // finish event tell the end. When finished(), run() may be called again for the next trace, from any
  // process and from an on_finish function: see KernelDispatcher::run(). Counters and leftovers() are of all
  // runs. Once the driver has failed(), a call only reports another error, with id "/subcore/run".
  void run(const TraceProgram& program);
  // Adds kernels to the list from which a host launches by launch_registers. At any time.
  void load(const TraceProgram& program) { kernel_dispatcher.load(program); }
  bool finished() const { return kernel_dispatcher.finished(); }
  const sc_core::sc_event& finish_event() const { return finish_event_; }
  // Every run() calls `f`.
  void on_run(std::function<void()> f) { kernel_dispatcher.on_run(std::move(f)); }
  // Calls `f` in the cycle in which the last CTA has finished. The event is notified in the next delta cycle.
  void on_finish(std::function<void()> f) { kernel_dispatcher.on_finish(std::move(f)); }
  // Whether the driver or one of its SMs has reported an error (modules/protocol/failure.h). From then on
  // nothing happens in any of them, and the run does not end.
  bool failed() const { return conductor.failed(); }
  // Calls `f` once, when failed() becomes true.
  void on_failure(std::function<void()> f) { conductor.on_failure(std::move(f)); }
  // The cycle in which the last CTA had finished, in the last run that has ended.
  Cycle finish_cycle() const { return finish_cycle_; }

  std::uint64_t instructions_retired() const;
  // A number that grows as long as instructions, CTAs or memory requests make progress.
  std::uint64_t progress() const;
  // Names of modules that are not empty, and of counters that do not balance. Empty: everything that was sent
  // has arrived.
  std::vector<std::string> leftovers();
  // Writes which module waits for what, one line each.
  void report_waiting(std::ostream& out);

  Conductor conductor;  // of kernel dispatcher and watchdog; each SM has its own
  KernelDispatcher kernel_dispatcher;
  LaunchRegisters launch_registers;

 private:
  void end_of_elaboration() override;

  std::vector<StreamingMultiprocessor*> sms_;
  std::vector<Module*> others_;
  CounterSum source_operands_, cache_read_hits_;  // for a host, if there is one
  sc_core::sc_event finish_event_;
  Cycle finish_cycle_ = 0;
  Watchdog watchdog_;
};

}  // namespace subcore
