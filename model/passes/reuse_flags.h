// Hardware reuse flags for traces that carry none, as a compiler sets them for a reuse cache of an entry for
// each operand slot and register bank (even and odd registers).
//
// A slot is flagged if the next instruction of the same basic block that reads this slot and bank reads the
// same register, which nobody has overwritten meanwhile. Memory instructions neither look into the cache nor
// clear entries. No flag is set whose entry might stay until its register has another value, and then be
// found: the cache does not see writes.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/passes/kernel_profile.h"

namespace subcore {

// Whether any static instruction has a flag.
bool has_reuse_flags(const CodeTable& code);

// Replaces every instruction's reuse_mask. The slot of an operand is that of the sidecar, and its place among
// the listed registers where there is none.
void synthesise_reuse_flags(CodeTable& code, const KernelProfile& profile);

}  // namespace subcore
