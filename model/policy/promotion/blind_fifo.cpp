#include "subcore/model/policy/promotion/blind_fifo.h"

namespace subcore {

Promotion::Verdict BlindFifo::judge(WarpMask warp, const PromotionView& view) const {
  return (view.known & warp) != 0 ? Verdict::promote : Verdict::none;
}

}  // namespace subcore
