// What a fixed read window keeps of operands, so that they need no port of their bank when they are read
// again: as the compiler's reuse flags have it, or its near bits. Instructions come in the order in which
// they are issued.
#pragma once

#include <array>
#include <cstdint>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/fixed_window/reuse_cache.h"
#include "subcore/model/policy/result_use.h"

namespace subcore {

class WindowCache {
 public:
  using Filler = ReuseCache::Filler;

  // What becomes of a source.
  struct Answer {
    unsigned searches = 0;  // tags that were asked
    unsigned fills = 0;     // entries that wait for its value from now on
    bool hit = false;       // it need not be read from its bank
    bool filled = false;    // where it is a hit: the value has come, else it comes for `filler`
    Version version;
    Filler filler;
  };
  using Answers = std::array<Answer, max_sources>;
  // An instruction's results, a bit for each: those that are in an entry from now on, in a new one or in that
  // of the older value, and those whose older value is gone.
  struct Results {
    std::uint32_t entered = 0, updated = 0, dropped = 0;
  };

  virtual ~WindowCache() = default;
  // An instruction that uses the cache asks for its sources; it executes in cycle `execution` or later.
  virtual void look_up(const Instruction& i, Cycle execution, Answers& answers) = 0;
  // The value that entries wait for has come. They may be somebody else's by now.
  virtual void fill(const Filler& filler, const Version& version) = 0;
  // Any instruction, behind its look_up(). Its results, if the compiler counts on them, are there in cycle
  // `ready`.
  virtual Results passed(const Instruction& i, Cycle ready) = 0;
  // A result that comes at its own time, once the bank has it. If it is `near` it enters; if it `outdates`,
  // it only takes the older value away.
  struct LateResult {
    std::uint32_t warp_uid = 0;
    Register reg = 0;
    Version version;  // of a copy that holds nothing else
    bool near = false;
    bool partial = false;  // some lanes keep an older value that is needed
    bool outdates = false;
  };
  virtual Results arrived(const LateResult&) { return {}; }
  // Of results in the cache; null if there never are any.
  virtual const EntryUse* result_use() const { return nullptr; }
};

}  // namespace subcore
