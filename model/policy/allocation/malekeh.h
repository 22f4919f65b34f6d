// Malekeh's collector allocation with its waiting mechanism (section IV-B2, Fig. 6).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/allocation/allocation.h"
#include "subcore/model/policy/random.h"

namespace subcore {

class MalekehAllocation final : public AllocationPolicy {
 public:
  explicit MalekehAllocation(std::uint64_t seed) : random_(seed) {}
  // The waiting counter grows by one a cycle at most, seen from the next cycle on, however many warps met
  // case 7.
  void begin_cycle() override {
    if (waited_) ++counter_;
    waited_ = false;
  }
  Allocation choose(std::uint32_t warp_uid, unsigned warp_slot, const CollectorViews& collectors) override;
  void set_sthld(std::uint32_t sthld) override { sthld_ = sthld; }
  std::uint32_t waiting_counter() const override { return counter_; }

 private:
  Random random_;
  std::uint32_t sthld_ = 0;
  std::uint32_t counter_ = 0;
  bool waited_ = false;
};

class MalekehAllocationChoice final : public AllocationChoice {
 public:
  std::unique_ptr<AllocationPolicy> make(std::uint64_t seed) const override {
    return std::make_unique<MalekehAllocation>(seed);
  }
  bool waits() const override { return true; }
};

}  // namespace subcore
