#include "subcore/model/policy/warp_priority/gto.h"

namespace subcore {

unsigned GtoPriority::select(WarpMask candidates, const WarpView& view) const {
  if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
  return oldest_warp(candidates, view);
}

}  // namespace subcore
