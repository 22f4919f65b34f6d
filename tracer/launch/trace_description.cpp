#include "subcore/tracer/launch/trace_description.h"

#include <algorithm>

#include "subcore/base/yaml_entry.h"
#include "subcore/tracer/launch/choice.h"

namespace subcore::tracer {
std::string trace_description(const TraceOptions& options,
                              const std::function<void(double, const std::string&)>& progress) {
  const Description description(options.description);
  Device device;
  device.ctas = range_named("--ctas", options.ctas);
  device.copy_time = choice_named<CopyTime>("--copies", options.copies);
  device.progress = progress;
  const auto packing = choice_named<TracePacking>("--pack", options.packing);
  const auto version = choice_named<TraceVersion>("--trace-version", options.version);
  DescribedRun run(description, device, options.code, instruction_table());
  for (const std::string& kernel : options.kernels)
    kernel_named(run.module().cubin, kernel, description.code);
  if (!options.kernels.empty())
    device.is_traced = [&](const std::string& kernel) {
      return std::find(options.kernels.begin(), options.kernels.end(), kernel) != options.kernels.end();
    };
  const std::string folder = options.output.empty() ? "traces/" + description.name : options.output;
  if (options.is_trace_wanted) device.trace(folder, packing, version);
  run.make_buffers();
  run.launch();
  std::string checked = ", nothing to check";
  if (!device.ctas.is_all()) {
    checked = ", nothing checked because some CTAs did not run";
  } else if (!description.checks.empty()) {
    const std::vector<std::string> failed = run.check();
    if (!failed.empty()) throw ConfigError(failed.front());
    checked = ", " + std::to_string(description.checks.size()) +
              (description.checks.size() == 1 ? " check passed" : " checks passed");
  }
  const unsigned kernels = device.traced_kernels();
  if (options.is_trace_wanted) {
    if (kernels == 0)
      throw ConfigError("no kernel was traced; expected a launch of one of " + list_text(options.kernels));
    device.finish_trace();
  }
  const DeviceCounts& counts = device.counts();
  const auto number = [](std::uint64_t n, const char* one, const char* many) {
    return std::to_string(n) + " " + (n == 1 ? one : many);
  };
  return (options.is_trace_wanted ? folder + ": " + number(kernels, "kernel", "kernels") + " of "
                                  : description.name + ": ") +
         number(counts.launches, "launch", "launches") + ", " + number(counts.ctas, "CTA", "CTAs") + ", " +
         std::to_string(counts.warp_instructions) + " warp instructions" + checked;
}

}  // namespace subcore::tracer
