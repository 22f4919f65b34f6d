// TraceDriver: plays a trace on SMs that the user has put together, and watches over them. What Gpu does for
// its own SMs, for a platform in which memory and controllers are somebody else's.
#pragma once

#include "modules/conductor/watchdog.h"
#include "modules/kernel_dispatcher/kernel_dispatcher.h"
#include "platforms/streaming_multiprocessor.h"

namespace subcore {

class TraceDriver : public sc_core::sc_module {
 public:
  // Binds the CTA socket of each of `sms`, which must outlive it. `parameters` as given to the SMs.
  TraceDriver(const sc_core::sc_module_name& name, const PlatformParameters& parameters,
              std::vector<StreamingMultiprocessor*> sms);

  // Plays the trace from the start of simulation on; finished() and the finish event tell the end.
  void run(const TraceProgram& program) { kernel_dispatcher.run(program); }
  bool finished() const { return kernel_dispatcher.finished(); }
  const sc_core::sc_event& finish_event() const { return finish_event_; }
  // The cycle in which the last CTA had finished.
  Cycle finish_cycle() const { return finish_cycle_; }

  std::uint64_t instructions_retired() const;
  // Names of what is not empty, or counters that do not balance; empty = the run conserved everything.
  std::vector<std::string> leftovers();
  void report_waiting(std::ostream& out);

  Conductor conductor;  // of the kernel dispatcher and the watchdog; each SM has its own
  KernelDispatcher kernel_dispatcher;

 private:
  std::vector<StreamingMultiprocessor*> sms_;
  sc_core::sc_event finish_event_;
  Cycle finish_cycle_ = 0;
  Watchdog watchdog_;
};

}  // namespace subcore
