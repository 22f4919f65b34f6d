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

// Fitted to shipped platforms with 1 to 80 SMs on traces of 0.1 to 2 million instructions, on a processor of
// 2023. There, runs took from half to twice as long; schemes with more to decide take longer, and so do
// traces that wait for memory.
RunEstimate estimate_run(std::uint64_t instructions, std::uint32_t sms);

}  // namespace subcore
