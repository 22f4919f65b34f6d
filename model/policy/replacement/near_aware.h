// Replaces a far entry, at random, before any near entry. Among near entries, replaces the least recently
// used one (Malekeh, section IV-A1).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/random.h"
#include "subcore/model/policy/replacement/replacement.h"

namespace subcore {

class NearAware final : public Replacement {
 public:
  explicit NearAware(std::uint64_t seed) : random_(seed) {}
  unsigned victim(const ReplacementView& view) override {
    const std::uint64_t far = view.unlocked & ~view.near;
    return far != 0 ? random_.pick(far) : least_recently_used(view);
  }

 private:
  Random random_;
};

class NearAwareChoice final : public ReplacementChoice {
 public:
  std::unique_ptr<Replacement> make(std::uint64_t seed) const override {
    return std::make_unique<NearAware>(seed);
  }
};

}  // namespace subcore
