#include "subcore/model/policy/warp_priority/lrr.h"

#include "subcore/base/bits.h"

namespace subcore {

unsigned LrrPriority::select(WarpMask candidates, const WarpView& view) const {
  const auto after = static_cast<unsigned>(view.last_issued + 1);
  const WarpMask above = after >= 64 ? 0 : candidates >> after << after;
  return bits::lowest(above != 0 ? above : candidates);
}

}  // namespace subcore
