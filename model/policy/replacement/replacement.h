// Replacement in a cache table: which of the entries that may be replaced makes room for another.
#pragma once

#include <cstdint>
#include <memory>

#include "subcore/model/parameters/choice.h"

namespace subcore {

// The view of a replacement policy, one bit or element per entry of the table.
struct ReplacementView {
  std::uint64_t unlocked = 0;  // the candidates; not empty
  std::uint64_t near = 0;      // entries whose last use had near reuse
  const std::uint32_t* use;    // last use of each entry: a larger number is more recent
};

class Replacement {
 public:
  virtual ~Replacement() = default;
  // The entry to be replaced, one of view.unlocked. Called only if every entry is taken.
  virtual unsigned victim(const ReplacementView& view) = 0;
  // The events of the table, for policies with a state for each entry. Entries are numbered from 0.
  // A register has got the entry. Its first use follows and counts as no hit.
  virtual void inserted(unsigned /*entry*/) {}
  // A source operand or a result has used the register that is in the entry; `near` is its reuse bit.
  virtual void hit(unsigned /*entry*/, bool /*near*/) {}
  // The entry's register is removed: it is replaced (`inserted` follows), outdated, or given up with the
  // warp.
  virtual void removed(unsigned /*entry*/) {}
};

// sub_core.collector.replacement.
class ReplacementChoice : public Choice {
 public:
  // A policy for each cache table; `seed` is its own, for policies that choose at random.
  virtual std::unique_ptr<Replacement> make(std::uint64_t seed) const = 0;
  static Choices<ReplacementChoice>& choices();
};

// The candidate whose last use is longest ago.
unsigned least_recently_used(const ReplacementView& view);

}  // namespace subcore
