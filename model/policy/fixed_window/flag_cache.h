// The reuse cache of a fixed read window: an operand stays where the compiler's reuse flag says so.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/base/bits.h"
#include "subcore/model/policy/fixed_window/window_cache.h"

namespace subcore {

class FlagCache final : public WindowCache {
 public:
  explicit FlagCache(const ReuseCacheParameters& p) : cache_(p) {}

  // A register that is named by several slots is read once, unless it is found and no flag asks for it. An
  // instruction that waits in a queue leaves nothing here: nobody knows when it will have read.
  void look_up(const Instruction& i, Cycle, Answers& answers) override {
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
  void fill(const Filler& filler, const Version& version) override { cache_.fill(filler, version); }
  Results passed(const Instruction& i, Cycle) override {
    cache_.passed(i);
    return {};
  }

 private:
  ReuseCache cache_;
};

}  // namespace subcore
