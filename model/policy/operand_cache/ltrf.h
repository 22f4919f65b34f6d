// LTRF (latency-tolerant register file, ASPLOS 2018). All registers of the interval that an active warp
// executes are in the warp's partition of the cache, and are fetched before the warp may issue there. Inside
// the interval every source is a hit, and every result stays in the partition. A dirty value goes back to the
// banks when its register leaves.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <vector>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/operand_cache/operand_cache_policy.h"
#include "subcore/model/policy/partial_write.h"

namespace subcore {

class Ltrf final : public OperandCachePolicy {
 public:
  // `live_only` (LTRF+): registers that no instruction will read are neither fetched nor written back.
  // Working sets are the compiler's. A set larger than the partition would be the compiler's error, and is
  // kept whole.
  Ltrf(unsigned warp_slots, bool live_only, PartialWrite partial_write);

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override;
  std::uint8_t to_banks(const Instruction& i) const override;
  bool written(const Instruction& i, unsigned destination) override;
  void enter(unsigned warp_slot, const Instruction& next, std::vector<Register>& missing) override;
  void fetched(unsigned warp_slot, Register reg, const Version& version) override;
  void leave(unsigned warp_slot) override;
  void contents(unsigned warp_slot, std::vector<Kept>& kept) const override {
    const Warp& w = warps_[warp_slot];
    if (w.valid.none()) return;
    for (unsigned r = 0; r < w.valid.size(); ++r) {
      if (w.valid[r]) kept.push_back({static_cast<Register>(r), w.dirty[r]});
    }
  }

  std::optional<std::uint64_t> unread() const override;

 private:
  struct Warp {
    RegisterSet members;  // registers with a place; empty while the warp is not active
    RegisterSet valid, dirty;
    RegisterSet unread;  // results that have not been read here
    RegisterSet live;    // registers that may still be read, as far as is known
    // Accumulators of products. Only the banks have them, until another instruction writes them.
    RegisterSet away;
    std::uint32_t uid = 0;  // the warp that owns these registers
    std::array<Version, 256> version{};
  };
  // Whether some lanes of the register keep their old value.
  bool merges(const Instruction& i, unsigned destination) const;
  void note_accumulators(const Instruction& i);
  void drop(unsigned warp_slot, RegisterSet leaving, const RegisterSet& live);

  std::vector<Warp> warps_;
  bool live_only_, partial_safe_;
};

class LtrfChoice final : public OperandCacheChoice {
 public:
  bool live_only = false;
  std::uint32_t prefetch_width = 0;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override;
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters& p,
                                           unsigned warp_slots) const override;
  std::uint32_t prefetch_port() const override { return prefetch_width; }
  // No tag is searched: a table for each warp tells where in the partition every register is.
  void inventory(Inventory& list, std::uint32_t warps, std::uint32_t entries,
                 std::uint32_t ports) const override {
    list.add("values", HardwareKind::data, entries_of_all(warps, entries), operand_bits, ports);
    list.add("places", HardwareKind::data, std::uint64_t{warps} << register_bits, 1 + width_of(entries));
    list.add("entry_state", HardwareKind::state, entries_of_all(warps, entries), live_only ? 3 : 2);
  }
};

}  // namespace subcore
