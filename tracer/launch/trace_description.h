// The work of `subcore-trace` and of `subcore trace`: the kernels of a description are executed, and their
// trace is written.
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

// Tells of the options that both programs have, in the order of their help: `one(names, value, help)` of each
// that is given once, `many` likewise of one that may be repeated.
template <class One, class Many>
void describe_options(TraceOptions& o, One one, Many many) {
  one("output,o", o.output, "the new folder; default: traces/NAME, where NAME is the description's name");
  one("code", o.code, "compiled code, in place of the description's");
  many("kernel", o.kernels, "trace only launches of this kernel; may be repeated");
  one("ctas", o.ctas, "execute only CTAs FROM:TO of each launch, without TO");
  one("copies", o.copies,
      "when asynchronous copies take effect: when an instruction waits for them (wait), or at once (issue)");
  one("pack", o.packing, "compression of files: none, gz or xz");
  one("trace-version", o.version, "version of the trace's lines: 5, with immediates, or 3, with reuse flags");
}

// Runs the description. Returns a line that says what was done, or throws ConfigError, ExecutionError or
// std::runtime_error, one line each: also if a check fails. No folder is left then.
std::string trace_description(const TraceOptions& options,
                              const std::function<void(double, const std::string&)>& progress);

}  // namespace subcore::tracer
