// The warp's own collector if it is free, else the free one that was used longest ago: what Malekeh's section
// VI calls the traditional register cache.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/allocation/allocation.h"

namespace subcore {

class OwnOrLru final : public AllocationPolicy {
 public:
  Allocation choose(std::uint32_t warp_uid, unsigned warp_slot, const CollectorViews& collectors) override;
};

class OwnOrLruChoice final : public AllocationChoice {
 public:
  void check(Checker& c) const override;
  std::unique_ptr<AllocationPolicy> make(std::uint64_t) const override {
    return std::make_unique<OwnOrLru>();
  }
  bool shares() const override { return true; }
};

}  // namespace subcore
