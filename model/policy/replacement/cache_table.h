// The cache table (CT) of a caching collector: a few fully associative entries with tag, lock, near bit and
// order of use (Malekeh, section III-C).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <memory>

#include <boost/container/small_vector.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/replacement/replacement.h"

namespace subcore {

class CacheTable {
 public:
  // `entries` is 1..64.
  CacheTable(unsigned entries, std::unique_ptr<Replacement> replacement);

  // Index of the register's entry, or -1.
  int find(Register tag) const {
    for (const unsigned i : bits::each(valid_)) {
      if (entries_[i].tag == tag) return static_cast<int>(i);
    }
    return -1;
  }
  // The entry to be replaced next: an invalid entry if there is one, else the unlocked entry that the
  // replacement policy chooses, perhaps at random. Throws std::logic_error if every entry is locked.
  unsigned victim();
  void replace(unsigned index, Register tag);
  // Replaces the victim by `tag` and returns its index.
  unsigned allocate(Register tag) {
    const unsigned i = victim();
    replace(i, tag);
    return i;
  }
  // Notes a use of the entry by an operand with this reuse bit.
  void touch(unsigned index, bool near) {
    bits::set(near_, index, near);
    if (use_[index] != 0) replacement_->hit(index, near);
    use_[index] = ++clock_;
  }
  // A locked entry is a source of the instruction in the collector, which is not dispatched yet.
  void lock(unsigned index) { bits::add(locked_, index); }
  void unlock_all() { locked_ = 0; }
  // The version stands for the 1024 bits of data.
  void set_version(unsigned index, const Version& v) { entries_[index].version = v; }
  // Lanes that have their data. A new entry has all lanes until set_lanes() says less.
  void set_lanes(unsigned index, std::uint32_t lanes) { entries_[index].lanes = lanes; }
  void invalidate(unsigned index) {
    if (valid(index)) replacement_->removed(index);
    bits::remove(valid_, index);
    bits::remove(near_, index);
    bits::remove(locked_, index);
  }
  // Drops all entries. The banks always have the current values.
  void flush() {
    for (const unsigned i : bits::each(valid_)) replacement_->removed(i);
    valid_ = near_ = locked_ = 0;
  }

  bool has_near() const { return near_ != 0; }
  bool valid(unsigned index) const { return bits::has(valid_, index); }
  bool near(unsigned index) const { return bits::has(near_, index); }
  bool locked(unsigned index) const { return bits::has(locked_, index); }
  Register tag(unsigned index) const { return entries_[index].tag; }
  const Version& version(unsigned index) const { return entries_[index].version; }
  std::uint32_t lanes(unsigned index) const { return entries_[index].lanes; }
  std::uint64_t valid_mask() const { return valid_; }
  unsigned size() const { return static_cast<unsigned>(entries_.size()); }
  std::uint64_t locked_mask() const { return locked_; }
  // A number that changes whenever an entry gets another register or becomes near or far. A new register
  // counts as a use.
  std::uint64_t fingerprint() const {
    return clock_ + valid_ * 0x9e3779b97f4a7c15u + near_ * 0xc2b2ae3d27d4eb4fu;
  }

 private:
  struct Entry {
    Version version;
    std::uint32_t lanes = ~0u;
    Register tag = 0;
  };

  std::uint64_t valid_ = 0, near_ = 0, locked_ = 0;  // near_ and locked_ only where valid_
  boost::container::small_vector<Entry, 8> entries_;
  boost::container::small_vector<std::uint32_t, 8>
      use_;  // last use of each entry: a larger number is more recent; 0 = not used since it was inserted
  std::uint64_t all_;
  std::uint32_t clock_ = 0;
  std::unique_ptr<Replacement> replacement_;
};

}  // namespace subcore
