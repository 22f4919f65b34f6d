#include "model/policy/replacement/cache_table.h"

#include <stdexcept>
#include <utility>

namespace subcore {

CacheTable::CacheTable(unsigned entries, std::unique_ptr<Replacement> replacement)
    : entries_(entries),
      use_(entries, 0),
      all_(entries == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << entries) - 1),
      replacement_(std::move(replacement)) {}

unsigned CacheTable::victim() {
  if (const std::uint64_t empty = all_ & ~valid_; empty != 0)
    return static_cast<unsigned>(__builtin_ctzll(empty));
  const std::uint64_t unlocked = valid_ & ~locked_;
  if (unlocked == 0) throw std::logic_error("cache table: every entry is locked");
  return replacement_->victim({unlocked, near_, use_.data()});
}

unsigned CacheTable::allocate(Register tag) {
  const unsigned i = victim();
  entries_[i] = {0, ~0u, tag};
  use_[i] = 0;
  valid_ |= bit(i);
  near_ &= ~bit(i);
  return i;
}

}  // namespace subcore
