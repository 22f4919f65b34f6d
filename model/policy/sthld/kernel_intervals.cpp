#include "subcore/model/policy/sthld/kernel_intervals.h"

namespace subcore {

KernelIntervals::Verdict KernelIntervals::judge(Cycle end, const std::vector<Sm>& sms) {
  Sm latest;  // of all SMs together; SMs that the last kernel has no CTA for still have an earlier one
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

}  // namespace subcore
