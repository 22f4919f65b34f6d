#include "subcore/program/analysis/study/thread_register_cache.h"

#include <stdexcept>

namespace subcore {

ThreadRegisterCache::ThreadRegisterCache(const RegisterCacheParameters& parameters)
    : parameters_(parameters), ways_(parameters.ways_or_entries()), sets_(1), entries_(parameters.entries) {
  const std::string problem = problem_of(parameters);
  if (!problem.empty()) throw std::invalid_argument(problem);
  sets_ = parameters.sets();
  if (compat()) frozen_.assign(entries_.size(), empty);
}

void ThreadRegisterCache::freeze() {
  for (std::size_t i = 0; i < entries_.size(); ++i) frozen_[i] = entries_[i].tag;
}

unsigned ThreadRegisterCache::destination_set(unsigned tag) const {
  if (parameters_.map == DestinationMap::interleaved) return tag % sets_;
  const unsigned set = tag * parameters_.entries / (256 * ways_);
  if (set >= sets_)
    throw std::domain_error("linear mapping of destination R" + std::to_string(tag * parameters_.words) +
                            ", at which RFC-sim ends; expected registers up to R255");
  return set;
}

int ThreadRegisterCache::find(unsigned set, unsigned tag) const {
  for (unsigned i = set * ways_; i < (set + 1) * ways_; ++i)
    if ((compat() ? frozen_[i] : entries_[i].tag) == tag) return static_cast<int>(i);
  return -1;
}

bool ThreadRegisterCache::replace(unsigned set, unsigned tag, bool dirty) {
  Entry* victim = &entries_[set * ways_];
  for (unsigned i = set * ways_; i < (set + 1) * ways_; ++i) {
    if (entries_[i].tag == empty) {
      victim = &entries_[i];
      break;
    }
    if (entries_[i].touched < victim->touched) victim = &entries_[i];
  }
  const bool write_back = victim->tag != empty && victim->dirty;
  *victim = {age(), static_cast<std::uint16_t>(tag), dirty};
  return write_back;
}

void ThreadRegisterCache::drop_copies(unsigned tag, int except) {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].tag == tag && static_cast<int>(i) != except) entries_[i] = {};
}

std::uint8_t ThreadRegisterCache::read(unsigned reg, unsigned position, bool flagged) {
  using E = RegisterCacheEvents;
  const unsigned tag = reg / parameters_.words, set = position % sets_;
  if (const int i = find(set, tag); i >= 0) {
    Entry& entry = entries_[static_cast<unsigned>(i)];  // compat: the entry may have been replaced meanwhile
    if (parameters_.replacement == RegisterCacheReplacement::lru) entry.touched = age();
    if (compat()) entry.dirty = false;
    return E::hit | E::cache_read;
  }
  bool allocate = false;
  switch (parameters_.allocation) {
    case RegisterCacheAllocation::read:
    case RegisterCacheAllocation::read_write:
      allocate = true;
      break;
    case RegisterCacheAllocation::write:
      break;
    case RegisterCacheAllocation::compiler_aided:
    case RegisterCacheAllocation::look_ahead:
      if (compat() && position > 3)
        throw std::domain_error("the reuse flag of source " + std::to_string(position + 1) +
                                ", at which RFC-sim ends; expected at most 4 sources");
      allocate = flagged;
  }
  if (!allocate) return E::file_read;
  const bool write_back = replace(set, tag, false);
  return static_cast<std::uint8_t>(E::file_read | E::cache_write | (write_back ? E::file_write : 0));
}

std::uint8_t ThreadRegisterCache::write(unsigned reg, bool wanted) {
  using E = RegisterCacheEvents;
  const bool through = parameters_.write == RegisterCacheWrite::write_through;
  const unsigned tag = reg / parameters_.words, set = destination_set(tag);
  const int found = find(set, tag);
  if (!compat()) drop_copies(tag, found);
  if (found >= 0) {
    Entry& entry = entries_[static_cast<unsigned>(found)];
    if (compat() || parameters_.replacement == RegisterCacheReplacement::lru) entry.touched = age();
    entry.dirty = !through;
    return static_cast<std::uint8_t>(E::hit | E::cache_write | (through ? E::file_write : 0));
  }
  const bool allocate = parameters_.allocation == RegisterCacheAllocation::look_ahead
                            ? wanted
                            : parameters_.allocation != RegisterCacheAllocation::read;
  if (!allocate) return E::file_write;
  const bool write_back = replace(set, tag, compat() || !through);
  const bool write_now = through && !compat();
  return static_cast<std::uint8_t>(E::cache_write | (write_back || write_now ? E::file_write : 0));
}

unsigned ThreadRegisterCache::drain() {
  unsigned dirty = 0;
  for (Entry& entry : entries_) {
    dirty += entry.tag != empty && entry.dirty ? 1 : 0;
    entry = {};
  }
  return dirty;
}

bool ThreadRegisterCache::same_state(const ThreadRegisterCache& other) const {
  // Of a set's entries only the order of ages matters. Of empty entries nothing matters.
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry &a = entries_[i], &b = other.entries_[i];
    if (a.tag != b.tag || (a.dirty != b.dirty && a.tag != empty)) return false;
  }
  for (std::size_t set = 0; set < entries_.size(); set += ways_)
    for (std::size_t i = set; i < set + ways_; ++i)
      for (std::size_t j = set; j < i; ++j) {
        if (entries_[i].tag == empty || entries_[j].tag == empty) continue;
        const std::uint32_t a = entries_[i].touched, b = entries_[j].touched;
        const std::uint32_t c = other.entries_[i].touched, d = other.entries_[j].touched;
        if ((a < b) != (c < d) || (a > b) != (c > d)) return false;
      }
  return true;
}

}  // namespace subcore
