// A fixed read window's cache of operands. An operand that is read again needs no port of its bank. The
// compiler's reuse flags, or its near bits, choose the operands. Instructions come in the order of issue.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>

#include "subcore/base/bits.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/fixed_window/reuse_cache.h"
#include "subcore/model/policy/result_use.h"

namespace subcore {

class WindowCache {
 public:
  using Filler = ReuseCache::Filler;

  // The answer for a source.
  struct Answer {
    unsigned searches = 0;  // tags that were compared
    unsigned fills = 0;     // entries that now wait for its value
    bool hit = false;       // the source need not be read from its bank
    bool filled = false;    // for a hit: the value has come; else it comes for `filler`
    Version version;
    Filler filler;
  };
  using Answers = std::array<Answer, max_sources>;
  // Bits of an instruction's results. `entered`: in a new entry. `updated`: in the entry of the older value.
  // `dropped`: the older value was removed.
  struct Results {
    std::uint32_t entered = 0, updated = 0, dropped = 0;
  };

  virtual ~WindowCache() = default;
  // An instruction that uses the cache asks for its sources. The instruction executes in cycle `execution` or
  // later.
  virtual void look_up(const Instruction& i, Cycle execution, Answers& answers) = 0;
  // The value that entries wait for has come. Meanwhile the entries may belong to other operands.
  virtual void fill(const Filler& filler, const Version& version) = 0;
  // Takes any instruction, behind its look_up(). Results of counted latency are ready in cycle `ready`.
  virtual Results passed(const Instruction& i, Cycle ready) = 0;
  // A result of variable latency, once the bank has it. A result that is `near` enters. A result that
  // `outdates` only removes the older value.
  struct LateResult {
    std::uint32_t warp_uid = 0;
    Register reg = 0;
    Version version;  // the version of a copy that holds this result alone
    bool near = false;
    bool partial = false;  // some lanes keep an older value that is needed
    bool outdates = false;
  };
  virtual Results arrived(const LateResult&) { return {}; }
  // The use of results in the cache, or null if it never has any.
  virtual const EntryUse* result_use() const { return nullptr; }
};

// The reuse cache of a fixed read window, in which the compiler's reuse flags say what stays.
class FlagCache final : public WindowCache {
 public:
  explicit FlagCache(const ReuseCacheParameters& p) : cache_(p) {}

  // A register that several slots name is read once, unless it is found and no flag asks for it. An
  // instruction that waits in a queue leaves nothing here, because the time of its reads is unknown.
  void look_up(const Instruction& i, Cycle, Answers& answers) override {
    const unsigned flags = has_fixed_latency(*i.code) ? i.code->reuse_mask : 0u;
    for (unsigned s = 0; s < i.source_count; ++s) {
      Answer& a = answers[s] = {};
      for (const unsigned slot : bits::each(i.code->source_slots[s])) {
        if (slot >= cache_.slots()) continue;
        ++a.searches;
        const bool flagged = bits::has(flags, slot);
        const auto here = cache_.read(slot, Filler::of(i, s), i.source(s), flagged);
        if (here) {
          a.hit = true;
          a.filled = here->filled;
          a.version = here->version;
          a.filler = here->filler;
        } else if (flagged) {
          ++a.fills;
        }
      }
      if (a.fills != 0) a.hit = false;
    }
  }
  void fill(const Filler& filler, const Version& version) override { cache_.fill(filler, version); }
  Results passed(const Instruction& i, Cycle) override {
    cache_.passed(i);
    return {};
  }

 private:
  ReuseCache cache_;
};

}  // namespace subcore
