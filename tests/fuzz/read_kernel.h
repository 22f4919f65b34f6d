// Reads a kernel from end to end, as simulations do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace subcore::fuzz {

// What a reader has made of a kernel. Two readers of the same kernel, as text and packed, make the same of
// it.
struct KernelContent {
  std::uint64_t instructions = 0;
  std::size_t hash = 0;  // of instructions with their operands, masks and addresses

  bool operator==(const KernelContent& o) const { return instructions == o.instructions && hash == o.hash; }
};

// Reads all CTAs twice, and seeks one. Throws TraceError, or a Finding if the second reading differs from the
// first.
KernelContent read_kernel(const std::filesystem::path& file);

}  // namespace subcore::fuzz
