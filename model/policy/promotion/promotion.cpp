#include "subcore/model/policy/promotion/promotion.h"

namespace subcore {
namespace {

// Promotes the longest pending warp that can go on.
class EligibleFifo final : public Promotion {
 public:
  Verdict judge(WarpMask warp, const PromotionView& view) const override {
    return (view.known & ~view.stalled & warp) != 0 ? Verdict::promote : Verdict::next;
  }
};

// Promotes the longest pending warp, even one that will not issue for long.
class BlindFifo final : public Promotion {
 public:
  Verdict judge(WarpMask warp, const PromotionView& view) const override {
    return (view.known & warp) != 0 ? Verdict::promote : Verdict::none;
  }
};

// A choice of a promotion without parameters.
template <class Fifo>
class ChoiceOfPromotion final : public PromotionChoice {
 public:
  std::unique_ptr<Promotion> make() const override { return std::make_unique<Fifo>(); }
};

}  // namespace

Choices<PromotionChoice>& PromotionChoice::choices() {
  static Choices<PromotionChoice> table =
      Choices<PromotionChoice>()
          .add<ChoiceOfPromotion<EligibleFifo>>("eligible_fifo",
                                                "the longest pending of the warps that can go on")
          .add<ChoiceOfPromotion<BlindFifo>>("blind_fifo",
                                             "the longest pending warp, whether it can go on or not");
  return table;
}

}  // namespace subcore
