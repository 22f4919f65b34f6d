// One collector per warp slot, of the same number.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/allocation/allocation.h"

namespace subcore {

class Private final : public AllocationPolicy {
 public:
  Allocation choose(std::uint32_t, unsigned warp_slot, const CollectorViews& collectors) override {
    return {bits::has(collectors.free, warp_slot) ? static_cast<int>(warp_slot) : -1, false};
  }
};

class PrivateChoice final : public AllocationChoice {
 public:
  void check(Checker& c) const override {
    const std::uint64_t collectors = c.whole("sub_core.collector.count"),
                        warps = c.whole("sub_core.warp_slots");
    c.require(
        collectors >= warps, "sub_core.collector.count",
        {"sub_core.collector.allocation", "sub_core.warp_slots"},
        std::to_string(collectors) + " collectors cannot give each of " + std::to_string(warps) +
            " warps (sub_core.warp_slots) a private one; expected sub_core.collector.count of at least " +
            std::to_string(warps));
  }
  std::unique_ptr<AllocationPolicy> make(std::uint64_t) const override { return std::make_unique<Private>(); }
};

}  // namespace subcore
