#include "subcore/tracer/launch/trace_description.h"

#include <algorithm>

#include "subcore/base/formatted.h"
#include "subcore/base/names.h"
#include "subcore/base/text.h"
#include "subcore/base/yaml_entry.h"

namespace subcore::tracer {
namespace {

// The value whose word an option has.
template <class E>
E choice(const char* option, const std::string& word) {
  std::vector<std::string> words;
  for (const auto known : names(E{})) {
    if (known == word) return static_cast<E>(words.size());
    words.emplace_back(known);
  }
  throw ConfigError(std::string(option) + " " + word + ":" + did_you_mean(word, words) + " expected one of " +
                    list_text(words));
}

Device::Range range_of(const std::string& text) {
  Device::Range range;
  if (text.empty()) return range;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || !text::parse_unsigned(text.substr(0, colon), range.first) ||
      !text::parse_unsigned(text.substr(colon + 1), range.end) || range.first >= range.end)
    throw ConfigError("--ctas " + text +
                      ": expected FROM:TO, two numbers of CTAs, the first below the second");
  return range;
}

}  // namespace

std::string trace_description(const TraceOptions& options,
                              const std::function<void(double, const std::string&)>& progress) {
  const Description description(options.description);
  Device device;
  device.ctas = range_of(options.ctas);
  device.copy_time = choice<CopyTime>("--copies", options.copies);
  device.progress = progress;
  const auto packing = choice<TracePacking>("--pack", options.packing);
  const auto version = choice<TraceVersion>("--trace-version", options.version);
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
