// Warp priority: the order in which the issue scheduler offers an issue slot to its ready warps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/parameters/choice.h"

namespace subcore {

using WarpMask = std::uint64_t;  // a bit per warp slot of a sub-core (at most 64)

// The facts for a priority. `uid` is the dynamic warp id: lower = assigned earlier = older.
struct WarpView {
  const std::vector<std::uint32_t>& uid;  // per slot
  int last_issued = -1;                   // slot, or -1
  WarpMask owners = 0;  // warps with operands in a collector; set only for priorities that ask for it
};

class WarpPriority {
 public:
  virtual ~WarpPriority() = default;
  // The first choice among `candidates` (not empty). If that warp gets no collector, the scheduler removes it
  // and asks again.
  virtual unsigned select(WarpMask candidates, const WarpView& view) const = 0;
  virtual bool looks_at_owners() const { return false; }
};

// sub_core.scheduler.priority.
class WarpPriorityChoice : public Choice {
 public:
  // A priority for each sub-core.
  virtual std::unique_ptr<WarpPriority> make() const = 0;
  static Choices<WarpPriorityChoice>& choices();
};

// The warp of `candidates` (not empty) that was assigned first.
unsigned oldest_warp(WarpMask candidates, const WarpView& view);
// The warp of `candidates` (not empty) that was assigned last.
unsigned youngest_warp(WarpMask candidates, const WarpView& view);
// Whether the warp that issued last is among `candidates`.
inline bool last_issued_is_among(WarpMask candidates, const WarpView& view) {
  return view.last_issued >= 0 && bits::has(candidates, static_cast<unsigned>(view.last_issued));
}

}  // namespace subcore
