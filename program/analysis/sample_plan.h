// The plan of a sampled run: which launches of a program are simulated, and which CTAs of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "subcore/model/sampling/sample.h"
#include "subcore/model/trace/cta_index.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// The number of measured waves, unless the user gives one; and the smallest number that can be asked for.
// With the smallest number, two waves are measured behind the first one, in which caches are cold.
inline constexpr std::uint64_t usual_sample_waves = 9, fewest_sample_waves = 4;
// A platform that adapts (STHLD) is simulated for so many cycles before waves are measured. The plan counts
// instructions. The plan assumes one instruction a cycle for each issue scheduler, because no run is faster.
inline constexpr std::uint64_t sample_warm_up_cycles = 70000;
// The share by which launches of one kernel may differ in their warp instructions.
inline constexpr double sample_likeness = 0.1;

// The properties of a kernel's trace that the plan needs.
struct KernelOutline {
  KernelHeader header;
  CtaIndex ctas;
};
// The outline of a kernel's trace. A packed trace has its outline; any other trace is read through. Throws
// TraceError.
KernelOutline outline_of(const std::filesystem::path& kernel);

// A launch that is simulated.
struct PlannedLaunch {
  std::size_t kernel;    // index in the program's list
  KernelPart part;       // its CTAs that run
  SampledKernel sample;  // the part that is left out, without amounts
};

// The sample of a program's launches, in order. A kernel with at least twice `waves` waves has two parts in
// the sample: `waves` whole waves from the first CTA on, and the CTAs of the last wave that is not full.
// Other kernels have all CTAs in the sample.
//
// Launches of one kernel have the same name, grid, block and registers, and the same number of instructions
// up to sample_likeness. The first launch stands for the others. `ctas_at_once` returns how many CTAs of a
// kernel make a wave. Before a kernel is measured, `warm_up` of its warp instructions are simulated. If its
// first launch has too few, its next launches are simulated, too.
std::vector<PlannedLaunch> plan_sample(const std::vector<const KernelOutline*>& launches, std::uint64_t waves,
                                       const std::function<std::uint64_t(const KernelHeader&)>& ctas_at_once,
                                       std::uint64_t warm_up);

// Leaves out of the program what the plan leaves out. Returns the sample without amounts.
Sample take_part(TraceProgram& program, const std::vector<PlannedLaunch>& plan, std::uint64_t waves,
                 std::uint64_t instructions);

}  // namespace subcore
