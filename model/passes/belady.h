// Belady's optimal replacement (Belady, IBM Systems Journal 1966) over the operands of a warp, or of warps
// that share a store. The replacement knows the future, so it finds what a store of that many registers could
// keep. With bypass, a value that is needed later than all values in the store does not enter. Near bits are
// trained by it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <functional>
#include <vector>

#include "subcore/model/trace/trace.h"

namespace subcore {

// A store for registers that are read again, of one warp or of several.
struct WarpStore {
  std::uint32_t entries = 8;  // registers, 1 or more
  // Every source that is read again enters, however late that read is, as if the store were the collector
  // itself. Results need not enter.
  bool takes_all_sources = true;
};

// An operand of a dynamic instruction.
struct OperandTouch {
  std::uint32_t record;   // index among the warp's records
  std::uint32_t operand;  // sources count from 0, destinations from max_sources
};

// Runs a warp in program order. `on_end` is called once for each operand: whether the store kept its value
// until it was read again. Returns the number of sources that were in the store. All sources of an
// instruction are looked up before anything enters. Then the sources enter in order, and then the results. A
// result of some lanes may build on a value that other lanes may need. Such a result completes an existing
// entry and makes no new entry.
std::uint64_t run_belady(const WarpTrace& warp, const CodeTable& code, const WarpStore& store,
                         const std::function<void(OperandTouch, bool kept)>& on_end);

// The same for warps that share a store. Their instructions come in the order of `order`, which has, for each
// instruction that touches operands, the index of its warp in `warps`. `on_end` gets that index, too. Throws
// TraceError if the order has more or fewer instructions of a warp than the warp itself.
std::uint64_t run_belady(const std::vector<const WarpTrace*>& warps, const std::vector<std::uint32_t>& order,
                         const CodeTable& code, const WarpStore& store,
                         const std::function<void(std::uint32_t warp, OperandTouch, bool kept)>& on_end);

}  // namespace subcore
