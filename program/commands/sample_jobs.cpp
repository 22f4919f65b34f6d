// --sample: chooses the CTAs of each trace that are simulated.
#include <algorithm>
#include <map>

#include "subcore/base/spelling.h"
#include "subcore/model/policy/cta_room.h"
#include "subcore/platforms/streaming_multiprocessor.h"
#include "subcore/program/analysis/sample_plan.h"
#include "subcore/program/commands/planned_runs.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/progress.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// The number of waves in "waves" or "waves=K".
std::uint64_t waves_of(const std::string& text) {
  const std::string name = "waves", with_number = name + '=';
  if (text == name) return usual_sample_waves;
  std::uint64_t waves = 0;
  if (text.rfind(with_number, 0) == 0) waves = whole_number("--sample", text.substr(with_number.size()), 0);
  if (waves < fewest_sample_waves || waves > 1000000)
    throw UsageError("--sample " + text + "; expected waves, or waves=K with K from " +
                     std::to_string(fewest_sample_waves) + " to 1000000");
  return waves;
}

// The platforms of one trace.
using Platforms = std::vector<const PlatformParameters*>;

// The CTAs that make a wave on the platform with the least room.
std::uint64_t ctas_at_once(const Platforms& platforms, const KernelHeader& h) {
  const CtaNeeds needs = cta_needs(h.warps_per_cta(), h.registers_per_thread, h.shared_memory_bytes);
  std::uint64_t least = KernelPart::none;
  for (const PlatformParameters* p : platforms)
    least = std::min(least, std::uint64_t{p->gpu.sms} * CtaRoom(cta_capacity(*p)).count(needs));
  return least;
}

// The warp instructions that are simulated before anything is measured: those of the platform that needs
// most.
std::uint64_t warm_up_of(const Platforms& platforms) {
  std::uint64_t most = 0;
  for (const PlatformParameters* p : platforms)
    if (p->sthld_is_adaptive())
      most = std::max(most, sample_warm_up_cycles * p->gpu.sms * p->multiprocessor.sub_cores);
  return most;
}

}  // namespace

void sample_jobs(std::vector<Job>& jobs, const std::string& text) {
  const std::uint64_t waves = waves_of(text);
  std::map<std::vector<fs::path>, std::vector<Job*>> by_trace;
  for (Job& job : jobs) {
    if (job.count != nullptr)
      throw UsageError(
          "--sample with parts that are only counted; expected no --sample with cache_study or trace_info");
    if (job.needs_first_run())
      throw UsageError("--sample with " + job.platform->name +
                       ", whose near bits need the order of a whole run; expected another platform");
    by_trace[job.trace.kernels].push_back(&job);
  }
  std::map<fs::path, KernelOutline> outlines;  // by file, because a list may name a file several times
  std::size_t files = 0;
  for (const auto& entry : by_trace)
    for (const fs::path& kernel : entry.first) files += outlines.try_emplace(kernel).second ? 1 : 0;
  ProgressBar bar("reading traces");
  double done = 0;
  for (auto& [kernel, outline] : outlines) {
    throw_if_interrupted();
    bar.show(done / static_cast<double>(files), kernel.filename().string());
    outline = outline_of(kernel);
    ++done;
  }
  for (auto& [kernels, of_trace] : by_trace) {
    Platforms platforms;
    for (const Job* job : of_trace) platforms.push_back(job->platform.get());
    std::vector<const KernelOutline*> launches;
    std::uint64_t instructions = 0;
    for (const fs::path& kernel : kernels) {
      launches.push_back(&outlines.at(kernel));
      instructions += launches.back()->ctas.total;
    }
    const std::vector<PlannedLaunch> plan = plan_sample(
        launches, waves, [&, &on = platforms](const KernelHeader& h) { return ctas_at_once(on, h); },
        warm_up_of(platforms));
    TraceProgram program = of_trace.front()->trace;
    const auto sample = std::make_shared<const Sample>(take_part(program, plan, waves, instructions));
    for (Job* job : of_trace) {
      program.name = job->trace.name;
      job->trace = program;
      job->sample = sample;
    }
  }
}

}  // namespace subcore
