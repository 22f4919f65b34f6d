#include "model/policy/active_set.h"

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
  for (std::size_t n = 0; n < queue_.size() && count(active_ | entering_ | leaving_) < size_;) {
    const WarpMask warp = bit(queue_[n]);
    const bool eligible = (known & warp) != 0 && (stalled & warp) == 0;
    if (!eligible && promotion_ == Promotion::eligible_fifo) {
      ++n;
      continue;
    }
    if ((known & warp) == 0) break;  // blind, but not before the warp has an instruction
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
