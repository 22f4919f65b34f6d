// The CTAs of one kernel's trace, told without reading them: how many there are, and how long each is. With
// KernelReader::seek(), a reader that wants some of them leaves out the others.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <vector>

namespace subcore {

// The CTAs of one kernel, in the order of its trace: CTA n of the index is the one that KernelReader reads
// behind seek(n).
struct CtaIndex {
  std::vector<std::uint32_t> instructions;  // warp instructions of each CTA
  std::uint64_t total = 0;                  // warp instructions of all
};

// The size of one kernel.
struct KernelSize {
  std::uint64_t ctas = 0;          // that the trace has
  std::uint64_t instructions = 0;  // warp instructions of all
};

// The index of a kernel's trace. A packed trace has it; any other one is read through for it, which takes as
// long as reading it for a simulation. Throws TraceError.
CtaIndex cta_index(const std::filesystem::path& kernel);
// The size alone: a packed trace has it in its last bytes, of any other one the index is made. Throws
// TraceError.
KernelSize kernel_size(const std::filesystem::path& kernel);

}  // namespace subcore
