#include "subcore/model/policy/allocation/private.h"

#include "subcore/model/parameters/checker.h"

namespace subcore {

Allocation Private::choose(std::uint32_t, unsigned warp_slot, const CollectorViews& collectors) {
  return {bits::has(collectors.free, warp_slot) ? static_cast<int>(warp_slot) : -1, false};
}

void PrivateChoice::check(Checker& c) const {
  const std::uint64_t collectors = c.whole("sub_core.collector.count"),
                      warps = c.whole("sub_core.warp_slots");
  c.require(collectors >= warps, "sub_core.collector.count",
            {"sub_core.collector.allocation", "sub_core.warp_slots"},
            std::to_string(collectors) + " collectors cannot give each of " + std::to_string(warps) +
                " warps (sub_core.warp_slots) a private one; expected sub_core.collector.count of at least " +
                std::to_string(warps));
}

}  // namespace subcore
