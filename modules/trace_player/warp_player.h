// WarpPlayer: what one warp slot of a trace player plays. Turns the records of a warp into instructions and
// counts the writes of every register in program order.
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
  std::uint32_t warp_number() const { return warp_->number; }  // in its kernel
  std::size_t next() const { return next_; }                   // record
  std::size_t records() const { return records_; }

  // The next instruction, all of its fields. A warpgroup's product takes the numbers of its results from
  // `accumulated`.
  void fill(Instruction& i, FreeList<AccumulatorWrites>& accumulated);
  // The instruction just filled is followed by another, but not by the one behind it in the code, and that
  // keeps the next one from being fetched.
  bool redirected() const;

 private:
  [[gnu::noinline]] void number_accumulators(Instruction& i, FreeList<AccumulatorWrites>& accumulated);

  // Members that each instruction needs, of the warp's trace too, lie in one line of a cache.
  const TraceRecord* record_ = nullptr;      // the first
  const std::uint8_t* addresses_ = nullptr;  // addresses of the next memory record
  const AsyncRecord* async_ = nullptr;       // the next record; null if the warp's trace has none
  const NearBits* near_ = nullptr;           // near bits of the first record; null unless they are precise
  const WarpTrace* warp_ = nullptr;
  const CodeTable* code_ = nullptr;
  const KernelHeader* kernel_ = nullptr;
  std::uint32_t next_ = 0, records_ = 0;
  std::uint32_t warp_uid_ = 0;
  std::uint32_t live_ = 0;  // lanes that are left of it
  std::uint16_t cta_slot_ = 0;
  std::uint16_t slot_;
  std::uint8_t sub_core_;
  std::bitset<256> written_;  // by the warp that plays now
  // Counts of writes per register. They go on from warp to warp, as the data in the banks does.
  std::array<std::uint32_t, 256> writes_{};
};

}  // namespace subcore
