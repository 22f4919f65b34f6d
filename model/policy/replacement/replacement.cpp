#include "model/policy/replacement/replacement.h"

#include "model/policy/replacement/lru.h"
#include "model/policy/replacement/near_aware.h"

namespace subcore {

Choices<ReplacementChoice>& ReplacementChoice::choices() {
  static Choices<ReplacementChoice> table =
      Choices<ReplacementChoice>()
          .add<NearAwareChoice>("near_aware", "a far entry at random, else the least recently used")
          .add<LruChoice>("lru", "the least recently used entry");
  return table;
}

unsigned least_recently_used(const ReplacementView& view) {
  unsigned lru = static_cast<unsigned>(__builtin_ctzll(view.unlocked));
  for (std::uint64_t left = view.unlocked & (view.unlocked - 1); left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctzll(left));
    if (view.use[i] < view.use[lru]) lru = i;
  }
  return lru;
}

}  // namespace subcore
