// The compiler passes. Each pass is a function that fills its part of the annotations of a kernel's code, or
// of its control bits. PassRunner calls them (pass_runner.h).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <deque>
#include <vector>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/passes/control_program.h"
#include "subcore/model/passes/kernel_profile.h"
#include "subcore/model/passes/pass_options.h"

namespace subcore {

// Hardware reuse flags for traces without any. A compiler would set the same flags for a reuse cache with an
// entry for each operand slot and register bank (even and odd registers).
//
// A slot is flagged if the next instruction of the same basic block that reads this slot and bank reads the
// same register. No instruction in between may overwrite the register. Memory instructions neither look into
// the cache nor clear entries. The cache does not see writes. A slot is therefore not flagged if its entry
// might stay until its register has another value, and then be found.

// Whether any static instruction has a flag.
bool has_reuse_flags(const CodeTable& code);

// Replaces every instruction's reuse_mask. An operand's slot comes from the sidecar. Without a sidecar it is
// the operand's place among the listed registers.
void synthesise_reuse_flags(CodeTable& code, const KernelProfile& profile);

// LTRF's register intervals (ASPLOS 2018): single-entry regions of the control flow that lanes took. Each
// interval touches at most N registers.
//
// The consumer's duty: a warp fetches an interval's working set whenever it comes from an instruction with
// another interval number. The working set contains every register that the interval's instructions name. A
// single instruction that names more than N registers has an interval of its own, whose working set is larger
// than N. The consumer gives it a larger partition, or reads the excess from the banks.

// Sets `interval` (numbered from 0 in program order) and `working_set`, which points into `working_sets`.
// `working_sets` must be empty and live as long as the annotations. A loop whose body needs at most N
// registers is one interval.
void form_intervals(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order,
                    std::uint32_t registers, std::deque<Annotation>& annotations,
                    std::deque<RegisterSet>& working_sets);

// The registers that a warp may still read, by backward dataflow over the order in which warps ran their
// instructions. The control flow of single lanes would be unsound here: after a divergent branch the other
// side may still read a register that this side has finished with.

// Live registers by StaticInstruction::index. A write ends its register's life only if it never leaves a lane
// that reads the older value, and is never predicated off.
struct Liveness {
  std::vector<RegisterSet> in;   // read at the instruction or after it
  std::vector<RegisterSet> out;  // read after it
};

// Finds a fixed point over the paths that the profile has seen. `profile` is of the same code.
Liveness live_registers(const CodeTable& code, const KernelProfile& profile);

// RFC's dead bits (4.2): last_use of source k is set if its value is never read again.
void mark_last_uses(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                    std::deque<Annotation>& annotations);

// Sets needs_banks.
void mark_bank_needs(const CodeTable& code, const KernelProfile& profile,
                     std::deque<Annotation>& annotations);

// Strands (MICRO 2011): stretches of code in which no instruction waits for a long-latency operation that was
// issued in the same strand. Values in software RFC's small files do not survive the end of a strand.
//
// Static code is laid out by program counter and cut. Inside a strand warps only step forward, and every
// warp, jumping or not, enters at its first instruction. A fact that holds on every path from there to an
// instruction therefore holds whenever that instruction runs. This argument holds for the warps of this
// trace, in the order in which they ran. Hardware that takes the sides of a divergent branch in another order
// needs a compiler that knows that order.

// The strands, by position in the program order.
struct Strands {
  std::vector<bool> start;
  std::vector<std::uint32_t> number;
};

// A strand begins
// * where a warp begins, or steps back to;
// * behind a barrier, a call or return, and a backward branch;
// * at an instruction that reads or writes the destination of a long-latency operation in the strand;
// * at an instruction that reads or writes an accumulator of a warpgroup's product in the strand;
// * at a product of a warpgroup, and at a wait for a product;
// * wherever a jump from another strand arrives.
Strands cut_strands(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order);

// Software RFC's allocation of a strand's values to the operand register file (ORF) and the last result file
// (LRF) (MICRO 2011). Values are chosen by the energy that each saves per slot that it occupies.
//
// The consumer's duty: let a strand begin at every instruction with strand_start, predicated off or not.
// Entries are allotted in program order. Two values may therefore share an entry while the first one's
// readers still collect, or while its writer is still under way: the consumer waits for both. A value that is
// kept on a read is there only when the bank has answered.

// Sets strand_start, read_from, keep_source, keep_entry, write_to and write_banks.
//
// A source is read from a file only if the same instruction wrote the entry (or kept it there) on every path
// from the strand's start. A destination goes to a file only if it always ends the register's older value.
// The destination also goes to the banks under a partial mask, or when a read is left to the banks or lies
// beyond the strand. Memory, texture, SFU, branch and uniform units neither read nor write the LRF.
void allocate_levels(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                     const ProgramOrder& order, const Strands& strands, const PassOptions& options,
                     std::deque<Annotation>& annotations);

// Control bits for traces without any, as a compiler would make them for hardware without a scoreboard.
//
// Every instruction of variable latency with results arms a write barrier. The instruction also arms a read
// barrier if one of its sources may be overwritten before an instruction waits for the results. There are six
// barriers. An instruction prefers a barrier whose instructions take about as long and are needed at about
// the same place. Next comes a barrier that no instruction has armed, and last the barrier with the latest
// wait. A barrier counts, so sharing it means waiting longer. For results of fixed latency, the stall count
// of the instruction before the reader does the waiting. All waits follow every path that a warp of the trace
// took, across branches and around loops.

// Replaces the control bits of every node.
void synthesise_control_bits(ControlProgram& program);

}  // namespace subcore
