// Greedy then oldest: the warp that issued last if it is ready, else the oldest.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {

class GtoPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override;
};

class GtoPriorityChoice final : public WarpPriorityChoice {
 public:
  std::unique_ptr<WarpPriority> make() const override { return std::make_unique<GtoPriority>(); }
};

}  // namespace subcore
