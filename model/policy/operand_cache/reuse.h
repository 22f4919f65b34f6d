// The register cache that the compiler manages by reuse flags (Huerta, MICRO 2025) in front of operand
// collectors: one for all warps of a sub-core. What it is told to keep it has once the bank has answered.
#pragma once

#include "model/policy/fixed_window/reuse_cache.h"
#include "model/policy/operand_cache/operand_cache_policy.h"

namespace subcore {

class ReuseOperandCache final : public OperandCachePolicy {
 public:
  // Registers belong to `banks` in turn.
  ReuseOperandCache(unsigned slots, unsigned banks, bool memory_evicts)
      : slots_(slots), banks_(banks), memory_evicts_(memory_evicts), cache_(slots, banks) {}

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override;
  bool keeps_fills() const override { return true; }
  bool filled(const Instruction& i, unsigned source, Version version) override;
  std::uint8_t to_banks(const Instruction&) const override { return 0xff; }
  bool written(const Instruction&, unsigned) override { return false; }
  void contents(unsigned warp_slot, std::vector<Kept>& kept) const override;

 private:
  unsigned slots_, banks_;
  bool memory_evicts_;
  ReuseCache cache_;
};

class ReuseOperandCacheChoice final : public OperandCacheChoice {
 public:
  std::uint32_t slots = 3, banks = 2;
  bool memory_evicts = false;

  void describe(ParameterVisitor& v) override;
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters& p,
                                           unsigned warp_slots) const override;
  std::uint64_t entries_of_all(std::uint32_t, std::uint32_t) const override {
    return std::uint64_t{slots} * banks;
  }
  std::uint32_t entries_searched(std::uint32_t) const override { return 1; }
};

}  // namespace subcore
