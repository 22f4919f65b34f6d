// WaveRecorder: records the amounts of each kernel of a sampled run, and of each of its waves.
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

// A wave lasts from the cycle in which its first CTA could be sent to the cycle in which its last CTA has
// been sent. The start of the first wave and the end of the last wave are therefore in no wave. A kernel
// lasts from the end of the kernel before it to its own end, as for KernelRecorder. Amounts are read half a
// cycle later, when no module is in the middle of a tick. Only kernels of programs with parts are recorded.
class WaveRecorder : public sc_core::sc_module {
 public:
  // `totals` gives sums so far of all amounts except cycles.
  WaveRecorder(const sc_core::sc_module_name& name, TraceDriver& driver,
               std::function<SampleAmounts()> totals);

  // The amounts of a kernel, and of each of its waves.
  struct Kernel {
    SampleAmounts all;
    std::vector<SampleAmounts> waves;  // from the second wave on
  };
  // The kernels that have ended. Once all activity after a run is over, the last kernel's amounts are
  // complete, too.
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
  std::vector<Kernel> kernels_;                  // kernels that have ended
  std::vector<SampleAmounts> waves_;             // of the running kernel
  SampleAmounts start_;                          // totals at the end of the last of kernels_
  std::optional<SampleAmounts> wave_start_;      // totals at the end of the wave before, if any
};

}  // namespace subcore
