// Greedy then oldest: the warp that issued last if it is ready, else the oldest.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {

class GtoPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
    return oldest_warp(candidates, view);
  }
};

class GtoPriorityChoice final : public WarpPriorityChoice {
 public:
  std::unique_ptr<WarpPriority> make() const override { return std::make_unique<GtoPriority>(); }
};

}  // namespace subcore
