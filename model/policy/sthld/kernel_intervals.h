// The intervals of the STHLD machine's decisions, when they are counted from the start of each kernel.
//
// Every interval belongs to one kernel, and counts if some SM still has a CTA of that kernel when the
// interval ends. An interval that the kernel's end cuts short is dropped, whether or not the next kernel has
// begun by then. The length of the gap between two kernels therefore has no influence.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <optional>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore {

class KernelIntervals {
 public:
  static constexpr Cycle no_kernel = ~Cycle{0};
  // An SM's report when an interval ends.
  struct Sm {
    Cycle kernel = no_kernel;        // the start of its running or last kernel
    std::uint64_t instructions = 0;  // instructions of that kernel that retired
    std::uint64_t ctas = 0;          // CTAs of that kernel on the SM
  };
  // At most one member is set. If neither is set, the interval is dropped, and the next interval follows at
  // once.
  struct Verdict {
    std::optional<std::uint64_t> instructions;  // decide by what the GPU retired in the interval
    std::optional<Cycle> recount;  // a kernel began in this cycle, from which intervals are counted
  };

  // `interval` is in cycles.
  explicit KernelIntervals(std::uint64_t interval) : interval_(interval) {}

  // A run begins in `cycle`. Kernels that started before do not belong to it.
  void begin_run(Cycle cycle) { run_ = cycle; }
  // Judges the interval that has ended. To be called at the end of each interval, with `sms` as they are
  // after the last cycle before `end`. A new kernel is noticed here, at the latest when its first interval
  // ends.
  Verdict judge(Cycle end, const std::vector<Sm>& sms) {
    Sm latest;  // of all SMs; an SM without a CTA of the last kernel still reports an earlier kernel
    for (const Sm& sm : sms) {
      if (sm.kernel == no_kernel || sm.kernel < run_) continue;
      if (latest.kernel != no_kernel && sm.kernel < latest.kernel) continue;
      if (sm.kernel != latest.kernel) latest = {sm.kernel};
      latest.instructions += sm.instructions;
      latest.ctas += sm.ctas;
    }
    if (latest.kernel == no_kernel) return {};
    if (latest.kernel != kernel_) {
      kernel_ = latest.kernel;
      counted_ = 0;
      if (end != kernel_ + interval_) return {std::nullopt, kernel_};
    }
    if (latest.ctas == 0) return {};
    const std::uint64_t before = counted_;
    counted_ = latest.instructions;
    return {counted_ - before, std::nullopt};
  }

 private:
  std::uint64_t interval_;
  Cycle run_ = 0;
  Cycle kernel_ = no_kernel;   // the start of the kernel from which intervals are counted
  std::uint64_t counted_ = 0;  // instructions of that kernel in the intervals before
};

}  // namespace subcore
