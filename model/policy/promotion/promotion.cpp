#include "subcore/model/policy/promotion/promotion.h"

#include "subcore/model/policy/promotion/blind_fifo.h"
#include "subcore/model/policy/promotion/eligible_fifo.h"

namespace subcore {

Choices<PromotionChoice>& PromotionChoice::choices() {
  static Choices<PromotionChoice> table =
      Choices<PromotionChoice>()
          .add<EligibleFifoChoice>("eligible_fifo", "of the warps that can go on, the longest pending")
          .add<BlindFifoChoice>("blind_fifo", "the longest pending warp, whether it can go on or not");
  return table;
}

}  // namespace subcore
