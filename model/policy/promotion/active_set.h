// Two-level scheduling. Only a few warps of a scheduler are active and may issue, and the others are pending
// (RFC and software RFC as Malekeh's section VI-A describes them). A warp that is demoted keeps its place
// until its registers have left the cache. A warp that is promoted may issue once its registers are there.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "subcore/model/policy/promotion/promotion.h"

namespace subcore {

class ActiveSet {
 public:
  // `size` is the number of active warps. `instant`: entering and leaving take no time, and registers_moved()
  // is not called for them.
  ActiveSet(unsigned size, std::unique_ptr<Promotion> promotion, bool instant)
      : size_(size), promotion_(std::move(promotion)), instant_(instant) {}

  // The slots of warps that left and entered the active set in a cycle.
  struct Change {
    WarpMask demoted = 0, promoted = 0;
  };
  // Makes the changes of one cycle. `present`: warps that have instructions buffered or under way, or wait at
  // a barrier. `stalled`: present warps that will not issue for long. `known`: warps whose next instruction
  // is known, without which there is no promotion.
  Change step(WarpMask present, WarpMask stalled, WarpMask known);
  // The warp's registers have gone to the banks, or have come from them.
  void registers_moved(unsigned warp_slot);
  // An active warp waits for other registers (LTRF: the warp came to another interval).
  void fetch_again(unsigned warp_slot);

  WarpMask active() const { return active_; }  // warps that may issue
  WarpMask pending() const { return pending_; }
  bool idle() const { return (active_ | pending_ | entering_ | leaving_) == 0; }

 private:
  unsigned size_;
  std::unique_ptr<Promotion> promotion_;
  bool instant_;
  WarpMask active_ = 0, entering_ = 0, leaving_ = 0, pending_ = 0;
  std::vector<std::uint8_t> queue_;  // the pending warps, longest pending first
};

}  // namespace subcore
