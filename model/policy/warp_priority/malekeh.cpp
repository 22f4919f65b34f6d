#include "subcore/model/policy/warp_priority/malekeh.h"

namespace subcore {

unsigned MalekehPriority::select(WarpMask candidates, const WarpView& view) const {
  if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
  const WarpMask owners = candidates & view.owners;
  return oldest_warp(owners != 0 ? owners : candidates, view);
}

}  // namespace subcore
