// The warp's own collector if it is free, else the free one that was used longest ago: what Malekeh's section
// VI calls the traditional register cache.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/allocation/allocation.h"

namespace subcore {

class OwnOrLru final : public AllocationPolicy {
 public:
  Allocation choose(std::uint32_t warp_uid, unsigned, const CollectorViews& collectors) override {
    if (collectors.free == 0) return {};
    unsigned best = bits::lowest(collectors.free);
    for (const unsigned c : bits::each(collectors.free)) {
      const CollectorViews::View& v = collectors.each[c];
      if (bits::has(collectors.held, c) && v.warp_uid == warp_uid) return {static_cast<int>(c), false};
      if (v.last_use < collectors.each[best].last_use) best = c;
    }
    return {static_cast<int>(best), false};
  }
};

class OwnOrLruChoice final : public AllocationChoice {
 public:
  // A warp with instructions in two caching collectors: the younger one's write can overtake the older one's
  // read, and the cache would keep what went wrong for later readers. SOCGPU's matrix orders them itself.
  void check(Checker& c) const override {
    if (!c.is("sub_core.scheduler.issue", "in_order") || !c.is("sub_core.scheduler.war_guard", "off")) return;
    c.require(c.whole("sub_core.collector.count") == 1, "sub_core.scheduler.war_guard",
              {"sub_core.collector.allocation", "sub_core.collector.count", "sub_core.scheduler.issue"},
              "'off' lets a younger write overtake a read of the warp's other collector "
              "(sub_core.collector.allocation own_or_lru); expected operand_collection or write_back");
  }
  std::unique_ptr<AllocationPolicy> make(std::uint64_t) const override {
    return std::make_unique<OwnOrLru>();
  }
  bool shares() const override { return true; }
};

}  // namespace subcore
