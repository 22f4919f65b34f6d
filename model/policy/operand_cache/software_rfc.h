// Software RFC (the software-managed register hierarchy, MICRO 2011): a last-result file and an operand
// register file per warp slot. The compiler has planned their contents strand by strand. Nothing is searched,
// because every operand carries the level from which it is read. At the start of a strand all entries are
// empty. Nothing has to be written back, because values that are needed later were also written to the banks.
//
// Static planning assumes that the instructions of a warp come in the order in which the compiler saw them.
// Interleaved divergent paths of newer GPUs break that assumption (Malekeh, section II). A trace fixes the
// order, so the scheme works here.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/operand_cache/operand_cache_policy.h"
#include "subcore/model/policy/partial_write.h"

namespace subcore {

class SoftwareRfc final : public OperandCachePolicy {
 public:
  // `orf_entries` and `lrf_entries` are per warp slot. Annotations that name other entries are ignored, and
  // their operands go to the banks.
  SoftwareRfc(unsigned warp_slots, unsigned orf_entries, unsigned lrf_entries, PartialWrite partial_write);

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override;
  bool keeps_fills() const override { return true; }
  bool filled(const Instruction& i, unsigned source, const Version& version) override;
  std::uint8_t to_banks(const Instruction& i) const override;
  bool written(const Instruction& i, unsigned destination) override;
  void leave(unsigned warp_slot) override;
  void contents(unsigned warp_slot, std::vector<Kept>& kept) const override {
    for (const Entry& e : warps_[warp_slot].entries) {
      if (e.valid) kept.push_back({e.reg, false});
    }
  }
  std::optional<std::uint64_t> unread() const override { return unread_in(warps_); }

  // The number of reads of a level that did not have the operand: a read from the banks was still to put it
  // there, or nothing was.
  std::uint64_t fallbacks() const { return fallbacks_; }

 private:
  struct Entry {
    Register reg = 0;
    Version version;
    std::uint64_t owner = nobody;  // number of the instruction that fills the entry
    bool valid = false;            // the entry has been filled
    bool unread = false;           // a result that has not been read here
  };
  struct Warp {
    std::uint32_t uid = 0;
    std::uint64_t strand_of = nobody;  // the instruction that began the strand
    std::vector<Entry> entries;        // ORF, then LRF
  };
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};

  void begin(const Instruction& i);
  Entry* entry(unsigned warp_slot, OperandPlace place);
  void claim(const Instruction& i, OperandPlace place, Register reg);

  unsigned orf_entries_, lrf_entries_;
  bool partial_safe_;
  std::vector<Warp> warps_;
  std::uint64_t fallbacks_ = 0;
};

class SoftwareRfcChoice final : public OperandCacheChoice {
 public:
  std::uint32_t lrf_entries = 1;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override;
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters& p,
                                           unsigned warp_slots) const override;
  std::uint32_t entries_per_warp(std::uint32_t entries) const override { return entries + lrf_entries; }
  // The compiler says where each operand is, so entries have no tags.
  void inventory(Inventory& list, std::uint32_t warps, std::uint32_t entries,
                 std::uint32_t ports) const override {
    list.add("values", HardwareKind::data, entries_of_all(warps, entries), operand_bits, ports);
    list.add("entry_state", HardwareKind::state, entries_of_all(warps, entries), 1);
  }
};

}  // namespace subcore
