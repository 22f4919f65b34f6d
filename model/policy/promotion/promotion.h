// Promotion in two-level scheduling: which pending warp becomes active when a place is free. Pending warps
// are looked at in the order in which they became pending.
#pragma once

#include <cstdint>
#include <memory>

#include "subcore/model/parameters/choice.h"
#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {

// The warps that a promotion may look at: those that will not issue for long, and those whose next
// instruction is known, without which no warp can be promoted.
struct PromotionView {
  WarpMask stalled = 0, known = 0;
};

class Promotion {
 public:
  // The verdict on the pending warp that was looked at.
  enum class Verdict : std::uint8_t {
    promote,  // this warp
    next,     // look at the warp behind it
    none,     // nobody in this cycle
  };
  virtual ~Promotion() = default;
  // `warp`: the bit of a pending warp. Only warps that are known may be promoted.
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
