#include "model/policy/allocation/malekeh.h"

#include "model/bits.h"

namespace subcore {

// The numbers are the cases of Fig. 6.
Allocation MalekehAllocation::choose(std::uint32_t warp_uid, unsigned,
                                     const std::vector<CollectorView>& collectors) {
  std::uint64_t free = 0, far = 0;
  for (std::size_t c = 0; c < collectors.size(); ++c) {
    const CollectorView& v = collectors[c];
    if (v.holds && v.warp_uid == warp_uid) {
      return v.free ? Allocation{static_cast<int>(c), false}  // 3: its own
                    : Allocation{};                           // 4: never two per warp
    }
    if (v.free) {
      bits::add(free, c);
      if (!v.has_near) bits::add(far, c);
    }
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
