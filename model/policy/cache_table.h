// The cache table (CT) of a caching collector: a few fully associative entries with tag, lock, near bit and
// LRU order (Malekeh, section III-C), and the replacement policies that choose its victims (section IV-A1).
#pragma once

#include <cstdint>
#include <vector>

#include "model/isa/instruction.h"
#include "model/policy/kinds.h"
#include "model/policy/random.h"

namespace subcore {

class CacheTable {
 public:
  struct Entry {
    Version version = 0;    // stands for the 1024 bits of data
    std::uint32_t use = 0;  // LRU stamp: larger = more recent
    Register tag = 0;
    bool valid = false;
    bool lock = false;  // source of the instruction in the collector, not dispatched yet
    bool near = false;
  };

  CacheTable(unsigned entries, ReplacementKind replacement, std::uint64_t seed);

  // Index of the register's entry, or -1.
  int find(Register tag) const {
    for (unsigned i = 0; i < entries_.size(); ++i) {
      if (entries_[i].valid && entries_[i].tag == tag) return static_cast<int>(i);
    }
    return -1;
  }
  // Replaces the victim by `tag` and returns its index: an invalid entry if any; else, among the unlocked,
  // near_aware: a random far one, or the LRU if all are near; lru: the LRU. There must be an unlocked entry.
  unsigned allocate(Register tag);
  // A use of the entry by an operand with this reuse bit.
  void touch(unsigned index, bool near) {
    entries_[index].near = near;
    entries_[index].use = ++clock_;
  }
  void lock(unsigned index) { entries_[index].lock = true; }
  void unlock_all() {
    for (Entry& e : entries_) e.lock = false;
  }
  void set_version(unsigned index, Version v) { entries_[index].version = v; }
  void invalidate(unsigned index) { entries_[index].valid = false; }
  // Drops everything; the banks are always current.
  void flush() {
    for (Entry& e : entries_) e = Entry{};
  }
  bool has_near() const {
    for (const Entry& e : entries_) {
      if (e.valid && e.near) return true;
    }
    return false;
  }
  const Entry& entry(unsigned index) const { return entries_[index]; }
  unsigned size() const { return static_cast<unsigned>(entries_.size()); }

 private:
  unsigned victim();
  std::vector<Entry> entries_;
  std::uint32_t clock_ = 0;
  ReplacementKind replacement_;
  Random random_;
};

}  // namespace subcore
