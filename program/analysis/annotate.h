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

}  // namespace subcore
