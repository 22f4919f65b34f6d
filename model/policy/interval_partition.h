// LTRF: the registers of the interval in which an active warp is are all in its partition of the cache,
// fetched before it may issue there (latency-tolerant register file, ASPLOS 2018). Inside the interval every
// source is a hit and every result stays in the partition; what is dirty goes back when its register leaves.
#pragma once

#include <array>
#include <vector>

#include "model/hints/compiler_hints.h"
#include "model/policy/kinds.h"
#include "model/policy/operand_cache_policy.h"

namespace subcore {

class IntervalPartition final : public OperandCachePolicy {
 public:
  // `live_only` (LTRF+): registers that nobody will read are neither fetched nor written back. Working sets
  // are the compiler's; a set larger than the partition would be the compiler's error and is kept whole.
  IntervalPartition(unsigned warp_slots, bool live_only, PartialWrite partial_write);

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override;
  std::uint8_t to_banks(const Instruction& i) const override;
  bool written(const Instruction& i, unsigned destination) override;
  void enter(unsigned warp_slot, const Instruction& next, std::vector<Register>& missing) override;
  void fetched(unsigned warp_slot, Register reg, Version version) override;
  void leave(unsigned warp_slot) override;

 private:
  struct Warp {
    RegisterSet members;  // have a place; empty while the warp is not active
    RegisterSet valid, dirty;
    RegisterSet live;  // may still be read, as far as is known
    std::array<Version, 256> version{};
  };
  // Some lanes of the register keep what they had.
  bool merges(const Instruction& i, unsigned destination) const;
  void drop(unsigned warp_slot, RegisterSet leaving, const RegisterSet& live);

  std::vector<Warp> warps_;
  bool live_only_, partial_safe_;
};

}  // namespace subcore
