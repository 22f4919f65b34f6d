// The CTAs of one kernel's trace without reading them: their number, and the length of each. With
// KernelReader::seek(), a reader that needs some CTAs can leave out the others.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <vector>

namespace subcore {

// The CTAs of one kernel, in the order of its trace. CTA n of the index is the CTA that KernelReader reads
// behind seek(n).
struct CtaIndex {
  std::vector<std::uint32_t> instructions;  // warp instructions of each CTA
  std::uint64_t total = 0;                  // warp instructions of all
};

// The size of one kernel.
struct KernelSize {
  std::uint64_t ctas = 0;          // number in the trace
  std::uint64_t instructions = 0;  // warp instructions of all
};

// The index of a kernel's trace. A packed trace has an index. Any other trace is read through for it, which
// takes as long as reading it for a simulation. Throws TraceError.
CtaIndex cta_index(const std::filesystem::path& kernel);
// The size alone. A packed trace has it in its last bytes. For any other trace the index is made. Throws
// TraceError.
KernelSize kernel_size(const std::filesystem::path& kernel);

}  // namespace subcore
