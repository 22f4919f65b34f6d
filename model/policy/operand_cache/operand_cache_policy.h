// A register cache between the collectors and the banks. RFC, software RFC, LTRF, and the caches of the
// register cache study are policies of one module (modules/operand_cache). One object serves all warp slots
// of a sub-core. The policy decides which value is where, and the module moves operands and models time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "subcore/model/hardware/inventory.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/parameters/choice.h"
#include "subcore/model/policy/result_use.h"

namespace subcore {

class OperandCachePolicy {
 public:
  // A value that only the cache has and that must be written back to the banks.
  struct Dirty {
    std::uint16_t warp_slot;
    Register reg;
    Version version;
  };
  // A value that the banks are bringing to an older instruction of the same warp, and that the cache keeps.
  struct OperandOnItsWay {
    std::uint64_t sequence = 0;  // the number of that instruction
    std::uint8_t source = 0;     // its operand
  };
  // The look-up of a source operand.
  struct Lookup {
    bool hit = false;
    Version version;       // the copy's version, if hit
    bool searched = true;  // a tag was compared; false where the compiler says where the operand is
    // For a hit whose value has not come yet: the fill that the read waits for. Only caches that keep fills
    // have it.
    std::optional<OperandOnItsWay> on_its_way = std::nullopt;
  };

  virtual ~OperandCachePolicy() = default;

  // An instruction issues: read() is called for each of its sources, in operand order, and then issued().
  virtual Lookup read(const Instruction& i, unsigned source) = 0;
  virtual void issued(const Instruction&) {}
  // filled() gets the banks' answer to a miss, but only if the cache keeps such answers. True if it keeps
  // this one.
  virtual bool keeps_fills() const { return false; }
  virtual bool filled(const Instruction&, unsigned /*source*/, const Version&) { return false; }

  // The destinations of a result that go to the banks at once, one bit each. The module asks a cycle before
  // written(). The answer may depend only on the instruction and on the resident warps.
  virtual std::uint8_t to_banks(const Instruction& i) const = 0;
  // A destination has its result. True if the cache keeps it.
  virtual bool written(const Instruction& i, unsigned destination) = 0;

  // Two-level scheduling: the warp of this slot may issue again, beginning with `next`. `missing` gets the
  // registers that must be fetched first, and fetched() answers each. Also called when an active warp comes
  // to another register interval.
  virtual void enter(unsigned /*warp_slot*/, const Instruction& /*next*/,
                     std::vector<Register>& /*missing*/) {}
  virtual void fetched(unsigned /*warp_slot*/, Register, const Version&) {}
  // The warp of this slot has left the active set.
  virtual void leave(unsigned /*warp_slot*/) {}

  // For waveforms: appends to `kept` the registers that the cache has of the warp in this slot.
  struct Kept {
    Register reg;
    bool dirty;  // the banks do not have it
  };
  virtual void contents(unsigned /*warp_slot*/, std::vector<Kept>& /*kept*/) const {}

  // The number of results in the cache that no instruction has read there yet; nothing if the policy does not
  // count them in use().
  virtual std::optional<std::uint64_t> unread() const { return std::nullopt; }
  const ResultUse& use() const { return use_; }
  // The number of entries with a value that a warp took from another warp; nothing if warps share no entries.
  virtual std::optional<std::uint64_t> taken_from_others() const { return std::nullopt; }

  // The values that were pushed out since the last clear_dirty(), in order.
  const std::vector<Dirty>& dirty() const { return dirty_; }
  void clear_dirty() { dirty_.clear(); }

 protected:
  // Empties an entry. Its flag `unread` goes to ResultUse.
  template <class Entry>
  void empty(Entry& e) {
    use_.gone(e.unread);
    e = Entry{};
  }
  // The value of unread() if each warp has such `entries`.
  template <class Warps>
  static std::uint64_t unread_in(const Warps& warps) {
    std::uint64_t n = 0;
    for (const auto& w : warps)
      for (const auto& e : w.entries) n += e.unread;
    return n;
  }

  std::vector<Dirty> dirty_;
  ResultUse use_;
};

struct OperandCacheParameters;  // operand_cache_parameters.h

// sub_core.operand_cache.kind.
class OperandCacheChoice : public Choice {
 public:
  virtual bool exists() const { return true; }
  // `parameters` are common to all operand caches. Null if there is no cache.
  virtual std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters& parameters,
                                                   unsigned warp_slots) const = 0;
  // An active warp's part of the cache in operands, and how many of them are searched at once, for storage
  // and energy. `entries` is sub_core.operand_cache.entries.
  virtual std::uint32_t entries_per_warp(std::uint32_t entries) const { return entries; }
  // The number of operands for `warps` warps together.
  virtual std::uint64_t entries_of_all(std::uint32_t warps, std::uint32_t entries) const {
    return std::uint64_t{warps} * entries_per_warp(entries);
  }
  virtual std::uint32_t entries_searched(std::uint32_t entries) const { return entries; }
  // Whether values may be in the cache alone, and go to the banks later.
  virtual bool writes_back() const { return true; }
  // Adds the parts of a cache of `warps` warps, whose values have `ports` ports. By default each entry has a
  // tag, a valid bit, a place in the order of replacement and, if the cache writes back, a dirty bit.
  virtual void inventory(Inventory& list, std::uint32_t warps, std::uint32_t entries,
                         std::uint32_t ports) const {
    const std::uint64_t all = entries_of_all(warps, entries);
    list.add("values", HardwareKind::data, all, operand_bits, ports);
    list.add("tags", HardwareKind::tag, all, register_bits);
    list.add("entry_state", HardwareKind::state, all,
             (writes_back() ? 2 : 1) + width_of(entries_searched(entries)));
  }
  // The operands that the cache may prefetch per cycle; 0 = only the banks limit it.
  virtual std::uint32_t prefetch_port() const { return 0; }
  static Choices<OperandCacheChoice>& choices();

 protected:
  // The check of caches that belong to active warps.
  static void require_active_warps(Checker& c, const char* word);
  // The check of caches of which every warp has a part.
  static void require_all_warps(Checker& c, const char* word);
};

}  // namespace subcore
