// KernelRecorder: records the cycles and counts of each kernel of a run.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/modules/conductor/between_cycles.h"
#include "subcore/modules/conductor/method_process.h"
#include "subcore/platforms/trace_driver.h"

namespace subcore {

// A kernel lasts from the end of the kernel before it, or from the start of the run, to the cycle in which
// its last CTA has finished. The kernel gets all counts up to that cycle's end. Stores and write-backs that
// are still on their way then count for the next kernel, or for the last kernel itself. The kernels' counts
// therefore add up to the run's. The recorder reads counts half a cycle later, when no module is in the
// middle of a tick.
class KernelRecorder : public sc_core::sc_module {
 public:
  // `totals` gives sums so far of all columns except cycles, CTAs and traced instructions. Its columns of
  // users' own must be the same in every call.
  KernelRecorder(const sc_core::sc_module_name& name, TraceDriver& driver,
                 std::function<KernelResult()> totals);

  // The kernels that have ended. Once all activity after a run is over, the last kernel's counts are
  // complete, too.
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
