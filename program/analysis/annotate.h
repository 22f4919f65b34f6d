// Annotations that compiler passes give every static instruction of a trace: for reading, and for checking a
// scheme against them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "subcore/model/passes/pass_options.h"
#include "subcore/program/analysis/trace_info.h"

namespace subcore {

// `options` as a platform gives them; passes that it leaves out are run, too, so that nothing is missing.
struct AnnotateRequest {
  OperandOptions operands;
  PassOptions options;
  std::optional<std::uint64_t> kernel;  // by its place in the kernel list, from 1; all of them when not given
};

struct AnnotatedTrace {
  std::string text, json;
};

// Throws TraceError for a trace that cannot be read, or that has no such kernel.
AnnotatedTrace annotate(const TraceProgram& program, const AnnotateRequest& request,
                        const ProgressCallback& progress = {});

// Whether the control bits of a trace's kernels keep their promises (model/passes/control_check.h).
struct ControlLint {
  std::string text;  // a line for each violation, and one for all
  std::uint64_t violations = 0;
};

// Checks the control bits of the sidecars, whose whole code is looked at, or synthetic ones, if those are
// asked for and where there is no sidecar. Only those of `kernel`, by its place in the list, if it is given.
// Throws TraceError.
ControlLint lint_control_bits(const TraceProgram& program, const OperandOptions& operands,
                              ControlBitsSource source, std::optional<std::uint64_t> kernel,
                              const ProgressCallback& progress = {});

}  // namespace subcore
