// The timing of a warpgroup's matrix products (wgmma) in a sub-core and in shared memory, as far as others'
// probes tell (cicuvc/nvidia-sass-document, on an H800). Unpublished figures are parameters.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>

#include "subcore/model/isa/instruction.h"

namespace subcore {

class WarpgroupTiming {
 public:
  std::uint32_t in_flight = 7;             // measured; FlashGPU-Sim admits 6, and 5 with A in registers
  std::uint32_t columns_per_cycle = 2;     // 2,048 FMAs per cycle and SM, with 64 rows and a depth of 16
  std::uint32_t accumulator_latency = 12;  // measured: from reading to writing a register
  std::uint32_t a_wavefronts = 16;         // 64 rows of 32 bytes
  std::uint32_t b_wavefronts = 2;          // 8 columns of 32 bytes; measured: 16 + 2 N / 8 with A in memory
  std::uint32_t operands_ahead = 2;        // assumed: two keep a stream of products at its bound

  // The cycles in which shared memory is read for a product, one for each line of 128 bytes.
  std::uint32_t wavefronts(const StaticInstruction& code) const {
    return before_first_column(code) + b_wavefronts * (std::max(column_blocks(code), 1u) - 1);
  }
  // The cycles of those before the tensor cores begin: for A, and for the first columns of B.
  std::uint32_t before_first_column(const StaticInstruction& code) const {
    return (code.a_in_registers ? 0 : a_wavefronts) + b_wavefronts;
  }
  // The cycles of a product in a sub-core's tensor core.
  std::uint32_t cycles(const StaticInstruction& code) const {
    return std::max(1u, (code.columns + columns_per_cycle - 1) / columns_per_cycle);
  }
  // The cycle, counted from the product's first, in which the n-th accumulator is read.
  std::uint32_t read_at(const StaticInstruction& code, unsigned n) const {
    return n * cycles(code) / code.accumulators.count;
  }

 private:
  static std::uint32_t column_blocks(const StaticInstruction& code) { return (code.columns + 7u) / 8; }
};

}  // namespace subcore
