// Operands, other than registers, of instructions that wait. For DEPBAR, the number of groups of copies that
// may stay open (WARPGROUP.DEPBAR: of a warpgroup's products). For BAR, the barrier of its CTA, and the
// number of warps that meet there.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// The instruction's part in asynchronous copies, by its opcode.
CopyStep copy_step_of(std::string_view opcode);

// Whether the opcode waits by its immediate, so that the immediate's value counts.
bool waits_by_immediate(std::string_view opcode);

// Fills open_groups, awaited_counter, barrier_name and barrier_warps of an instruction that waits. The
// instruction must already have its registers. `sass` is its text in the sidecar, or empty. `immediate` is
// the word behind the operands of a trace's line, or empty. NVBit's tracer writes only the last of several
// immediates.
//
// If neither text tells the number of groups, DEPBAR.LE waits for all groups, and so does any other form of
// DEPBAR. If neither tells more, or registers do, BAR meets all warps of the CTA at barrier 0. An immediate
// of up to 15 is a barrier's name. A multiple of 32 is a number of threads, of a barrier without a name.
void read_wait_operands(std::string_view opcode, std::string_view sass, std::string_view immediate,
                        StaticInstruction& out);

}  // namespace subcore
