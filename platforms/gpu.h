// Gpu: a kernel dispatcher, SMs, the memory behind them and, if STHLD is adaptive, its controller.
#pragma once

#include <memory>

#include "modules/conductor/watchdog.h"
#include "modules/kernel_dispatcher/kernel_dispatcher.h"
#include "modules/memory/simple_memory.h"
#include "modules/sthld_controller/sthld_controller.h"
#include "platforms/memory_system.h"
#include "platforms/streaming_multiprocessor.h"

namespace subcore {

class Gpu : public sc_core::sc_module {
 public:
  Gpu(const sc_core::sc_module_name& name, const PlatformParameters& parameters);

  // Plays the trace from the start of simulation on; finished() and the finish event tell the end.
  void run(const TraceProgram& program);
  bool finished() const { return kernel_dispatcher.finished(); }
  const sc_core::sc_event& finish_event() const { return finish_event_; }
  // The cycle in which the last CTA had finished.
  Cycle finish_cycle() const { return finish_cycle_; }
  Cycle now() const { return conductor.now(); }

  std::uint64_t instructions_retired() const;
  const PlatformParameters& parameters() const { return parameters_; }

  void register_statistics(StatisticsGroup& root);
  // Names of what is not empty, or counters that do not balance; empty = the run conserved everything.
  std::vector<std::string> leftovers();
  void report_waiting(std::ostream& out);

 private:
  template <class Visit>
  void for_each_module(Visit visit);

  PlatformParameters parameters_;
  sc_core::sc_event finish_event_;
  Cycle finish_cycle_ = 0;

 public:
  Conductor conductor;  // of the kernel dispatcher and the watchdog; each SM has its own
  KernelDispatcher kernel_dispatcher;
  sc_core::sc_vector<StreamingMultiprocessor> sms;
  sc_core::sc_vector<SimpleMemory> memories;          // one per SM, if memory.kind is simple
  std::unique_ptr<MemorySystem> memory_system;        // otherwise
  std::unique_ptr<SthldController> sthld_controller;  // null when STHLD is fixed

 private:
  Watchdog watchdog_;
};

}  // namespace subcore
