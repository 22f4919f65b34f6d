#include "subcore/model/policy/warp_priority/warp_priority.h"

#include "subcore/model/policy/warp_priority/cggty.h"
#include "subcore/model/policy/warp_priority/gto.h"
#include "subcore/model/policy/warp_priority/lrr.h"
#include "subcore/model/policy/warp_priority/malekeh.h"

namespace subcore {

Choices<WarpPriorityChoice>& WarpPriorityChoice::choices() {
  static Choices<WarpPriorityChoice> table =
      Choices<WarpPriorityChoice>()
          .add<GtoPriorityChoice>("gto", "greedy then oldest: the warp that issued last, else the oldest")
          .add<LrrPriorityChoice>("lrr", "loose round robin: the next slot after the one that issued last")
          .add<MalekehPriorityChoice>("malekeh",
                                      "as gto, but warps with operands in a collector before the others")
          .add<CggtyPriorityChoice>("cggty",
                                    "greedy then youngest: the warp that issued last, else the youngest");
  return table;
}

unsigned oldest_warp(WarpMask candidates, const WarpView& view) {
  unsigned best = bits::lowest(candidates);
  for (const unsigned slot : bits::each(bits::without_lowest(candidates))) {
    if (view.uid[slot] < view.uid[best]) best = slot;
  }
  return best;
}

unsigned youngest_warp(WarpMask candidates, const WarpView& view) {
  unsigned best = bits::lowest(candidates);
  for (const unsigned slot : bits::each(bits::without_lowest(candidates))) {
    if (view.uid[slot] > view.uid[best]) best = slot;
  }
  return best;
}

}  // namespace subcore
