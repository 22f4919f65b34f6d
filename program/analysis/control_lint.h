// Whether the control bits of a trace's kernels keep their promises (model/passes/control_check.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "subcore/model/passes/pass_options.h"
#include "subcore/program/analysis/trace_info.h"

namespace subcore {

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
