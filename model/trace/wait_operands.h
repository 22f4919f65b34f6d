// Operands of instructions that wait, which are no registers: how many groups of copies (WARPGROUP.DEPBAR: of
// a warpgroup's products) DEPBAR lets be, and at which barrier of its CTA BAR meets how many warps.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// The instruction's part in asynchronous copies, by its opcode.
CopyStep copy_step_of(std::string_view opcode);

// Whether the opcode waits for what its immediate tells, so that the immediate's value counts.
bool waits_by_immediate(std::string_view opcode);

// Fills open_groups, awaited_counter, barrier_name and barrier_warps of an instruction that waits, which must
// have its registers already. `sass`: its text in the sidecar, or empty. `immediate`: the word behind the
// operands of a trace's line, or empty; NVBit's tracer writes the last immediate operand of several.
//
// DEPBAR.LE waits for all groups where neither tells their number, and so does any other form of DEPBAR. BAR
// meets all warps of the CTA at barrier 0 where neither tells more, or registers do. An immediate of up to 15
// is a barrier's name; a multiple of 32 is a number of threads, of a barrier without a name.
void read_wait_operands(std::string_view opcode, std::string_view sass, std::string_view immediate,
                        StaticInstruction& out);

}  // namespace subcore
