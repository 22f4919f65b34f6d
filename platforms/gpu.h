// Gpu: SMs, the memory behind them, the driver that plays traces on them and, if STHLD is adaptive, its
// controller. With memory.kind external, a memory of the user's own is bound to sms[i].memory_socket(), with
// memory.dram.kind external a DRAM to *memory->dram_socket(slice); modules of theirs that the watchdog and
// the checks at the end of a run are to know of go to driver.watch(). It may be destroyed at any time between
// two calls of sc_start(), whatever is under way.
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
  // `hooks`: modules of the user's own inside the sub-cores of every SM. A hook that has to know which SM it
  // is called for asks its site's conductor: that is a child of the SM (get_parent_object()).
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
  // Cycles since the start of the run, up to its end.
  Cycle cycles_run() const {
    const Cycle start = driver.kernel_dispatcher.start_cycle();
    return std::max(finished() ? finish_cycle() : driver.conductor.now(), start) - start;
  }
  std::uint64_t instructions_retired() const { return driver.instructions_retired(); }
  std::vector<std::string> leftovers() { return driver.leftovers(); }
  void report_waiting(std::ostream& out) { driver.report_waiting(out); }

  // A host drives the GPU by its registers (modules/launch_registers/launch_registers.h), and may be told of
  // ends by the interrupt. Both may stay unbound.
  auto& control_socket() { return driver.launch_registers.control_socket; }
  auto& interrupt() { return driver.launch_registers.interrupt; }

  // Adds a module of the user's own beside the SMs: it takes part in statistics, and so in columns of the
  // results, and in waveforms, leftovers() and report_waiting(). Before a RunRecorder or another observer is
  // made. The module must outlive the GPU.
  void add(Module& module);
  // The modules that were added, in this order.
  const std::vector<Module*>& added() const { return added_; }

  const sc_core::sc_time& period() const { return driver.conductor.period(); }
  const PlatformParameters& parameters() const { return parameters_; }
  void register_statistics(StatisticsGroup& root);

  // Keeps an observer of this GPU as long as the GPU exists, even if whoever wanted it lets it go while the
  // simulation goes on. `at_end`: called when the GPU is about to be destroyed.
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
  std::unique_ptr<Memory> memory;                     // the memory of the kind that memory.kind names
  std::unique_ptr<SthldController> sthld_controller;  // null when STHLD is fixed, or nobody waits by it
  TraceDriver driver;
};

}  // namespace subcore
