// The register cache of the JETCAS 2024 study (sections IV-A to IV-E). The cache has a few words of one
// thread and is set-associative: a source's set is chosen by its operand position, a destination's by its
// register. The cache keeps tags only and says what each access costs. The cache knows nothing of lanes,
// warps or time. So an object can stand for a thread or, with registers of a whole warp as its words, for a
// warp.
//
// With `rfcsim_compat` the cache answers as the study's own simulator, RFC-sim:
// * Lookups see the state before the instruction, and the operands of one instruction have one age.
// * A read hit makes its entry clean.
// * When a register is written, copies in other sets stay.
// * A write-through miss allocates a dirty entry.
// * A write makes its entry young even under FIFO.
//
// Without `rfcsim_compat` these points are corrected:
// * Lookups see the instruction's own earlier operands.
// * Dirty entries stay dirty until they are written back.
// * A write drops every other copy of its register.
// * Write-through always writes.
// * FIFO (section IV-E) replaces the entry that came in first, however often it was written since.
//
// In both cases a source is sought in its position's set alone. A newer copy in another set is not found, and
// the access counts as one of the main register file.
#pragma once

#include <cstdint>
#include <vector>

#include "subcore/model/policy/operand_cache/register_cache_parameters.h"

namespace subcore {

// Effects of one access, as a set of bits.
struct RegisterCacheEvents {
  static constexpr std::uint8_t hit = 1, cache_read = 2, cache_write = 4, file_read = 8, file_write = 16;
};

class ThreadRegisterCache {
 public:
  // Throws std::invalid_argument with the text of problem_of().
  explicit ThreadRegisterCache(const RegisterCacheParameters& parameters);

  // Begins an instruction, to which the next accesses belong. `now` counts instructions and only grows.
  void begin_instruction(std::uint32_t now) {
    now_ = now;
    if (parameters_.rfcsim_compat) freeze();
  }
  // Reads one source operand. `reg` is 0 to 255 and, in compat, up to 258 (MMA operands that start at RZ).
  // Throws std::domain_error where RFC-sim would end: if the flag of a position beyond 3 is needed.
  std::uint8_t read(unsigned reg, unsigned position, bool flagged);
  // Writes one destination operand. `wanted`: look_ahead has seen the register in its window. Throws
  // std::domain_error where RFC-sim would end: linear mapping beyond the last set.
  std::uint8_t write(unsigned reg, bool wanted);
  // Writes back and forgets all entries. Returns how many were dirty.
  unsigned drain();

  // Whether content and order of ages are the same, so that no later access can tell the two caches apart.
  bool same_state(const ThreadRegisterCache& other) const;

 private:
  static constexpr std::uint16_t empty = 256;  // RFC-sim's marker, for which R256 can be mistaken
  struct Entry {
    std::uint32_t touched = 0;  // when the entry was last made young
    std::uint16_t tag = empty;
    bool dirty = false;
  };

  void freeze();
  bool compat() const { return parameters_.rfcsim_compat; }
  std::uint32_t age() { return compat() ? now_ : ++accesses_; }
  unsigned destination_set(unsigned tag) const;
  int find(unsigned set, unsigned tag) const;
  // Puts the tag in place of the set's first empty entry, or else of its oldest. True: the replaced entry was
  // dirty.
  bool replace(unsigned set, unsigned tag, bool dirty);
  void drop_copies(unsigned tag, int except);

  RegisterCacheParameters parameters_;
  unsigned ways_, sets_;
  std::uint32_t now_ = 0;
  std::uint32_t accesses_ = 0;
  std::vector<Entry> entries_;         // set by set
  std::vector<std::uint16_t> frozen_;  // compat: tags that lookups of this instruction see
};

}  // namespace subcore
