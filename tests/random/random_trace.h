// Random traces: valid divergent kernels in Accel-Sim's text, as a tracer would have written them. A seed
// gives the same bytes on every machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/random/draws.h"

namespace subcore::random {

struct TraceFile {
  std::string name, text;
};

// kernelslist.g, kernels, and sidecars of some: 50 to some 2,000 warp instructions in all.
std::vector<TraceFile> random_trace(std::uint64_t seed);
std::vector<TraceFile> random_trace(Draws& draws);

// Writes the files into `folder`, which is made if necessary.
void write_trace(const std::vector<TraceFile>& files, const std::filesystem::path& folder);

}  // namespace subcore::random
