// Promotes the longest pending warp, even one that will not issue for long.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/promotion/promotion.h"

namespace subcore {

class BlindFifo final : public Promotion {
 public:
  Verdict judge(WarpMask warp, const PromotionView& view) const override {
    return (view.known & warp) != 0 ? Verdict::promote : Verdict::none;
  }
};

class BlindFifoChoice final : public PromotionChoice {
 public:
  std::unique_ptr<Promotion> make() const override { return std::make_unique<BlindFifo>(); }
};

}  // namespace subcore
