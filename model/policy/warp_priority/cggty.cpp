#include "subcore/model/policy/warp_priority/cggty.h"

namespace subcore {

unsigned CggtyPriority::select(WarpMask candidates, const WarpView& view) const {
  if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
  return youngest_warp(candidates, view);
}

}  // namespace subcore
