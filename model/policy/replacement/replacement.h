// Replacement in a cache table: which of the entries that may go makes room for another.
#pragma once

#include <cstdint>
#include <memory>

#include "subcore/model/parameters/choice.h"

namespace subcore {

// The view of a replacement policy, one bit or element per entry of the table.
struct ReplacementView {
  std::uint64_t unlocked = 0;  // the candidates; not empty
  std::uint64_t near = 0;      // entries whose last use had near reuse
  const std::uint32_t* use;    // when each was last used: a larger number is more recent
};

class Replacement {
 public:
  virtual ~Replacement() = default;
  // The entry that gives way, one of view.unlocked.
  virtual unsigned victim(const ReplacementView& view) = 0;
};

// sub_core.collector.replacement.
class ReplacementChoice : public Choice {
 public:
  // A policy for each cache table; `seed` is its own, for policies that choose at random.
  virtual std::unique_ptr<Replacement> make(std::uint64_t seed) const = 0;
  static Choices<ReplacementChoice>& choices();
};

// The candidate that was used longest ago.
unsigned least_recently_used(const ReplacementView& view);

}  // namespace subcore
