// Gpu: SMs, the memory behind them, the driver that plays traces on them and, if STHLD is adaptive, its
// controller. A Gpu may be destroyed at any time between two calls of sc_start(), whatever is under way.
//
// With memory.kind external, a user's own memory is bound to sms[i].memory_socket(). With memory.dram.kind
// external, a user's own DRAM is bound to *memory->dram_socket(slice). If the watchdog and the checks at the
// end of a run are to know of a user's module, it goes to driver.watch().
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "subcore/modules/sthld_controller/sthld_controller.h"
#include "subcore/platforms/memory/memory.h"
#include "subcore/platforms/trace_driver.h"

namespace subcore {

class Gpu : public sc_core::sc_module {
 public:
  // `hooks`: modules of the user's own inside the sub-cores of every SM. If a hook has to know its SM, it
  // asks its site's conductor, which is a child of the SM (get_parent_object()).
  Gpu(const sc_core::sc_module_name& name, const PlatformParameters& parameters,
      const SubCoreHooks& hooks = {});
  ~Gpu() override;

  // Functions of the TraceDriver.
  void run(const TraceProgram& program) { driver.run(program); }
  void load(const TraceProgram& program) { driver.load(program); }
  bool finished() const { return driver.finished(); }
  const sc_core::sc_event& finish_event() const { return driver.finish_event(); }
  bool failed() const { return driver.failed(); }
  Cycle finish_cycle() const { return driver.finish_cycle(); }
  // Cycles from the start of the run to its end, or to now.
  Cycle cycles_run() const {
    const Cycle start = driver.kernel_dispatcher.start_cycle();
    return std::max(finished() ? finish_cycle() : driver.conductor.now(), start) - start;
  }
  std::uint64_t instructions_retired() const { return driver.instructions_retired(); }
  std::vector<std::string> leftovers() { return driver.leftovers(); }
  void report_waiting(std::ostream& out) { driver.report_waiting(out); }

  // The sockets of a host, which drives the GPU by its registers
  // (modules/launch_registers/launch_registers.h). The interrupt may tell the host of ends of kernels. Both
  // sockets may stay unbound.
  auto& control_socket() { return driver.launch_registers.control_socket; }
  auto& interrupt() { return driver.launch_registers.interrupt; }

  // Adds a module of the user's own beside the SMs. The module takes part in statistics, and so in columns of
  // the results, and in waveforms, leftovers() and report_waiting(). To be called before a RunRecorder or
  // another observer is made. The module must outlive the GPU.
  void add(Module& module);
  // The modules that add() was given, in this order.
  const std::vector<Module*>& added() const { return added_; }

  const sc_core::sc_time& period() const { return driver.conductor.period(); }
  const PlatformParameters& parameters() const { return parameters_; }
  void register_statistics(StatisticsGroup& root);

  // Keeps an observer of this GPU as long as the GPU exists, even if its owner lets it go while the
  // simulation goes on. `at_end` is called when the GPU is about to be destroyed.
  void keep(std::shared_ptr<void> observer, std::function<void()> at_end = {});

 private:
  struct Kept {
    std::shared_ptr<void> observer;
    std::function<void()> at_end;
  };
  std::vector<Kept> kept_;
  std::vector<Module*> added_;
  PlatformParameters parameters_;

 public:
  sc_core::sc_vector<StreamingMultiprocessor> sms;
  std::unique_ptr<Memory> memory;                     // the kind of memory that memory.kind names
  std::unique_ptr<SthldController> sthld_controller;  // null if STHLD is fixed or no warp waits by it
  TraceDriver driver;
};

}  // namespace subcore
