// The register cache that the compiler manages by reuse flags (Huerta, MICRO 2025), in front of operand
// collectors. One cache serves all warps of a sub-core. A flagged operand is there once the bank has
// answered.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/base/bits.h"
#include "subcore/model/policy/fixed_window/reuse_cache.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/policy/operand_cache/operand_cache_policy.h"

namespace subcore {

class ReuseOperandCache final : public OperandCachePolicy {
 public:
  explicit ReuseOperandCache(const ReuseCacheParameters& p) : cache_(p) {}

  Lookup read(const Instruction& i, unsigned source) override {
    if (!uses_reuse_cache(i.code->execution)) return {false, {}, false};
    const Register r = i.source(source);
    Lookup found{false, {}, false};
    for (const unsigned slot : bits::each(i.code->source_slots[source])) {
      if (slot >= cache_.slots()) continue;
      const bool flagged = bits::has(i.code->reuse_mask, slot);
      const auto entry = cache_.read(slot, ReuseCache::Filler::of(i, source), r, flagged);
      found.searched = true;
      if (!entry || !entry->filled) continue;
      found.hit = true;
      found.version = entry->version;
    }
    return found;
  }
  void issued(const Instruction& i) override { cache_.passed(i); }
  bool keeps_fills() const override { return true; }
  bool filled(const Instruction& i, unsigned source, const Version& version) override {
    return cache_.fill(ReuseCache::Filler::of(i, source), version);
  }
  std::uint8_t to_banks(const Instruction&) const override { return 0xff; }
  bool written(const Instruction&, unsigned) override { return false; }
  void contents(unsigned warp_slot, std::vector<Kept>& kept) const override {
    for (const ReuseCache::Entry& e : cache_.entries())
      if (e.filled && e.filler.warp_slot == warp_slot) kept.push_back({e.reg, false});
  }

 private:
  ReuseCache cache_;
};

class ReuseOperandCacheChoice final : public OperandCacheChoice {
 public:
  ReuseCacheParameters parameters;

  void describe(ParameterVisitor& v) override { parameters.describe(v); }
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters&, unsigned) const override {
    return std::make_unique<ReuseOperandCache>(parameters);
  }
  std::uint64_t entries_of_all(std::uint32_t, std::uint32_t) const override { return parameters.entries(); }
  std::uint32_t entries_searched(std::uint32_t) const override { return 1; }
  bool writes_back() const override { return false; }
  void inventory(Inventory& list, std::uint32_t, std::uint32_t, std::uint32_t) const override {
    parameters.inventory(list);
  }
};

}  // namespace subcore
