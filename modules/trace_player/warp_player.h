// WarpPlayer: plays the warp of one warp slot of a trace player. The player turns the warp's records into
// instructions and counts the writes of every register in program order.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <bitset>

#include "subcore/base/free_list.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/fetch_redirect.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class WarpPlayer {
 public:
  WarpPlayer(unsigned sub_core, unsigned warp_slot)
      : slot_(static_cast<std::uint16_t>(warp_slot)), sub_core_(static_cast<std::uint8_t>(sub_core)) {}

  void launch(const LaunchTransfer& t);
  bool is_over() const { return next_ == records_; }           // nothing is left to fetch
  std::uint32_t warp_number() const { return warp_->number; }  // number in its kernel
  std::size_t next() const { return next_; }                   // number of the next record
  std::size_t records() const { return records_; }

  // Fills all fields of the next instruction. A warpgroup's product takes the numbers of its results from
  // `accumulated`.
  void fill(Instruction& i, FreeList<AccumulatorWrites>& accumulated);
  // Whether the next instruction may not be fetched yet, because the one just filled is followed by one that
  // is not behind it in the code.
  bool redirected() const;

 private:
  [[gnu::noinline]] void number_accumulators(Instruction& i, FreeList<AccumulatorWrites>& accumulated);

  // Members that each instruction needs lie in one line of a cache, and so do those of the warp's trace.
  const TraceRecord* record_ = nullptr;      // the first record
  const std::uint8_t* addresses_ = nullptr;  // addresses of the next memory record
  const AsyncRecord* async_ = nullptr;       // the next record; null if the warp's trace has none
  const NearBits* near_ = nullptr;           // near bits of the first record; null unless they are precise
  const WarpTrace* warp_ = nullptr;
  const CodeTable* code_ = nullptr;
  const KernelHeader* kernel_ = nullptr;
  std::uint32_t next_ = 0, records_ = 0;
  std::uint32_t warp_uid_ = 0;
  std::uint32_t live_ = 0;  // lanes of the warp that have not ended
  std::uint16_t cta_slot_ = 0;
  std::uint16_t slot_;
  std::uint8_t sub_core_;
  std::bitset<256> written_;  // registers that the present warp has written
  // Counts of writes per register. The counts go on from warp to warp, as the data in the banks do.
  std::array<std::uint32_t, 256> writes_{};
};

}  // namespace subcore
