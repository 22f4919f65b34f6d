// Reads a kernel from end to end, as simulations do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace subcore::fuzz {

// A kernel as a reader has taken it in. Readers of the text and of the packed copy take in the same.
struct KernelContent {
  std::uint64_t instructions = 0;
  std::size_t hash = 0;  // of instructions with their operands, masks and addresses

  bool operator==(const KernelContent& o) const { return instructions == o.instructions && hash == o.hash; }
};

// Reads all CTAs twice, and seeks one. Throws TraceError, or a Finding if the second reading differs from the
// first.
KernelContent read_kernel(const std::filesystem::path& file);

}  // namespace subcore::fuzz
