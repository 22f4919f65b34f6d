// Hardware reuse flags for traces that carry none: slot A, B or C is flagged when the warp's next
// instruction, in the same basic block, reads the same register in the same slot.
#pragma once

#include "model/hints/kernel_profile.h"

namespace subcore {

// Whether any static instruction has a flag.
bool has_reuse_flags(const CodeTable& code);

// Replaces every instruction's reuse_mask. The slot of an operand is its place among the listed registers,
// which is not its slot in the encoding where a constant stands before it.
void synthesise_reuse_flags(CodeTable& code, const KernelProfile& profile);

}  // namespace subcore
