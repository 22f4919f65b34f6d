#include "subcore/model/policy/allocation/malekeh.h"

#include "subcore/base/bits.h"

namespace subcore {

// The numbers are the cases of Fig. 6.
Allocation MalekehAllocation::choose(std::uint32_t warp_uid, unsigned, const CollectorViews& collectors) {
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

}  // namespace subcore
