// Reads a kernel from end to end, as simulations do.
#pragma once

#include <cstdint>
#include <filesystem>

namespace subcore::fuzz {

// Reads all CTAs twice, and seeks one. Returns the count of instructions. Throws TraceError, or a Finding if
// the second reading differs from the first.
std::uint64_t read_kernel(const std::filesystem::path& file);

}  // namespace subcore::fuzz
