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

// Measured waves, unless the user says how many; and the fewest that can be asked for, by which two are
// measured behind the first one, in which caches are cold.
inline constexpr std::uint64_t usual_sample_waves = 9, fewest_sample_waves = 4;
// A platform that adapts (STHLD) is simulated for so many cycles before waves are measured. The plan goes by
// instructions, of which it assumes one a cycle for each issue scheduler, as no run has less time for as
// many.
inline constexpr std::uint64_t sample_warm_up_cycles = 70000;
// The share by which launches of one kernel may differ in warp instructions.
inline constexpr double sample_likeness = 0.1;

// What the plan needs to know of a kernel's trace.
struct KernelOutline {
  KernelHeader header;
  CtaIndex ctas;
};
// The outline of a kernel's trace. A packed trace has it; any other one is read through. Throws TraceError.
KernelOutline outline_of(const std::filesystem::path& kernel);

// A launch that is simulated.
struct PlannedLaunch {
  std::size_t kernel;    // index in the program's list
  KernelPart part;       // its CTAs that run
  SampledKernel sample;  // what is left out, without amounts
};

// The sample of a program's launches, in their order: of each kernel with twice `waves` waves or more,
// `waves` whole waves from the first CTA on and the CTAs of the last wave that is not full; all of the
// others. Launches of one kernel are those that have its name, grid, block and registers, and as many
// instructions up to sample_likeness; the first of them stands for the others. `ctas_at_once` tells of a
// kernel how many CTAs make a wave. Before what is measured of a kernel, `warm_up` warp instructions of it
// are simulated, of its first launches if one has too few.
std::vector<PlannedLaunch> plan_sample(const std::vector<const KernelOutline*>& launches, std::uint64_t waves,
                                       const std::function<std::uint64_t(const KernelHeader&)>& ctas_at_once,
                                       std::uint64_t warm_up);

// Leaves out of the program what the plan leaves out, and returns the sample without amounts.
Sample take_part(TraceProgram& program, const std::vector<PlannedLaunch>& plan, std::uint64_t waves,
                 std::uint64_t instructions);

}  // namespace subcore
