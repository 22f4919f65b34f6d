// The register cache that the compiler manages by reuse flags (Huerta, MICRO 2025) in front of operand
// collectors: one for all warps of a sub-core. It has an operand that it is told to keep once the bank has
// answered.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/fixed_window/reuse_cache.h"
#include "subcore/model/policy/operand_cache/operand_cache_policy.h"

namespace subcore {

class ReuseOperandCache final : public OperandCachePolicy {
 public:
  explicit ReuseOperandCache(const ReuseCacheParameters& p) : cache_(p) {}

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override { cache_.passed(i); }
  bool keeps_fills() const override { return true; }
  bool filled(const Instruction& i, unsigned source, const Version& version) override;
  std::uint8_t to_banks(const Instruction&) const override { return 0xff; }
  bool written(const Instruction&, unsigned) override { return false; }
  void contents(unsigned warp_slot, std::vector<Kept>& kept) const override;

 private:
  ReuseCache cache_;
};

class ReuseOperandCacheChoice final : public OperandCacheChoice {
 public:
  ReuseCacheParameters parameters;

  void describe(ParameterVisitor& v) override { parameters.describe(v); }
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters& p,
                                           unsigned warp_slots) const override;
  std::uint64_t entries_of_all(std::uint32_t, std::uint32_t) const override { return parameters.entries(); }
  std::uint32_t entries_searched(std::uint32_t) const override { return 1; }
};

}  // namespace subcore
