// Packs a whole trace into a folder of its own: kernelslist.g, and a kernel-N.traceg.packed for each kernel,
// with the kernel's sidecar in it.
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

// Packs a trace. `folder` must not exist. The folder is made when all is written, and not if this function or
// `progress` throws. Throws TraceError for files that cannot be read, and std::runtime_error for files that
// cannot be written.
PackedTrace pack_trace(const TraceProgram& program, const std::filesystem::path& folder,
                       const std::function<void(double)>& progress = {});

}  // namespace subcore
