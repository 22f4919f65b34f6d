// The register cache of the JETCAS 2024 study (sections IV-A to IV-E): a few words of one thread,
// set-associative, a source's set chosen by its operand position, a destination's by its register. It keeps
// tags only and says what each access costs; nothing in it knows of lanes, warps or time, so one object can
// stand for a thread or, with registers of a whole warp as its words, for a warp.
//
// With `rfcsim_compat` it answers as the study's own simulator, RFC-sim, does: lookups see the state before
// the instruction, a read hit makes its entry clean, copies in other sets stay when a register is written, a
// write-through miss allocates dirty, a write makes its entry young even under FIFO, and the operands of one
// instruction are of one age. Without, those are mended: lookups see the instruction's own earlier operands,
// dirty entries stay dirty until written back, a write drops every other copy of its register, write-through
// always writes, and FIFO (section IV-E) replaces what came in first, however often it was written since. In
// both a source is sought in its position's set alone: a newer copy in another set is not found, and the
// access counts as one of the main register file.
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
  // Throws std::invalid_argument with problem_of's text.
  explicit ThreadRegisterCache(const RegisterCacheParameters& parameters);

  // The accesses that follow belong to one instruction. `now` counts instructions and only grows.
  void begin_instruction(std::uint32_t now) {
    now_ = now;
    if (parameters_.rfcsim_compat) freeze();
  }
  // Reads one source operand; `reg` is 0..255 and, in compat, up to 258 (MMA operands that start at RZ).
  // Throws std::domain_error where RFC-sim ends itself: a position beyond 3 whose flag is asked for.
  std::uint8_t read(unsigned reg, unsigned position, bool flagged);
  // Writes one destination operand. `wanted`: look_ahead has seen the register in its window. Throws
  // std::domain_error where RFC-sim ends itself: linear mapping beyond the last set.
  std::uint8_t write(unsigned reg, bool wanted);
  // Writes back and forgets everything; returns how many entries were dirty.
  unsigned drain();

  // Whether content and order of age are the same: indistinguishable from now on.
  bool same_state(const ThreadRegisterCache& other) const;

 private:
  static constexpr std::uint16_t empty = 256;  // RFC-sim's marker, which R256 can be mistaken for
  struct Entry {
    std::uint32_t touched = 0;  // when it was last made young
    std::uint16_t tag = empty;
    bool dirty = false;
  };

  void freeze();
  bool compat() const { return parameters_.rfcsim_compat; }
  std::uint32_t age() { return compat() ? now_ : ++accesses_; }
  unsigned destination_set(unsigned tag) const;
  int find(unsigned set, unsigned tag) const;
  // Puts the tag in place of the set's first empty or oldest entry; true when that was dirty.
  bool replace(unsigned set, unsigned tag, bool dirty);
  void drop_copies(unsigned tag, int except);

  RegisterCacheParameters parameters_;
  unsigned ways_, sets_;
  std::uint32_t now_ = 0;
  std::uint32_t accesses_ = 0;
  std::vector<Entry> entries_;         // set by set
  std::vector<std::uint16_t> frozen_;  // compat: the tags that lookups of this instruction see
};

}  // namespace subcore
