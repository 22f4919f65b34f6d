// LTRF's register intervals (ASPLOS 2018): single-entry regions of the control flow that lanes took, of which
// each touches at most N registers.
//
// The consumer's duty: a warp that comes from an instruction with another interval number, however it got
// there, fetches the interval's working set, which contains every register that its instructions name. An
// instruction that alone names more than N registers has an interval of its own whose working set is larger
// than N: give it a larger partition, or read what does not fit from the banks.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/passes/kernel_profile.h"

namespace subcore {

// Sets interval (numbered from 0 in program order) and working_set, which points into `working_sets`; that
// must be empty and live as long as the hints. A loop whose body needs at most N registers is one interval.
void form_intervals(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order,
                    std::uint32_t registers, std::deque<Annotation>& annotations,
                    std::deque<RegisterSet>& working_sets);

}  // namespace subcore
