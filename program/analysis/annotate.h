// The annotations that compiler passes give every static instruction of a trace, for reading and for checking
// a scheme.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "subcore/model/passes/pass_options.h"
#include "subcore/program/analysis/trace_info.h"

namespace subcore {

// The request for annotations. `options` are those of a platform; passes that they leave out are run, too, so
// that nothing is missing.
struct AnnotateRequest {
  OperandOptions operands;
  PassOptions options;
  std::optional<std::uint64_t> kernel;  // place in the kernel list, from 1; nothing: all kernels
};

struct AnnotatedTrace {
  std::string text, json;
};

// Annotates a trace. Throws TraceError for a trace that cannot be read, or that has no such kernel.
AnnotatedTrace annotate(const TraceProgram& program, const AnnotateRequest& request,
                        const ProgressCallback& progress = {});

// Whether the control bits of a trace's kernels keep their promises (model/passes/control_check.h).
struct ControlLint {
  std::string text;  // a line for each violation, and a line for all
  std::uint64_t violations = 0;
};

// Checks the control bits of sidecars, whose whole code is looked at. If synthetic control bits are asked
// for, checks those of kernels without a sidecar. `kernel`: only the kernel in this place of the list. Throws
// TraceError.
ControlLint lint_control_bits(const TraceProgram& program, const OperandOptions& operands,
                              ControlBitsSource source, std::optional<std::uint64_t> kernel,
                              const ProgressCallback& progress = {});

}  // namespace subcore
