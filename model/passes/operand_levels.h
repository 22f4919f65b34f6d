// Software RFC's allocation of values to the operand register file (ORF) and the last result file (LRF) of a
// strand (MICRO 2011), by the energy that each saves per slot it occupies.
//
// The consumer's duty: take a strand to begin at every instruction with strand_start, predicated off or not.
// Entries are allotted in program order, so two values may share an entry while the first one's readers still
// collect or its writer is still under way: wait for either. A value kept on a read is there only when the
// bank has answered.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/passes/liveness.h"
#include "subcore/model/passes/pass_options.h"
#include "subcore/model/passes/strands.h"

namespace subcore {

// Sets strand_start, read_from, keep_source, keep_entry, write_to and write_banks.
//
// A source is read from a file only if one and the same instruction wrote the entry (or kept it there) on
// every path from the strand's start. A destination goes to a file only if it always ends the register's
// older value; under a partial mask, or when a read is left to the banks or lies beyond the strand, it also
// goes to the banks. Memory, texture, SFU, branch and uniform units neither read nor write the LRF.
void allocate_levels(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                     const ProgramOrder& order, const Strands& strands, const PassOptions& options,
                     std::deque<Annotation>& annotations);

}  // namespace subcore
