// Packs a kernel's trace: the same in binary, for faster reading (packed_reader.h says how it is laid out).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <functional>

namespace subcore {

// Reads the text of a kernel (or its packed form) and writes `to`, a *.packed file in a folder that is there;
// what is left of it when this throws is no packed trace. Tells `progress` the share done. Throws TraceError
// for what cannot be read, and std::runtime_error for what cannot be written.
void pack_kernel(const std::filesystem::path& from, const std::filesystem::path& to,
                 const std::function<void(double)>& progress);

}  // namespace subcore
