// Belady's optimal replacement over the operands of a warp, or of warps that share a store: what a store of
// so many registers could keep, if it knew what comes (Belady, IBM Systems Journal 1966), with bypass: a
// value that is needed later than all that the store keeps does not enter. Near bits are trained by it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <functional>
#include <vector>

#include "subcore/model/trace/trace.h"

namespace subcore {

// A store for registers that are read again, of each warp or of several.
struct WarpStore {
  std::uint32_t entries = 8;  // registers, from 1
  // Every source that is read again enters, however late, as where the store is the collector itself; results
  // need not.
  bool takes_all_sources = true;
};

// An operand of a dynamic instruction.
struct OperandTouch {
  std::uint32_t record;   // among the warp's
  std::uint32_t operand;  // sources from 0, destinations from max_sources
};

// Runs a warp in program order. `on_end` gets each operand once: whether the store kept its value until it
// was read again. Returns how many sources were in the store. All sources of an instruction are looked up
// before anything enters; then its sources enter in their order, and then its results. A result of some
// lanes, upon a value that the other lanes may need, completes an entry that is there and makes none.
std::uint64_t run_belady(const WarpTrace& warp, const CodeTable& code, const WarpStore& store,
                         const std::function<void(OperandTouch, bool kept)>& on_end);

// The same of warps that share a store, whose instructions come in the order of `order`: for each instruction
// that touches operands, the number of its warp among `warps`. `on_end` gets that number, too. Throws
// TraceError if the order has more or fewer instructions of a warp than the warp.
std::uint64_t run_belady(const std::vector<const WarpTrace*>& warps, const std::vector<std::uint32_t>& order,
                         const CodeTable& code, const WarpStore& store,
                         const std::function<void(std::uint32_t warp, OperandTouch, bool kept)>& on_end);

}  // namespace subcore
