// The `-key = value` lines at the head of a trace file.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// Reads up to and including the line that starts with `#traces format`.
KernelHeader read_kernel_header(LineSource& source);

// "4,6,1" as block coordinates.
bool parse_triple(std::string_view s, Dim3& out);

}  // namespace subcore
