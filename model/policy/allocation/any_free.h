// Any free collector, uniformly at random: the baseline's operand collector units.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/allocation/allocation.h"
#include "subcore/model/policy/random.h"

namespace subcore {

class AnyFree final : public AllocationPolicy {
 public:
  explicit AnyFree(std::uint64_t seed) : random_(seed) {}
  Allocation choose(std::uint32_t, unsigned, const CollectorViews& collectors) override {
    if (collectors.free == 0) return {};
    return {static_cast<int>(random_.pick(collectors.free)), false};
  }

 private:
  Random random_;
};

class AnyFreeChoice final : public AllocationChoice {
 public:
  std::unique_ptr<AllocationPolicy> make(std::uint64_t seed) const override {
    return std::make_unique<AnyFree>(seed);
  }
  bool binds_warps() const override { return false; }
};

}  // namespace subcore
