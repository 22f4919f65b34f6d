// The compiler passes, each a function that fills its part of the annotations of a kernel's code, or of its
// control bits. PassRunner calls them (pass_runner.h).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <deque>
#include <vector>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/passes/control_program.h"
#include "subcore/model/passes/kernel_profile.h"
#include "subcore/model/passes/pass_options.h"

namespace subcore {

// Hardware reuse flags for traces that carry none, as a compiler sets them for a reuse cache of an entry for
// each operand slot and register bank (even and odd registers).
//
// A slot is flagged if the next instruction of the same basic block that reads this slot and bank reads the
// same register, which nobody has overwritten meanwhile. Memory instructions neither look into the cache nor
// clear entries. No flag is set whose entry might stay until its register has another value, and then be
// found: the cache does not see writes.

// Whether any static instruction has a flag.
bool has_reuse_flags(const CodeTable& code);

// Replaces every instruction's reuse_mask. The slot of an operand is that of the sidecar, and its place among
// the listed registers where there is none.
void synthesise_reuse_flags(CodeTable& code, const KernelProfile& profile);

// LTRF's register intervals (ASPLOS 2018): single-entry regions of the control flow that lanes took, of which
// each touches at most N registers.
//
// The consumer's duty: a warp that comes from an instruction with another interval number, however it got
// there, fetches the interval's working set, which contains every register that its instructions name. An
// instruction that alone names more than N registers has an interval of its own whose working set is larger
// than N: give it a larger partition, or read what does not fit from the banks.

// Sets interval (numbered from 0 in program order) and working_set, which points into `working_sets`; that
// must be empty and live as long as the annotations. A loop whose body needs at most N registers is one
// interval.
void form_intervals(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order,
                    std::uint32_t registers, std::deque<Annotation>& annotations,
                    std::deque<RegisterSet>& working_sets);

// The registers that a warp may still read: backward dataflow over the order in which warps ran their
// instructions. Per-lane control flow would be unsound here: after a divergent branch the other side still
// reads a register that this side is done with.

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

// Sets needs_banks.
void mark_bank_needs(const CodeTable& code, const KernelProfile& profile,
                     std::deque<Annotation>& annotations);

// Strands (MICRO 2011): stretches of code in which nothing waits for a long-latency operation that was issued
// in them. Values in software RFC's small files do not survive their end.
//
// Static code is laid out by program counter and cut. Inside a strand warps only step forward, and they enter
// it at its first instruction only, also those that jump; so what holds on every path from there to an
// instruction holds whenever it runs. This is so for the warps of this trace, in the order in which they ran:
// hardware that takes the sides of a divergent branch in another order would need a compiler that knows it.

// The strands, by position in the program order.
struct Strands {
  std::vector<bool> start;
  std::vector<std::uint32_t> number;
};

// A strand begins
// * where a warp does, or steps back to;
// * behind a barrier, a call or return, and a branch that goes back;
// * at an instruction that reads or writes the destination of a long-latency operation in the strand, or an
//   accumulator of a warpgroup's product there; at such a product, and at a wait for one;
// * wherever a jump from another strand arrives.
Strands cut_strands(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order);

// Software RFC's allocation of values to the operand register file (ORF) and the last result file (LRF) of a
// strand (MICRO 2011), by the energy that each saves per slot it occupies.
//
// The consumer's duty: take a strand to begin at every instruction with strand_start, predicated off or not.
// Entries are allotted in program order, so two values may share an entry while the first one's readers still
// collect or its writer is still under way: wait for either. A value kept on a read is there only when the
// bank has answered.

// Sets strand_start, read_from, keep_source, keep_entry, write_to and write_banks.
//
// A source is read from a file only if one and the same instruction wrote the entry (or kept it there) on
// every path from the strand's start. A destination goes to a file only if it always ends the register's
// older value; under a partial mask, or when a read is left to the banks or lies beyond the strand, it also
// goes to the banks. Memory, texture, SFU, branch and uniform units neither read nor write the LRF.
void allocate_levels(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                     const ProgramOrder& order, const Strands& strands, const PassOptions& options,
                     std::deque<Annotation>& annotations);

// Control bits for traces that carry none, as a compiler would have told them to hardware without a
// scoreboard.
//
// Every instruction of variable latency that makes results arms a write barrier, and a read barrier, too, if
// one of its sources may be overwritten before somebody waits for the results. It shares one of the six
// barriers with instructions that take about as long and are needed at about the same place, else takes one
// that nobody has armed, else the one that is waited for last: a barrier counts, so to share one is to wait
// longer. Results of fixed latency are waited for by the stall count of the instruction in front of their
// reader. Both follow every path that a warp of the trace took, across branches and around loops.

// Replaces the control bits of every node.
void synthesise_control_bits(ControlProgram& program);

}  // namespace subcore
