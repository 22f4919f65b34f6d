// RFC: a small, fully associative, write-allocate cache per active warp that results of short latency go to
// instead of the banks (the hardware register file cache, ISCA 2011). Reads never allocate. What an
// instruction of a warp that has become pending brings goes to the banks.
#pragma once

#include <cstdint>
#include <vector>

#include "model/policy/kinds.h"
#include "model/policy/operand_cache_policy.h"

namespace subcore {

class RegisterFileCache final : public OperandCachePolicy {
 public:
  // `entries` per active warp, 1..64.
  RegisterFileCache(unsigned warp_slots, unsigned entries, PartialWrite partial_write,
                    Overwrite overwrite = Overwrite::keeps_place);

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override;
  std::uint8_t to_banks(const Instruction& i) const override;
  bool written(const Instruction& i, unsigned destination) override;
  void enter(unsigned warp_slot, const Instruction& next, std::vector<Register>& missing) override;
  // Live values go to the banks, the others with their warp.
  void leave(unsigned warp_slot) override;

  unsigned size(unsigned warp_slot) const { return static_cast<unsigned>(warps_[warp_slot].entries.size()); }

 private:
  struct Entry {
    Register reg;
    Version version;
    bool dead;  // read for the last time
  };
  struct Warp {
    std::vector<Entry> entries;  // oldest first
    bool active = false;
  };

  // The position of a register's entry, or of the end.
  std::vector<Entry>::iterator find(unsigned warp_slot, Register reg);
  void evict(unsigned warp_slot, const Entry& e);

  std::vector<Warp> warps_;
  unsigned entries_;
  bool partial_safe_;
  Overwrite overwrite_;
};

}  // namespace subcore
