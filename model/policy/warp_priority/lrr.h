// Loose round robin: the first ready warp behind the slot that issued last.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/base/bits.h"
#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {

class LrrPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    const auto after = static_cast<unsigned>(view.last_issued + 1);
    const WarpMask above = after >= 64 ? 0 : candidates >> after << after;
    return bits::lowest(above != 0 ? above : candidates);
  }
};

class LrrPriorityChoice final : public WarpPriorityChoice {
 public:
  std::unique_ptr<WarpPriority> make() const override { return std::make_unique<LrrPriority>(); }
};

}  // namespace subcore
