// Promotes the longest pending warp of those that can go on.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/promotion/promotion.h"

namespace subcore {

class EligibleFifo final : public Promotion {
 public:
  Verdict judge(WarpMask warp, const PromotionView& view) const override {
    return (view.known & ~view.stalled & warp) != 0 ? Verdict::promote : Verdict::next;
  }
};

class EligibleFifoChoice final : public PromotionChoice {
 public:
  std::unique_ptr<Promotion> make() const override { return std::make_unique<EligibleFifo>(); }
};

}  // namespace subcore
