// Write-back hints as good as a compiler's that knows one warp's path exactly, for programs made by tests.
#pragma once

#include <cstdint>
#include <vector>

#include "subcore/model/passes/annotation.h"

namespace subcore::test {

struct Executed {
  const StaticInstruction* code;
  std::uint32_t mask;
};

// One entry per instruction of the warp. `partial_safe`: lanes matter, as with partial_write safe.
inline std::vector<Annotation> exact_write_back_hints(const std::vector<Executed>& warp, unsigned window,
                                                      bool partial_safe) {
  std::vector<Annotation> all(warp.size());
  const auto whole = [&](const Executed& e) { return !partial_safe || e.mask == ~0u; };
  for (std::size_t n = 0; n < warp.size(); ++n) {
    if (warp[n].mask == 0 || !whole(warp[n])) continue;  // "both", or nothing is written
    for (unsigned d = 0; d < warp[n].code->destination_count; ++d) {
      const Register r = warp[n].code->destinations[d];
      bool read = false, first_far = true, any_far = false, merged = false;
      std::size_t last = n;
      for (std::size_t m = n + 1; m < warp.size(); ++m) {
        if (warp[m].mask == 0) continue;
        const StaticInstruction& code = *warp[m].code;
        bool reads = false, writes = false;
        for (unsigned s = 0; s < code.source_count; ++s) reads |= code.sources[s] == r;
        for (unsigned o = 0; o < code.destination_count; ++o) writes |= code.destinations[o] == r;
        if (reads) {
          if (!read) first_far = m - n >= window;
          any_far |= m - last >= window;
          read = true;
          last = m;
        }
        if (writes && !whole(warp[m])) merged = true;
        if (writes) break;
      }
      const auto bit = static_cast<std::uint8_t>(1u << d);
      if (merged) continue;
      if (first_far) {
        all[n].to_window = static_cast<std::uint8_t>(all[n].to_window & ~bit);
      } else if (!any_far) {
        all[n].to_banks = static_cast<std::uint8_t>(all[n].to_banks & ~bit);
      }
    }
  }
  return all;
}

}  // namespace subcore::test
