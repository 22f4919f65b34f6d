// Compiler-guided greedy, then youngest (Huerta, MICRO 2025): the warp that issued last if it is ready, else
// the youngest. The compiler guides it by stall counts and yields, which decide who is ready.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {

class CggtyPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
    return youngest_warp(candidates, view);
  }
};

class CggtyPriorityChoice final : public WarpPriorityChoice {
 public:
  std::unique_ptr<WarpPriority> make() const override { return std::make_unique<CggtyPriority>(); }
};

}  // namespace subcore
