#include "model/policy/cache_table.h"

#include <stdexcept>

namespace subcore {

CacheTable::CacheTable(unsigned entries, ReplacementKind replacement, std::uint64_t seed)
    : entries_(entries),
      all_(entries == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << entries) - 1),
      replacement_(replacement),
      random_(seed) {}

unsigned CacheTable::victim() {
  if (const std::uint64_t empty = all_ & ~valid_; empty != 0)
    return static_cast<unsigned>(__builtin_ctzll(empty));
  const std::uint64_t unlocked = valid_ & ~locked_;
  if (unlocked == 0) throw std::logic_error("cache table: every entry is locked");
  const std::uint64_t far = unlocked & ~near_;
  if (replacement_ == ReplacementKind::near_aware && far != 0) return random_.pick(far);
  unsigned lru = static_cast<unsigned>(__builtin_ctzll(unlocked));
  for (std::uint64_t left = unlocked & (unlocked - 1); left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctzll(left));
    if (entries_[i].use < entries_[lru].use) lru = i;
  }
  return lru;
}

unsigned CacheTable::allocate(Register tag) {
  const unsigned i = victim();
  entries_[i] = {0, 0, ~0u, tag};
  valid_ |= bit(i);
  near_ &= ~bit(i);
  return i;
}

}  // namespace subcore
