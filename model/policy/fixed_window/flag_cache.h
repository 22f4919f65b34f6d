// The reuse cache of a fixed read window: an operand stays where the compiler's reuse flag says so.
#pragma once

#include "model/policy/bank_map.h"
#include "model/policy/fixed_window/window_cache.h"

namespace subcore {

class FlagCache final : public WindowCache {
 public:
  FlagCache(unsigned slots, const BankMap& banks, bool memory_evicts)
      : slots_(slots), banks_(banks), memory_evicts_(memory_evicts), cache_(slots, banks.banks()) {}

  void look_up(const Instruction& i, Cycle execution, Answers& answers) override;
  void fill(const Filler& filler, Version version) override { cache_.fill(filler, version); }
  Results passed(const Instruction& i, Cycle ready) override;

 private:
  unsigned bank(const Instruction& i, unsigned source) const {
    return banks_.bank(i.source(source), i.warp_slot);
  }

  unsigned slots_;
  BankMap banks_;
  bool memory_evicts_;
  ReuseCache cache_;
};

}  // namespace subcore
