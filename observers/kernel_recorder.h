// KernelRecorder: what each kernel of a run took and counted.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/modules/conductor/between_cycles.h"
#include "subcore/modules/conductor/method_process.h"
#include "subcore/platforms/trace_driver.h"

namespace subcore {

// A kernel lasts from the end of the one before it, or the start of the run, to the cycle in which its last
// CTA has finished. Counts up to that cycle's end are its own; stores and write-backs that are still on their
// way then are counted for the next kernel, those of the last one for itself. So the kernels' counts add up
// to the run's. They are read half a cycle later, when no module is in the middle of a tick.
class KernelRecorder : public sc_core::sc_module {
 public:
  // `totals` tells what a kernel has counted, but cycles, CTAs and instructions traced, as sums so far; own
  // columns are always the same ones.
  KernelRecorder(const sc_core::sc_module_name& name, TraceDriver& driver,
                 std::function<KernelResult()> totals);

  // Kernels that have ended. After a run and everything that followed it they have all that was counted.
  std::vector<KernelResult> kernels() const;

 private:
  void ended(const std::string& name);
  void read();

  TraceDriver& driver_;
  std::function<KernelResult()> totals_;
  BetweenCycles between_cycles_;
  MethodProcess process_;
  std::vector<KernelResult> kernels_;
  std::size_t counted_ = 0;  // kernels that have their counts
  KernelResult nothing_;     // zero in every column
  KernelResult read_;        // last answer of totals_
  // Totals at the end of the last of kernels_:
  Cycle end_ = 0;
  std::uint64_t ctas_ = 0, instructions_ = 0;
};

}  // namespace subcore
