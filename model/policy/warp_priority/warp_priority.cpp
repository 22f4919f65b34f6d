#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {
namespace {

// Greedy, then oldest: the warp that issued last if it is ready, else the oldest.
class GtoPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
    return oldest_warp(candidates, view);
  }
};

// Loose round robin: the first ready warp behind the slot that issued last.
class LrrPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    const auto after = static_cast<unsigned>(view.last_issued + 1);
    const WarpMask above = after >= 64 ? 0 : candidates >> after << after;
    return bits::lowest(above != 0 ? above : candidates);
  }
};

// Malekeh's warp priority (section IV-B1). First is the warp that issued last, if it is ready. Next is the
// oldest warp with operands in a collector, and last the oldest warp.
class MalekehPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
    const WarpMask owners = candidates & view.owners;
    return oldest_warp(owners != 0 ? owners : candidates, view);
  }
  bool looks_at_owners() const override { return true; }
};

// Compiler-guided greedy, then youngest (Huerta, MICRO 2025): the warp that issued last if it is ready, else
// the youngest. The compiler guides it by stall counts and yields, which decide whether a warp is ready.
class CggtyPriority final : public WarpPriority {
 public:
  unsigned select(WarpMask candidates, const WarpView& view) const override {
    if (last_issued_is_among(candidates, view)) return static_cast<unsigned>(view.last_issued);
    return youngest_warp(candidates, view);
  }
};

// A choice of a priority without parameters.
template <class Priority>
class ChoiceOfPriority final : public WarpPriorityChoice {
 public:
  std::unique_ptr<WarpPriority> make() const override { return std::make_unique<Priority>(); }
};

}  // namespace

Choices<WarpPriorityChoice>& WarpPriorityChoice::choices() {
  static Choices<WarpPriorityChoice> table =
      Choices<WarpPriorityChoice>()
          .add<ChoiceOfPriority<GtoPriority>>(
              "gto", "greedy then oldest: the warp that issued last, else the oldest")
          .add<ChoiceOfPriority<LrrPriority>>(
              "lrr", "loose round robin: the next slot after the one that issued last")
          .add<ChoiceOfPriority<MalekehPriority>>(
              "malekeh", "as gto, but warps with operands in a collector go before the others")
          .add<ChoiceOfPriority<CggtyPriority>>(
              "cggty", "greedy then youngest: the warp that issued last, else the youngest");
  return table;
}

unsigned oldest_warp(WarpMask candidates, const WarpView& view) {
  unsigned best = bits::lowest(candidates);
  for (const unsigned slot : bits::each(bits::without_lowest(candidates))) {
    if (view.uid[slot] < view.uid[best]) best = slot;
  }
  return best;
}

unsigned youngest_warp(WarpMask candidates, const WarpView& view) {
  unsigned best = bits::lowest(candidates);
  for (const unsigned slot : bits::each(bits::without_lowest(candidates))) {
    if (view.uid[slot] > view.uid[best]) best = slot;
  }
  return best;
}

}  // namespace subcore
