// Sample: the simulated part of a run, and the size of the part that was left out. The estimate of the whole
// run is made from it (sample_estimate.h).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

// The amounts of a stretch of a run. Scaled amounts have decimals.
struct SampleAmounts {
  double cycles = 0;
  double instructions = 0;  // warp instructions that retired
  double source_operands = 0;
  double cache_read_hits = 0;
  double energy_pj = 0;                                             // by the platform's table
  std::vector<std::pair<std::string, double>> energy_by_preset_pj;  // by each shipped table
};

// The sum of the amounts of `a` and `b`.
SampleAmounts operator+(const SampleAmounts& a, const SampleAmounts& b);
// The amounts of `a` minus the amounts of `b`, which is a part of `a`.
SampleAmounts operator-(const SampleAmounts& a, const SampleAmounts& b);
// The amounts times `factor`.
SampleAmounts operator*(const SampleAmounts& a, double factor);

// A launch of a kernel that was simulated, in whole or in part.
struct SampledKernel {
  std::string name;
  std::uint64_t kernel = 0;                 // its place in the trace's list, from 1
  std::uint64_t ctas = 0;                   // of the launch, including those left out
  std::uint64_t ctas_left_out = 0;          // of the launch
  std::uint64_t instructions_left_out = 0;  // warp instructions of the CTAs that were left out
  // This launch may stand for launches of the same kernel that were left out whole: their number, their CTAs
  // and their warp instructions.
  std::uint64_t launches_left_out = 0, ctas_of_launches = 0, instructions_of_launches = 0;
  // The fewest and the most warp instructions of a launch, among this one and those for which it stands.
  std::uint64_t fewest_instructions = 0, most_instructions = 0;
  std::uint64_t warm_up_waves = 0;   // the first waves, which are simulated but not measured
  SampleAmounts simulated;           // of all simulated parts of the launch
  std::vector<SampleAmounts> waves;  // measured waves, from which the left-out CTAs are estimated
};

// A sampled run, in the order of its kernels.
struct Sample {
  std::uint64_t waves = 0;  // the requested number
  std::vector<SampledKernel> kernels;
};

}  // namespace subcore
