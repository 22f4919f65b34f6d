// Two-level scheduling: of the warps of a scheduler only a few are active and may issue; the others are
// pending (RFC and software RFC as Malekeh's section VI-A describes them). A warp that is demoted keeps its
// place until its registers have left the cache, one that is promoted may issue once they are there.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "subcore/model/policy/promotion/promotion.h"

namespace subcore {

class ActiveSet {
 public:
  // `size`: active warps at a time. `instant`: entering and leaving take no time, and nobody will report
  // them.
  ActiveSet(unsigned size, std::unique_ptr<Promotion> promotion, bool instant)
      : size_(size), promotion_(std::move(promotion)), instant_(instant) {}

  // Slots of warps that left and entered the active set in a cycle.
  struct Change {
    WarpMask demoted = 0, promoted = 0;
  };
  // One cycle. `present`: warps that have something buffered, under way, or wait at a barrier. `stalled`:
  // those of them that will not issue for long. `known`: those whose next instruction is known, which a
  // promotion needs.
  Change step(WarpMask present, WarpMask stalled, WarpMask known);
  // The warp's registers have gone to the banks, or have come from them.
  void registers_moved(unsigned warp_slot);
  // An active warp waits for other registers (LTRF: it came to another interval).
  void fetch_again(unsigned warp_slot);

  WarpMask active() const { return active_; }  // may issue
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
