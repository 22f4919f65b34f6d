// The writes that the lanes of a register's copy hold, and the writes that they must hold by the warp's
// program. Divergent paths write a register in lanes of their own. Their results may therefore come in any
// order, and a reader asks only for its own lanes.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// The version of a copy of `old` after `result`, of an instruction at `at`, has been written to `lanes` of
// it.
Version merged_in_any_order(const Version& old, const Version& result, std::uint32_t lanes,
                            const ProgramPlace& at);
// merged_in_any_order(), but fast if no result has overtaken another.
inline Version merged(const Version& old, const Version& result, std::uint32_t lanes,
                      const ProgramPlace& at) {
  if (lanes == ~0u) return result;
  if (old.write + 1 == result.write && old.place == result.place && old.missing >> 31 == 0)
    return {result.write, old.lost & ~lanes, result.place, old.missing << 1};
  return merged_in_any_order(old, result, lanes, at);
}
// The version of a copy of `old` after destination `d` of `i` has been written to it.
inline Version merged(const Version& old, const Instruction& i, unsigned d) {
  return merged(old, i.result(d), i.is_whole() ? ~0u : i.mask, i.place());
}

// A result on its way into copies of its register.
struct RegisterWrite {
  Version version;            // the version of a copy that holds this result alone
  std::uint32_t lanes = ~0u;  // lanes that are written
  ProgramPlace place;

  static RegisterWrite of(const Instruction& i, unsigned d) {
    return {i.result(d), i.is_whole() ? ~0u : i.mask, i.place()};
  }
  // The version of a copy of `old` with this result written to it.
  Version onto(const Version& old) const { return merged(old, version, lanes, place); }
};

// The lanes of register `r` that `i` reads and in which the copy `found` does not hold write number
// `expected`, as program order demands. All lanes if the copy is of another register. A lane that the warp
// has not written may hold any value from before the warp.
std::uint32_t wrong_lanes(const Instruction& i, Register r, std::uint32_t expected, const Version& found);
// The same for source `s`, as it has been collected.
inline std::uint32_t wrong_lanes(const Instruction& i, unsigned s) {
  return wrong_lanes(i, i.source(s), i.operands[s].expected, i.operands[s].collected);
}

}  // namespace subcore
