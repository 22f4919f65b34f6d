// The register cache that the compiler manages by reuse flags (Huerta, MICRO 2025; US patent 8,639,882): an
// entry for each operand slot and bank of a sub-core, with the warp and register in it. An instruction that
// reads in a slot and bank, whatever it finds, empties the entry, and fills it again if the operand's flag is
// set. Writes change nothing: that nobody meets an outdated copy is the compiler's business.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/isa/instruction.h"

namespace subcore {

class ReuseCache {
 public:
  ReuseCache(unsigned slots, unsigned banks) : banks_(banks), entries_(std::size_t{slots} * banks) {}

  // What an entry was filled for: an operand of an instruction.
  struct Filler {
    std::uint32_t warp_uid = 0;
    std::uint64_t sequence = 0;
    std::uint8_t source = 0;
    std::uint16_t warp_slot = 0;  // for whoever shows what is here
    static Filler of(const Instruction& i, unsigned source) {
      return {i.warp_uid, i.sequence, static_cast<std::uint8_t>(source), i.warp_slot};
    }
    bool operator==(const Filler& o) const {
      return warp_uid == o.warp_uid && sequence == o.sequence && source == o.source;
    }
  };
  struct Entry {
    Filler filler;
    Register reg = 0;
    bool valid = false;   // it belongs to this warp and register
    bool filled = false;  // the value has come
    Version version = 0;  // of the value
    bool holds(std::uint32_t warp_uid, Register r) const {
      return valid && filler.warp_uid == warp_uid && reg == r;
    }
  };

  // An operand is read in this slot: what was there of it, or nothing. If it is flagged, the entry keeps what
  // was there, or waits for fill().
  std::optional<Entry> read(unsigned slot, unsigned bank, const Filler& reader, Register reg, bool flagged) {
    Entry& e = entries_[slot * banks_ + bank];
    const Entry found = e;
    const bool hit = e.holds(reader.warp_uid, reg);
    if (!flagged) {
      e = {};
    } else if (!hit) {
      e = {reader, reg, true, false, 0};
    }
    return hit ? std::optional(found) : std::nullopt;
  }
  // Some instruction that is not looked up reads in this slot.
  void evict(unsigned slot, unsigned bank) { entries_[slot * banks_ + bank] = {}; }
  // The value of an operand has come. False if no entry waits for it any longer.
  bool fill(const Filler& filler, Version version) {
    bool waited = false;
    for (Entry& e : entries_) {
      if (!e.valid || e.filled || !(e.filler == filler)) continue;
      e.filled = waited = true;
      e.version = version;
    }
    return waited;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  unsigned banks_;
  std::vector<Entry> entries_;  // slot by slot
};

// Memory instructions neither look into the cache nor empty it, nor do transcendental and control ones.
inline bool uses_reuse_cache(ExecutionClass c) {
  switch (c) {
    case ExecutionClass::integer:
    case ExecutionClass::single:
    case ExecutionClass::half:
    case ExecutionClass::double_:
    case ExecutionClass::tensor_f16:
    case ExecutionClass::tensor_f32:
    case ExecutionClass::tensor_int:
      return true;
    default:
      return false;
  }
}

}  // namespace subcore
