// Replaces the entry that was used longest ago.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/replacement/replacement.h"

namespace subcore {

class Lru final : public Replacement {
 public:
  unsigned victim(const ReplacementView& view) override { return least_recently_used(view); }
};

class LruChoice final : public ReplacementChoice {
 public:
  std::unique_ptr<Replacement> make(std::uint64_t) const override { return std::make_unique<Lru>(); }
};

}  // namespace subcore
