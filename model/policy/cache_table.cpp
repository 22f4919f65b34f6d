#include "model/policy/cache_table.h"

#include <stdexcept>

namespace subcore {

CacheTable::CacheTable(unsigned entries, ReplacementKind replacement, std::uint64_t seed)
    : entries_(entries), replacement_(replacement), random_(seed) {}

unsigned CacheTable::victim() {
  std::uint64_t far = 0;
  int lru = -1;
  for (unsigned i = 0; i < entries_.size(); ++i) {
    const Entry& e = entries_[i];
    if (!e.valid) return i;
    if (e.lock) continue;
    if (!e.near) far |= std::uint64_t{1} << i;
    if (lru < 0 || e.use < entries_[static_cast<unsigned>(lru)].use) lru = static_cast<int>(i);
  }
  if (replacement_ == ReplacementKind::near_aware && far != 0) return random_.pick(far);
  if (lru < 0) throw std::logic_error("cache table: every entry is locked");
  return static_cast<unsigned>(lru);
}

unsigned CacheTable::allocate(Register tag) {
  const unsigned i = victim();
  entries_[i] = Entry{};
  entries_[i].tag = tag;
  entries_[i].valid = true;
  return i;
}

}  // namespace subcore
