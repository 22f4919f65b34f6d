// The registers that a warp may still read: backward dataflow over the order in which warps ran their
// instructions. Per-lane control flow would be unsound here: after a divergent branch the other side still
// reads a register that this side is done with.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>
#include <vector>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/passes/kernel_profile.h"

namespace subcore {

// Live registers by StaticInstruction::index. A write ends its register's life only if it never leaves a lane
// that reads the older value, and never was predicated off.
struct Liveness {
  std::vector<RegisterSet> in;   // read at the instruction or after it
  std::vector<RegisterSet> out;  // read after it
};

// Finds a fixed point over the paths that the profile has seen. `profile` is of the same code.
Liveness live_registers(const CodeTable& code, const KernelProfile& profile);

// RFC's dead bits (4.2): last_use of source k is set when the value that it reads is never read again.
void mark_last_uses(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                    std::deque<Annotation>& annotations);

}  // namespace subcore
