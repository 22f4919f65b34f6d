#include "subcore/model/policy/promotion/active_set.h"

#include <algorithm>

#include "subcore/base/bits.h"

namespace subcore {

ActiveSet::Change ActiveSet::step(WarpMask present, WarpMask stalled, WarpMask known) {
  Change change;
  // An active warp leaves when it is stalled, or when it has nothing left.
  change.demoted = active_ & (stalled | ~present);
  active_ &= ~change.demoted;
  (instant_ ? pending_ : leaving_) |= change.demoted;
  const WarpMask queued = pending_;
  pending_ = (pending_ | present) & ~(active_ | entering_ | leaving_) & present;
  queue_.erase(
      std::remove_if(queue_.begin(), queue_.end(),
                     [&](std::uint8_t s) { return !bits::has(pending_, s) || bits::has(change.demoted, s); }),
      queue_.end());
  for (const unsigned slot : bits::each(pending_ & (~queued | change.demoted))) {
    if (std::find(queue_.begin(), queue_.end(), slot) == queue_.end())
      queue_.push_back(static_cast<std::uint8_t>(slot));
  }
  for (unsigned n = 0; n < queue_.size() && bits::count(active_ | entering_ | leaving_) < size_;) {
    const Promotion::Verdict verdict = promotion_->judge(bits::one(queue_[n]), {stalled, known});
    if (verdict == Promotion::Verdict::none) break;
    if (verdict == Promotion::Verdict::next) {
      ++n;
      continue;
    }
    const WarpMask warp = bits::one(queue_[n]);
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(n));
    pending_ &= ~warp;
    (instant_ ? active_ : entering_) |= warp;
    change.promoted |= warp;
  }
  return change;
}

void ActiveSet::registers_moved(unsigned warp_slot) {
  if (bits::has(entering_, warp_slot)) bits::add(active_, warp_slot);
  bits::remove(entering_, warp_slot);
  bits::remove(leaving_, warp_slot);
}

void ActiveSet::fetch_again(unsigned warp_slot) {
  bits::remove(active_, warp_slot);
  bits::add(entering_, warp_slot);
}

}  // namespace subcore
