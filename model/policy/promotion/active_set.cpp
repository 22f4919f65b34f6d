#include "model/policy/promotion/active_set.h"

#include <algorithm>

namespace subcore {
namespace {

constexpr WarpMask bit(unsigned slot) {
  return WarpMask{1} << slot;
}

unsigned count(WarpMask mask) {
  return static_cast<unsigned>(__builtin_popcountll(mask));
}

}  // namespace

ActiveSet::Change ActiveSet::step(WarpMask present, WarpMask stalled, WarpMask known) {
  Change change;
  // An active warp leaves when it is stalled, or when nothing is left of it.
  change.demoted = active_ & (stalled | ~present);
  active_ &= ~change.demoted;
  (instant_ ? pending_ : leaving_) |= change.demoted;
  const WarpMask queued = pending_;
  pending_ = (pending_ | present) & ~(active_ | entering_ | leaving_) & present;
  queue_.erase(std::remove_if(queue_.begin(), queue_.end(),
                              [&](std::uint8_t s) {
                                return (pending_ & bit(s)) == 0 || (change.demoted & bit(s)) != 0;
                              }),
               queue_.end());
  for (WarpMask added = pending_ & (~queued | change.demoted); added != 0; added &= added - 1) {
    const auto slot = static_cast<std::uint8_t>(__builtin_ctzll(added));
    if (std::find(queue_.begin(), queue_.end(), slot) == queue_.end()) queue_.push_back(slot);
  }
  for (unsigned n = 0; n < queue_.size() && count(active_ | entering_ | leaving_) < size_;) {
    const Promotion::Verdict verdict = promotion_->judge(bit(queue_[n]), {stalled, known});
    if (verdict == Promotion::Verdict::none) break;
    if (verdict == Promotion::Verdict::next) {
      ++n;
      continue;
    }
    const WarpMask warp = bit(queue_[n]);
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(n));
    pending_ &= ~warp;
    (instant_ ? active_ : entering_) |= warp;
    change.promoted |= warp;
  }
  return change;
}

void ActiveSet::settled(unsigned warp_slot) {
  if (entering_ & bit(warp_slot)) active_ |= bit(warp_slot);
  entering_ &= ~bit(warp_slot);
  leaving_ &= ~bit(warp_slot);
}

void ActiveSet::fetch_again(unsigned warp_slot) {
  active_ &= ~bit(warp_slot);
  entering_ |= bit(warp_slot);
}

}  // namespace subcore
