// What a run will cost, before it runs: for choosing how to spread many runs over machines.
#pragma once

#include <cstdint>

#include "model/trace/trace.h"
#include "scenarios/trace_info.h"

namespace subcore {

struct RunEstimate {
  double seconds = 0;    // on one processor
  double megabytes = 0;  // resident, at most
};

// Warp instructions of the program: reads all of it. Throws TraceError.
std::uint64_t count_instructions(const TraceProgram& program, const ProgressCallback& progress = {});

// Fitted to runs of the shipped platforms on the project's traces (scripts/estimate_check tells how well). A
// run rarely takes more than twice as long or less than half.
RunEstimate estimate_run(std::uint64_t instructions, std::uint32_t sms);

}  // namespace subcore
