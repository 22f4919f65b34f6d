// TraceDriver: plays a trace on SMs, and watches over them until the trace is over: kernel dispatcher, the
// registers by which a host launches kernels, watchdog and end-of-run checks. Gpu has one; a platform in
// which memory and controllers are somebody else's makes its own.
#pragma once

#include "subcore/modules/conductor/watchdog.h"
#include "subcore/modules/kernel_dispatcher/kernel_dispatcher.h"
#include "subcore/modules/launch_registers/launch_registers.h"
#include "subcore/platforms/streaming_multiprocessor.h"

namespace subcore {

class TraceDriver : public sc_core::sc_module {
 public:
  // Binds the CTA socket of each of `sms`, which must outlive it. `parameters` as given to the SMs.
  TraceDriver(const sc_core::sc_module_name& name, const PlatformParameters& parameters,
              std::vector<StreamingMultiprocessor*> sms);

  // A module beside the SMs that takes part in leftovers() and report_waiting(). It must outlive the driver.
  void watch(Module& module) { others_.push_back(&module); }

  // Plays the trace, from the start of simulation on or, once that runs, from now on; finished() and the
  // finish event tell the end. When finished() it may be called again, from any process and from an on_finish
  // function, for the next trace: see KernelDispatcher::run(). Counters and leftovers() are of all runs.
  // Once it has failed(), a call only reports another error, with id "/subcore/run".
  void run(const TraceProgram& program);
  // Kernels for a host to launch by launch_registers: the next entries of its list. At any time.
  void load(const TraceProgram& program) { kernel_dispatcher.load(program); }
  bool finished() const { return kernel_dispatcher.finished(); }
  const sc_core::sc_event& finish_event() const { return finish_event_; }
  // Called by every run().
  void on_run(std::function<void()> f) { kernel_dispatcher.on_run(std::move(f)); }
  // Called in the cycle in which the last CTA has finished; the event is notified in the next delta.
  void on_finish(std::function<void()> f) { kernel_dispatcher.on_finish(std::move(f)); }
  // Whether the driver or one of its SMs has reported an error (modules/protocol/failure.h). Nothing happens
  // in any of them any more then, and the run does not end.
  bool failed() const { return conductor.failed(); }
  // `f` is called once, when failed() becomes true.
  void on_failure(std::function<void()> f) { conductor.on_failure(std::move(f)); }
  // The cycle in which the last CTA had finished, of the last run that has.
  Cycle finish_cycle() const { return finish_cycle_; }

  std::uint64_t instructions_retired() const;
  // Grows as long as anything gets on: instructions, CTAs, memory requests.
  std::uint64_t progress() const;
  // Names of what is not empty, or counters that do not balance; empty = the run conserved everything.
  std::vector<std::string> leftovers();
  // Writes who waits for whom, one line each.
  void report_waiting(std::ostream& out);

  Conductor conductor;  // the kernel dispatcher's and the watchdog's; each SM has its own
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
