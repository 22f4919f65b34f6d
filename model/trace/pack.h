// Packs a kernel's trace into a binary form that is faster to read. packed_reader.h describes the layout.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <functional>

namespace subcore {

// Reads the text of a kernel (or its packed form) and writes `to`, a *.packed file in a folder that exists.
// If the function throws, any file that it leaves is no packed trace. Calls `progress` with the share done.
// Throws TraceError if the kernel cannot be read, and std::runtime_error if the file cannot be written.
void pack_kernel(const std::filesystem::path& from, const std::filesystem::path& to,
                 const std::function<void(double)>& progress);

}  // namespace subcore
