#include "model/policy/allocation/own_or_lru.h"

#include "model/parameters/checker.h"

namespace subcore {

Allocation OwnOrLru::choose(std::uint32_t warp_uid, unsigned, const std::vector<CollectorView>& collectors) {
  int best = -1;
  for (std::size_t c = 0; c < collectors.size(); ++c) {
    const CollectorView& v = collectors[c];
    if (!v.free) continue;
    const bool own = v.holds && v.warp_uid == warp_uid;
    if (own) return {static_cast<int>(c), false};
    if (best < 0 || v.last_use < collectors[static_cast<std::size_t>(best)].last_use)
      best = static_cast<int>(c);
  }
  return {best, false};
}

// A warp with instructions in two caching collectors: the younger one's write can overtake the older one's
// read, and the cache would keep what went wrong for later readers. SOCGPU's matrix orders them itself.
void OwnOrLruChoice::check(Checker& c) const {
  if (!c.is("sub_core.scheduler.issue", "in_order") || !c.is("sub_core.scheduler.war_guard", "off")) return;
  c.require(c.whole("sub_core.collector.count") == 1, "sub_core.scheduler.war_guard",
            {"sub_core.collector.allocation", "sub_core.collector.count", "sub_core.scheduler.issue"},
            "'off' lets a younger write overtake a read of the warp's other collector "
            "(sub_core.collector.allocation own_or_lru); expected operand_collection or write_back");
}

}  // namespace subcore
