// Strands (MICRO 2011): stretches of code in which nothing waits for a long-latency operation that was issued
// in them. Values in software RFC's small files do not survive their end.
//
// Static code is laid out by program counter and cut. Inside a strand warps only step forward, and they enter
// it at its first instruction only, also those that jump; so what holds on every path from there to an
// instruction holds whenever it runs. This is so for the warps of this trace, in the order in which they ran:
// hardware that takes the sides of a divergent branch in another order would need a compiler that knows it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <vector>

#include "subcore/model/passes/kernel_profile.h"

namespace subcore {

// The strands, by position in the program order.
struct Strands {
  std::vector<bool> start;
  std::vector<std::uint32_t> number;
};

// A strand begins
// * where a warp does, or steps back to;
// * behind a barrier, a call or return, and a branch that goes back;
// * at an instruction that reads or writes the destination of a long-latency operation in the strand;
// * wherever a jump from another strand arrives.
Strands cut_strands(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order);

}  // namespace subcore
