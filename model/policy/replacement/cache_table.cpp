#include "subcore/model/policy/replacement/cache_table.h"

#include <stdexcept>
#include <utility>

#include "subcore/base/bits.h"

namespace subcore {

CacheTable::CacheTable(unsigned entries, std::unique_ptr<Replacement> replacement)
    : entries_(entries), use_(entries, 0), all_(bits::first(entries)), replacement_(std::move(replacement)) {}

unsigned CacheTable::victim() {
  if (const std::uint64_t empty = all_ & ~valid_; empty != 0) return bits::lowest(empty);
  const std::uint64_t unlocked = valid_ & ~locked_;
  if (unlocked == 0) throw std::logic_error("cache table: every entry is locked");
  return replacement_->victim({unlocked, near_, use_.data()});
}

void CacheTable::replace(unsigned index, Register tag) {
  if (valid(index)) replacement_->removed(index);
  replacement_->inserted(index);
  entries_[index] = {{}, ~0u, tag};
  use_[index] = 0;
  bits::add(valid_, index);
  bits::remove(near_, index);
}

}  // namespace subcore
