// What `subcore-trace` does: executes the kernels of a description, and writes their trace.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>
#include <string>
#include <vector>

#include "subcore/tracer/launch/description.h"

namespace subcore::tracer {

struct TraceOptions {
  std::string description;           // the file
  std::string output;                // the new folder; empty: traces/NAME
  std::string code;                  // instead of the description's
  std::vector<std::string> kernels;  // that are traced; empty: all
  std::string ctas;                  // "FROM:TO"; empty: all
  std::string copies = "wait", packing = "xz", version = "5";
  bool is_trace_wanted = true;
};

// Runs the description. Returns a line that says what was done, or throws ConfigError, ExecutionError or
// std::runtime_error, one line each: also if a check fails. No folder is left then.
std::string trace_description(const TraceOptions& options,
                              const std::function<void(double, const std::string&)>& progress);

}  // namespace subcore::tracer
