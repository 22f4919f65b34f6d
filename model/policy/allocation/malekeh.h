// Malekeh's collector allocation with its waiting mechanism (section IV-B2, Fig. 6).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/base/bits.h"
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
  // The numbers are the cases of Fig. 6.
  Allocation choose(std::uint32_t warp_uid, unsigned, const CollectorViews& collectors) override {
    const std::uint64_t free = collectors.free, far = free & ~collectors.near;
    for (const unsigned c : bits::each(collectors.held)) {
      if (collectors.each[c].warp_uid != warp_uid) continue;
      return bits::has(free, c) ? Allocation{static_cast<int>(c), false}  // 3: its own
                                : Allocation{};                           // 4: never two per warp
    }
    if (free == 0) return {};                                           // 6
    if (far != 0) return {static_cast<int>(random_.pick(far)), false};  // 5
    if (counter_ < sthld_) {                                            // 7 and 8
      waited_ = true;
      return {-1, true};
    }
    counter_ = 0;  // 9: give up a near value
    waited_ = false;
    return {static_cast<int>(random_.pick(free)), false};
  }
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
