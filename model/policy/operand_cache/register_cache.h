// The register cache of the JETCAS 2024 study in time: a set-associative cache of registers per warp slot. A
// source's operand position chooses its set, and a destination's register chooses its set (sections IV-A to
// IV-E). Unlike the study's counts (program/analysis/study) this cache has to be correct. If a source misses
// in its set while another set has a newer copy, that copy goes to the banks first. A write drops every other
// copy.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/model/policy/operand_cache/operand_cache_policy.h"
#include "subcore/model/policy/operand_cache/register_cache_parameters.h"
#include "subcore/model/policy/partial_write.h"

namespace subcore {

class RegisterCache final : public OperandCachePolicy {
 public:
  // The members words, window and rfcsim_compat of `parameters` have no meaning here; look_ahead is no
  // allocation.
  RegisterCache(unsigned warp_slots, const RegisterCacheParameters& parameters, PartialWrite partial_write);

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override;
  bool keeps_fills() const override { return true; }
  bool filled(const Instruction& i, unsigned source, const Version& version) override;
  std::uint8_t to_banks(const Instruction& i) const override;
  bool written(const Instruction& i, unsigned destination) override;
  void contents(unsigned warp_slot, std::vector<Kept>& kept) const override {
    for (const Entry& e : warps_[warp_slot].entries) {
      if (e.age != 0) kept.push_back({e.tag, e.dirty});
    }
  }
  std::optional<std::uint64_t> unread() const override { return unread_in(warps_); }

 private:
  struct Entry {
    Version version;
    std::uint64_t age = 0;  // time of allocation (fifo) or of the last use (lru); 0 = empty
    Register tag = 0;
    bool dirty = false;
    bool unread = false;  // a result that has not been read here
  };
  struct Warp {
    std::uint32_t uid = 0;
    std::vector<Entry> entries;  // set by set
  };

  void begin(const Instruction& i);
  unsigned source_set(const Instruction& i, unsigned source) const;
  unsigned destination_set(Register r) const;
  Entry* find(unsigned warp_slot, unsigned set, Register r);
  void write_back_copies(unsigned warp_slot, Register r);
  Entry& put(unsigned warp_slot, unsigned set, Register r, const Version& version, bool dirty);

  RegisterCacheParameters p_;
  unsigned ways_, sets_;
  bool partial_safe_;
  std::uint64_t clock_ = 0;
  std::vector<Warp> warps_;
};

class RegisterCacheChoice final : public OperandCacheChoice {
 public:
  std::uint32_t ways = 2;
  RegisterCacheAllocation allocation = RegisterCacheAllocation::compiler_aided;
  DestinationMap destination_map = DestinationMap::interleaved;
  RegisterCacheReplacement replacement = RegisterCacheReplacement::fifo;
  RegisterCacheWrite write = RegisterCacheWrite::write_back;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override;
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters& p,
                                           unsigned warp_slots) const override;
  std::uint32_t entries_searched(std::uint32_t entries) const override {
    return parameters(entries).ways_or_entries();
  }

 private:
  RegisterCacheParameters parameters(std::uint32_t entries) const;
};

}  // namespace subcore
