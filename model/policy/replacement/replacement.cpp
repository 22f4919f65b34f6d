#include "subcore/model/policy/replacement/replacement.h"

#include "subcore/base/bits.h"
#include "subcore/model/policy/replacement/near_aware.h"

namespace subcore {
namespace {

// Replaces the entry that was used longest ago.
class Lru final : public Replacement {
 public:
  unsigned victim(const ReplacementView& view) override { return least_recently_used(view); }
};

class LruChoice final : public ReplacementChoice {
 public:
  std::unique_ptr<Replacement> make(std::uint64_t) const override { return std::make_unique<Lru>(); }
};

}  // namespace

Choices<ReplacementChoice>& ReplacementChoice::choices() {
  static Choices<ReplacementChoice> table =
      Choices<ReplacementChoice>()
          .add<NearAwareChoice>("near_aware",
                                "a far entry at random; if none is far, the least recently used entry")
          .add<LruChoice>("lru", "the least recently used entry");
  return table;
}

unsigned least_recently_used(const ReplacementView& view) {
  unsigned lru = bits::lowest(view.unlocked);
  for (const unsigned i : bits::each(bits::without_lowest(view.unlocked))) {
    if (view.use[i] < view.use[lru]) lru = i;
  }
  return lru;
}

}  // namespace subcore
