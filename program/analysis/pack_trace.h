// A whole trace packed into a folder of its own: kernelslist.g and a kernel-N.traceg.packed for each
// kernel, which has the sidecar in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "subcore/model/trace/trace.h"

namespace subcore {

struct PackedTrace {
  std::uint64_t kernels = 0;
  std::uint64_t bytes_before = 0, bytes = 0;  // bytes of kernels and sidecars
};

// `folder` must not be there: it is made when all is written, and not if this throws, be it what `progress`
// throws. Throws TraceError for what cannot be read, std::runtime_error for what cannot be written.
PackedTrace pack_trace(const TraceProgram& program, const std::filesystem::path& folder,
                       const std::function<void(double)>& progress = {});

}  // namespace subcore
