// The reuse cache of a fixed read window: an operand stays where the compiler's reuse flag says so.
#pragma once

#include "model/policy/fixed_window/window_cache.h"

namespace subcore {

class FlagCache final : public WindowCache {
 public:
  // Registers belong to `banks` of a slot in turn, as the compiler takes it when it sets flags.
  FlagCache(unsigned slots, unsigned banks, bool memory_evicts)
      : slots_(slots), banks_(banks), memory_evicts_(memory_evicts), cache_(slots, banks) {}

  void look_up(const Instruction& i, Cycle execution, Answers& answers) override;
  void fill(const Filler& filler, Version version) override { cache_.fill(filler, version); }
  Results passed(const Instruction& i, Cycle ready) override;

 private:
  unsigned bank(const Instruction& i, unsigned source) const { return i.source(source) % banks_; }

  unsigned slots_, banks_;
  bool memory_evicts_;
  ReuseCache cache_;
};

}  // namespace subcore
