// One collector per warp slot, of the same number.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/allocation/allocation.h"

namespace subcore {

class Private final : public AllocationPolicy {
 public:
  Allocation choose(std::uint32_t warp_uid, unsigned warp_slot, const CollectorViews& collectors) override;
};

class PrivateChoice final : public AllocationChoice {
 public:
  void check(Checker& c) const override;
  std::unique_ptr<AllocationPolicy> make(std::uint64_t) const override { return std::make_unique<Private>(); }
};

}  // namespace subcore
