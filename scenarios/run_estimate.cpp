#include "scenarios/run_estimate.h"

#include "scenarios/interrupt.h"

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

RunEstimate estimate_run(std::uint64_t instructions, std::uint32_t sms) {
  constexpr double start = 0.03, per_sm = 0.005, per_instruction = 2.2e-6;  // seconds
  constexpr double program = 24, of_sm = 0.8;                               // megabytes
  return {start + per_sm * sms + per_instruction * static_cast<double>(instructions), program + of_sm * sms};
}

}  // namespace subcore
