#include "model/policy/warp_priority.h"

namespace subcore {
namespace {

constexpr WarpMask bit(unsigned slot) {
  return WarpMask{1} << slot;
}

unsigned oldest(WarpMask candidates, const WarpView& view) {
  unsigned best = static_cast<unsigned>(__builtin_ctzll(candidates));
  for (WarpMask left = candidates & (candidates - 1); left != 0; left &= left - 1) {
    const unsigned slot = static_cast<unsigned>(__builtin_ctzll(left));
    if (view.uid[slot] < view.uid[best]) best = slot;
  }
  return best;
}

bool last_is_among(WarpMask candidates, const WarpView& view) {
  return view.last_issued >= 0 && (candidates & bit(static_cast<unsigned>(view.last_issued))) != 0;
}

class Gto final : public WarpPriority {
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    if (last_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
    return oldest(candidates, view);
  }
};

class Malekeh final : public WarpPriority {
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    if (last_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
    const WarpMask owners = candidates & view.owners;
    return oldest(owners != 0 ? owners : candidates, view);
  }
};

class LooseRoundRobin final : public WarpPriority {
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    const unsigned after = static_cast<unsigned>(view.last_issued + 1);
    const WarpMask above = after >= 64 ? 0 : candidates & ~(bit(after) - 1);
    return static_cast<unsigned>(__builtin_ctzll(above != 0 ? above : candidates));
  }
};

}  // namespace

std::unique_ptr<WarpPriority> make_warp_priority(WarpPriorityKind kind) {
  switch (kind) {
    case WarpPriorityKind::lrr:
      return std::make_unique<LooseRoundRobin>();
    case WarpPriorityKind::malekeh:
      return std::make_unique<Malekeh>();
    case WarpPriorityKind::gto:
      break;
  }
  return std::make_unique<Gto>();
}

}  // namespace subcore
