// The register cache that the compiler manages by reuse flags (Huerta, MICRO 2025; US patent 8,639,882).
// There is an entry for each operand slot and bank of a sub-core, with the warp and register in it. An
// instruction that reads in a slot and bank empties the entry, whatever it finds. The instruction fills the
// entry again if the operand's flag is set. Writes change nothing: the compiler makes sure that no
// instruction finds an outdated copy.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <optional>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/hardware/inventory.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/parameters/parameter_list.h"

namespace subcore {

// The size of a reuse cache, and what empties it (reuse_cache.*).
struct ReuseCacheParameters {
  std::uint32_t slots = 3;
  std::uint32_t banks = 2;  // banks of a slot; registers belong to them in turn, as the compiler assumes
  bool memory_evicts = false;

  void describe(ParameterVisitor& v) {
    v.field("reuse_slots", slots, {3, 4}, "slots", "operand slots that have an entry for each bank");
    v.field("reuse_banks", banks, {1, 64}, "banks",
            "entries of an operand slot; successive registers belong to successive entries");
    v.field("memory_evicts", memory_evicts,
            "an instruction that does not look into the cache evicts the entries of its slots, too");
  }
  std::uint32_t entries() const { return slots * banks; }
  // There is an entry for each slot and bank. Its tag, which is compared, has its warp and register. Its
  // state has valid and filled.
  void inventory(Inventory& list) const {
    list.add("reuse_values", HardwareKind::data, entries(), operand_bits, 2);
    list.add("reuse_tags", HardwareKind::tag, entries(), warp_bits + register_bits);
    list.add("reuse_state", HardwareKind::state, entries(), 2);
  }
};

class ReuseCache {
 public:
  explicit ReuseCache(const ReuseCacheParameters& p) : p_(p), entries_(p.entries()) {}

  // The operand for which an entry was filled.
  struct Filler {
    std::uint32_t warp_uid = 0;
    std::uint64_t sequence = 0;
    std::uint8_t source = 0;
    std::uint16_t warp_slot = 0;  // for views of the cache
    static Filler of(const Instruction& i, unsigned source) {
      return {i.warp_uid, i.sequence, static_cast<std::uint8_t>(source), i.warp_slot};
    }
    bool operator==(const Filler& o) const {
      return warp_uid == o.warp_uid && sequence == o.sequence && source == o.source;
    }
  };
  // One slot's copy of a register of one bank.
  struct Entry {
    Filler filler;
    Register reg = 0;
    bool valid = false;   // the entry belongs to this warp and register
    bool filled = false;  // the value has come
    Version version;      // the value's version
    bool holds(std::uint32_t warp_uid, Register r) const {
      return valid && filler.warp_uid == warp_uid && reg == r;
    }
  };

  // Reads an operand in this slot. Returns the entry if it held the operand. If the operand is flagged, the
  // entry keeps its value, or waits for fill().
  std::optional<Entry> read(unsigned slot, const Filler& reader, Register reg, bool flagged) {
    Entry& e = entry(slot, reg);
    const Entry found = e;
    const bool hit = e.holds(reader.warp_uid, reg);
    if (!flagged) {
      e = {};
    } else if (!hit) {
      e = {reader, reg, true, false, {}};
    }
    return hit ? std::optional(found) : std::nullopt;
  }
  // An instruction is behind its reads. An instruction that is predicated off has not read anything, but
  // empties the entries of its slots. With `memory_evicts`, so does an instruction that does not use the
  // cache.
  void passed(const Instruction& i) {
    if (uses_reuse_cache(i.code->execution) ? i.source_count != 0 : !p_.memory_evicts) return;
    for (unsigned s = 0; s < i.code->source_count; ++s)
      for (const unsigned slot : bits::each(i.code->source_slots[s]))
        if (slot < p_.slots) entry(slot, i.source(s)) = {};
  }
  // The value of an operand has come. False if no entry waits for the value any longer.
  bool fill(const Filler& filler, const Version& version) {
    bool waited = false;
    for (Entry& e : entries_) {
      if (!e.valid || e.filled || !(e.filler == filler)) continue;
      e.filled = waited = true;
      e.version = version;
    }
    return waited;
  }
  unsigned slots() const { return p_.slots; }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  Entry& entry(unsigned slot, Register r) { return entries_[slot * p_.banks + r % p_.banks]; }

  ReuseCacheParameters p_;
  std::vector<Entry> entries_;  // slot by slot
};

}  // namespace subcore
