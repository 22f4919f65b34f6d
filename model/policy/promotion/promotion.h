// Promotion in two-level scheduling: which pending warp becomes active when a place is free. Pending warps
// are judged in the order in which they became pending.
#pragma once

#include <cstdint>
#include <memory>

#include "subcore/model/parameters/choice.h"
#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {

// The facts for a promotion: the warps that will not issue for long, and the warps whose next instruction is
// known. Only the latter can be promoted.
struct PromotionView {
  WarpMask stalled = 0, known = 0;
};

class Promotion {
 public:
  // The verdict on a pending warp.
  enum class Verdict : std::uint8_t {
    promote,  // this warp
    next,     // look at the next pending warp
    none,     // no warp in this cycle
  };
  virtual ~Promotion() = default;
  // `warp` is the bit of a pending warp. Only a warp in view.known may be promoted.
  virtual Verdict judge(WarpMask warp, const PromotionView& view) const = 0;
};

// sub_core.scheduler.two_level.promotion.
class PromotionChoice : public Choice {
 public:
  // A promotion for each sub-core.
  virtual std::unique_ptr<Promotion> make() const = 0;
  static Choices<PromotionChoice>& choices();
};

}  // namespace subcore
