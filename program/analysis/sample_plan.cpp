#include "subcore/program/analysis/sample_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "subcore/base/formatted.h"

namespace subcore {
namespace {

// The properties that launches of one kernel have in common.
using KernelKey = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                             std::uint32_t, std::uint32_t, std::uint32_t>;

KernelKey key_of(const KernelHeader& h) {
  return {h.name, h.grid.x, h.grid.y, h.grid.z, h.block.x, h.block.y, h.block.z, h.registers_per_thread};
}

// The launches of one kernel.
struct Group {
  std::uint64_t instructions = 0;  // of the kernel's first launch
  std::uint64_t simulated = 0;     // instructions that are simulated, of all launches
  std::size_t last = 0;            // index in the plan of the launch that stands for those left out
  bool is_measured = false;        // the launch at `last` has been warm

  bool is_like(std::uint64_t other) const {
    const auto first = static_cast<double>(instructions);
    return std::abs(static_cast<double>(other) - first) <= sample_likeness * first;
  }
};

// Plans what is simulated of one launch. The launch's first `warm_up` instructions are not measured.
PlannedLaunch plan_launch(std::size_t kernel, const KernelOutline& outline, std::uint64_t waves,
                          std::uint64_t wave, std::uint64_t warm_up) {
  const std::vector<std::uint32_t>& ctas = outline.ctas.instructions;
  const std::uint64_t total = outline.ctas.total;
  PlannedLaunch launch{kernel, {}, {}};
  SampledKernel& s = launch.sample;
  s.name = outline.header.name;
  s.kernel = kernel + 1;
  s.ctas = ctas.size();
  s.fewest_instructions = s.most_instructions = total;
  if (wave == 0 || ctas.size() < 2 * waves * wave) return launch;
  // The first wave is never measured.
  std::uint64_t warm = 0, instructions = 0;
  do {
    for (std::uint64_t c = warm * wave; c < std::min<std::uint64_t>((warm + 1) * wave, ctas.size()); ++c)
      instructions += ctas[c];
    ++warm;
  } while (instructions < warm_up && warm * wave < ctas.size());
  const std::uint64_t head = (warm - 1 + waves) * wave, tail = ctas.size() / wave * wave;
  if (head >= tail) return launch;
  const auto at = [&](std::uint64_t n) { return ctas.begin() + static_cast<std::ptrdiff_t>(n); };
  launch.part = {0, head, tail == ctas.size() ? KernelPart::none : tail, wave};
  s.ctas_left_out = tail - head;
  s.instructions_left_out = std::accumulate(at(head), at(tail), std::uint64_t{0});
  s.warm_up_waves = warm;
  return launch;
}

}  // namespace

KernelOutline outline_of(const std::filesystem::path& kernel) {
  OperandOptions header_only;
  header_only.use_sidecar = false;
  return {KernelReader(kernel, header_only).header(), cta_index(kernel)};
}

std::vector<PlannedLaunch> plan_sample(const std::vector<const KernelOutline*>& launches, std::uint64_t waves,
                                       const std::function<std::uint64_t(const KernelHeader&)>& ctas_at_once,
                                       std::uint64_t warm_up) {
  std::vector<PlannedLaunch> plan;
  std::map<KernelKey, std::vector<Group>> groups;
  for (std::size_t kernel = 0; kernel < launches.size(); ++kernel) {
    const KernelOutline& outline = *launches[kernel];
    const std::uint64_t total = outline.ctas.total;
    std::vector<Group>& alike = groups[key_of(outline.header)];
    auto group = std::find_if(alike.begin(), alike.end(), [&](const Group& g) { return g.is_like(total); });
    if (group == alike.end()) group = alike.insert(alike.end(), {total, 0, 0, false});
    if (group->is_measured) {
      SampledKernel& stands = plan[group->last].sample;
      ++stands.launches_left_out;
      stands.ctas_of_launches += outline.ctas.instructions.size();
      stands.instructions_of_launches += total;
      stands.fewest_instructions = std::min(stands.fewest_instructions, total);
      stands.most_instructions = std::max(stands.most_instructions, total);
      continue;
    }
    const std::uint64_t cold = warm_up - std::min(warm_up, group->simulated);
    plan.push_back(plan_launch(kernel, outline, waves, ctas_at_once(outline.header), cold));
    group->last = plan.size() - 1;
    group->simulated += total - plan.back().sample.instructions_left_out;
    group->is_measured = cold == 0 || plan.back().sample.instructions_left_out != 0;
  }
  return plan;
}

Sample take_part(TraceProgram& program, const std::vector<PlannedLaunch>& plan, std::uint64_t waves,
                 std::uint64_t instructions) {
  Sample sample{waves, {}};
  std::vector<std::filesystem::path> kernels;
  program.parts.clear();
  std::uint64_t left_out = 0;
  for (const PlannedLaunch& launch : plan) {
    const SampledKernel& s = launch.sample;
    kernels.push_back(program.kernels.at(launch.kernel));
    program.parts.push_back(launch.part);
    sample.kernels.push_back(s);
    left_out += s.instructions_left_out + s.instructions_of_launches;
    for (const std::uint64_t n :
         {s.kernel, s.ctas, s.instructions_left_out, s.launches_left_out, s.ctas_of_launches,
          s.instructions_of_launches, s.fewest_instructions, s.most_instructions, s.warm_up_waves})
      program.sample += std::to_string(n) + ' ';
  }
  const double fraction =
      instructions == 0 ? 1
                        : static_cast<double>(instructions - left_out) / static_cast<double>(instructions);
  program.selection += (program.selection.empty() ? "" : ", ") + std::to_string(kernels.size()) + " of " +
                       std::to_string(program.kernels.size()) + " launches, " +
                       formatted("%.2f %%", 100 * fraction) + " of " + std::to_string(instructions) +
                       " warp instructions";
  program.selection_name += (program.selection_name.empty() ? "" : ",") + ("sample=" + std::to_string(waves));
  program.kernels = std::move(kernels);
  return sample;
}

}  // namespace subcore
