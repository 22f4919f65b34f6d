#include "subcore/program/runs/run_estimate.h"

#include <cmath>

#include "subcore/program/runs/interrupt.h"

namespace subcore {

std::uint64_t count_instructions(const TraceProgram& program, const ProgressCallback& progress) {
  std::uint64_t instructions = 0;
  const auto kernels = static_cast<double>(program.kernels.size());
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    KernelReader reader(program.kernels[k], {});
    CtaTrace cta;
    while (reader.next(cta)) {
      for (const WarpTrace& warp : cta.warps) instructions += warp.records.size();
      throw_if_interrupted();
      if (progress && reader.bytes_total() != 0)
        progress((static_cast<double>(k) +
                  static_cast<double>(reader.bytes_read()) / static_cast<double>(reader.bytes_total())) /
                 kernels);
    }
  }
  return instructions;
}

namespace {

// The cost of a warp instruction against the baseline's, which neither keeps values nor looks them up.
double scheme_factor(const SubCoreParameters& s) {
  if (s.operand_cache_entries() != 0) return 1.6;
  if (!s.collector.kind->keeps_values()) return 1;
  return s.collector.kind->copies_hits() ? 1.9 : 1.25;
}

}  // namespace

RunEstimate estimate_run(std::uint64_t instructions, const PlatformParameters& platform) {
  constexpr double start = 0.02, of_sm = 0.0015;  // seconds
  constexpr double of_instruction = 0.45e-6,
                   doubled = 0.2;                     // more of it whenever SMs are doubled: cache misses
  constexpr double program = 22, memory_of_sm = 1.3;  // megabytes
  const double sms = platform.gpu.sms;
  const double per_instruction =
      of_instruction * scheme_factor(platform.sub_core) * (1 + doubled * std::log2(sms));
  return {start + of_sm * sms + per_instruction * static_cast<double>(instructions),
          program + memory_of_sm * sms};
}

}  // namespace subcore
