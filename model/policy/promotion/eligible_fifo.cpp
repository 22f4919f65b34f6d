#include "subcore/model/policy/promotion/eligible_fifo.h"

namespace subcore {

Promotion::Verdict EligibleFifo::judge(WarpMask warp, const PromotionView& view) const {
  return (view.known & ~view.stalled & warp) != 0 ? Verdict::promote : Verdict::next;
}

}  // namespace subcore
