// Malekeh's warp priority (section IV-B1): the warp that issued last if it is ready, else the oldest of those
// that have operands in a collector, else the oldest.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {

class MalekehPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
    const WarpMask owners = candidates & view.owners;
    return oldest_warp(owners != 0 ? owners : candidates, view);
  }
  bool looks_at_owners() const override { return true; }
};

class MalekehPriorityChoice final : public WarpPriorityChoice {
 public:
  std::unique_ptr<WarpPriority> make() const override { return std::make_unique<MalekehPriority>(); }
};

}  // namespace subcore
