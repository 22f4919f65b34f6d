// WaveRecorder: what each kernel of a sampled run took, and what each of its waves did.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "subcore/model/sampling/sample.h"
#include "subcore/modules/conductor/between_cycles.h"
#include "subcore/modules/conductor/method_process.h"
#include "subcore/platforms/trace_driver.h"

namespace subcore {

// A wave lasts from the cycle in which its first CTA could be sent to that in which its last one has been
// sent, so that neither the start of the first wave nor the end of the last one is in it. A kernel lasts from
// the end of the one before it to its own, as for KernelRecorder. Amounts are read half a cycle later, when
// no module is in the middle of a tick. Kernels are recorded of programs that have parts, and of no others.
class WaveRecorder : public sc_core::sc_module {
 public:
  // `totals` tells all amounts but cycles, as sums so far.
  WaveRecorder(const sc_core::sc_module_name& name, TraceDriver& driver,
               std::function<SampleAmounts()> totals);

  // What a kernel took: whole, and in each wave.
  struct Kernel {
    SampleAmounts all;
    std::vector<SampleAmounts> waves;  // from the second wave on
  };
  // Kernels that have ended. After a run and everything that followed it they have all that was counted.
  std::vector<Kernel> kernels() const;

 private:
  enum class Event : std::uint8_t { wave_sent, kernel_ended };
  void happened(Event event);
  void read();

  TraceDriver& driver_;
  std::function<SampleAmounts()> totals_;
  BetweenCycles between_cycles_;
  MethodProcess process_;
  std::vector<std::pair<Event, Cycle>> events_;  // of this cycle, in their order
  std::vector<Kernel> kernels_;                  // that have ended
  std::vector<SampleAmounts> waves_;             // of the kernel that runs
  SampleAmounts start_;                          // totals at the end of the last of kernels_
  std::optional<SampleAmounts> wave_start_;      // totals at the end of the wave before; none has been sent
};

}  // namespace subcore
