// Decodes instructions by the rows of a table.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>

#include "subcore/tracer/machine/instruction_table.h"

namespace subcore::tracer {

// The instruction at `pc` of code for `architecture` (75: sm_75). If no row matches, the instruction has no
// row, and its opcode is "UNK_0x" and the opcode's bits. `table` must outlive the instruction.
Instruction decode(const InstructionTable& table, unsigned architecture, std::uint64_t low,
                   std::uint64_t high, std::uint32_t pc);

// "0x1f", "-0x4".
std::string hex_text(std::int64_t value);

}  // namespace subcore::tracer
