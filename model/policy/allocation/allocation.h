// Collector allocation: which collector, if any, takes the instruction of the selected warp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/hardware/inventory.h"
#include "subcore/model/parameters/choice.h"

namespace subcore {

// The scheduler's view of its collectors (port R), mostly as sets of collector numbers.
struct CollectorViews {
  // One collector, by its number.
  struct View {
    std::uint32_t warp_uid = 0;  // valid if it is in `held`
    std::uint64_t last_use = 0;  // a count of issues, for LRU
  };
  explicit CollectorViews(std::size_t count) : all(bits::first(count)), free(all), each(count) {}

  const std::uint64_t all;
  std::uint64_t free;
  std::uint64_t held = 0;  // collectors that belong to a warp
  std::uint64_t near = 0;  // collectors that hold a value with near reuse
  std::vector<View> each;
};

struct Allocation {
  int collector = -1;    // -1: none
  bool waiting = false;  // no collector: the waiting threshold is not reached (Malekeh Fig. 6, case 7)
};

// Decides in the cycle of issue. The scheduler asks for a warp that the warp priority has selected, and whose
// next instruction has no hazard. The scheduler carries out the decision in the same cycle.
class AllocationPolicy {
 public:
  virtual ~AllocationPolicy() = default;
  // Called before the first choose() of a cycle.
  virtual void begin_cycle() {}
  // The collector for the warp's next instruction: one of collectors.free, or none. `warp_uid` is the warp's
  // unique number in the kernel, and `warp_slot` its slot in the sub-core.
  virtual Allocation choose(std::uint32_t warp_uid, unsigned warp_slot, const CollectorViews& collectors) = 0;
  virtual void set_sthld(std::uint32_t) {}
  virtual std::uint32_t waiting_counter() const { return 0; }
  // Adds the policy's own storage beside the scheduler's view.
  virtual void inventory(Inventory&) const {}
};

// sub_core.collector.allocation.
class AllocationChoice : public Choice {
 public:
  // A policy for each sub-core; `seed` is the sub-core's own, for policies that choose at random.
  virtual std::unique_ptr<AllocationPolicy> make(std::uint64_t seed) const = 0;
  // Whether a collector belongs to a warp for some time, so that the warp may find its values there again.
  virtual bool binds_warps() const { return true; }
  // Whether a warp may have several collectors at once.
  virtual bool shares() const { return false; }
  // Whether the policy waits by STHLD (keys sthld.*).
  virtual bool waits() const { return false; }
  static Choices<AllocationChoice>& choices();
};

}  // namespace subcore
