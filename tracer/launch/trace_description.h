// The work of `subcore-trace` and of `subcore trace`: executes the kernels of a description and writes their
// trace.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>
#include <string>
#include <vector>

#include "subcore/tracer/launch/description.h"

namespace subcore::tracer {

struct TraceOptions {
  std::string description;           // the file
  std::string output;                // the new folder; empty: traces/NAME
  std::string code;                  // replaces the description's code
  std::vector<std::string> kernels;  // kernels to trace; empty: all
  std::string ctas;                  // "FROM:TO"; empty: all
  std::string copies = "wait", packing = "xz", version = "5";
  bool is_trace_wanted = true;
};

// Declares the options that both programs have, in the order of their help. Calls `one(names, value, help)`
// for an option that is given once, and `many` likewise for an option that may be repeated.
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

// Runs the description. Returns a line about the result. Throws ConfigError, ExecutionError or
// std::runtime_error with one line each, also if a check fails. No folder is left then.
std::string trace_description(const TraceOptions& options,
                              const std::function<void(double, const std::string&)>& progress);

}  // namespace subcore::tracer
