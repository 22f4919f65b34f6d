// Estimates of the cost of a run, before it runs: for choosing how to spread many runs over machines.
#pragma once

#include <cstdint>

#include "subcore/model/trace/trace.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/program/analysis/trace_info.h"

namespace subcore {

struct RunEstimate {
  double seconds = 0;    // on one processor
  double megabytes = 0;  // resident, at most
};

// Warp instructions of the program: reads all of it. Throws TraceError.
std::uint64_t count_instructions(const TraceProgram& program, const ProgressCallback& progress = {});

// The estimate is fitted to shipped platforms with 1 to 80 SMs on traces of 0.1 to 2 million instructions, on
// a processor of 2023. There, runs took from half to twice as long; traces that wait for memory take longer.
// How much more a register system costs than the baseline is user time on traces of 1.5 to 3.9 million
// instructions at ten SMs:
//   /usr/bin/time -f %U subcore run -p rtx2060_third/bow -t TRACE --jobs 1
// with caching collectors 1.2 to 1.3, with bypassing ones 1.6 to 3, with a register cache 1.4 to 1.8 times.
RunEstimate estimate_run(std::uint64_t instructions, const PlatformParameters& platform);

}  // namespace subcore
