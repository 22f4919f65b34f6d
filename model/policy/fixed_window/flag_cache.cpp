#include "subcore/model/policy/fixed_window/flag_cache.h"

#include "subcore/base/bits.h"

namespace subcore {

// A register that is named by several slots is read once, unless it is found and no flag asks for it. An
// instruction that waits in a queue leaves nothing here: nobody knows when it will have read.
void FlagCache::look_up(const Instruction& i, Cycle, Answers& answers) {
  const unsigned flags = has_fixed_latency(i.code->execution) ? i.code->reuse_mask : 0u;
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

}  // namespace subcore
