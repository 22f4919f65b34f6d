// The meaning of an opcode's text: the unit that runs it, its effect on memory, and the number of registers
// that each operand stands for. Covers the machine code of binary versions 60 to 121 (Pascal to Blackwell).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

struct OpcodeInfo {
  ExecutionClass execution = ExecutionClass::integer;
  InstructionKind kind = InstructionKind::arithmetic;
  MemorySpace space = MemorySpace::none;
  bool known = true;  // false: not in the table, so the opcode runs with the class of its family

  bool accesses_memory() const {
    return kind == InstructionKind::load || kind == InstructionKind::store || kind == InstructionKind::atomic;
  }
  bool is_tensor() const { return unit_of(execution) == ExecutionUnitKind::tensor; }
};

// Classifies a full opcode such as "HMMA.1688.F32". An opcode outside the table belongs to the family of the
// longest known opcode with which its first part begins (IADD9 -> IADD). Else the first letter gives the
// family (F, I, D, H, U, T). Nothing if it belongs to no family.
std::optional<OpcodeInfo> opcode_info(std::string_view opcode);

// The part of an opcode before its first dot: "HMMA" of "HMMA.1688.F32".
inline std::string_view base_of(std::string_view opcode) {
  return opcode.substr(0, opcode.find('.'));
}

// Whether that part is `base`.
inline bool is_named(std::string_view opcode, std::string_view base) {
  return base_of(opcode) == base;
}

// True when `modifier` is one of the dot-separated parts after the first.
bool has_modifier(std::string_view opcode, std::string_view modifier);

// True when the opcode has the first part of `pattern`, "HMMA.16816.F32", and all its modifiers.
bool matches_shape(std::string_view opcode, std::string_view pattern);

// The number of results among the registers that a trace lists for the opcode, if the trace gets that number
// wrong; nothing for all other opcodes. NVBit's tracer takes an instruction's first operand for its result if
// that operand is a register, and every other register for a source. The tracer thus lists the result behind
// a predicate (SHFL PT, R4, R2, ...) as the first source, and the register that RET or WARPSYNC reads as a
// result.
std::optional<unsigned> listed_results(std::string_view opcode);

// Whether the opcode calls another function, whose program counters may begin at 0 again.
bool is_call(std::string_view opcode);

// The number of 8x8 matrices that LDSM or STSM moves between registers (one in each) and shared memory: 1, 2
// or 4. 0 for every other opcode.
std::uint8_t matrices_moved(std::string_view opcode);

// Registers per listed operand. Operands that an instruction does not list stay at 1.
struct OperandWidths {
  std::array<std::uint8_t, max_sources> source;
  std::array<std::uint8_t, max_destinations> destination;
};

// The number of uniform registers that an operand stands for. A trace's line names the first of them.
struct UniformWidths {
  unsigned written = 1, read = 1;
};
// The widths of an opcode's uniform operands, by its modifiers.
UniformWidths uniform_widths(std::string_view opcode, const OpcodeInfo& info);

// Widths by opcode, modifiers and access size, for operands that are listed by their first register only. The
// listed source registers matter where a constant may replace one of the operands, because alignment tells
// which one.
OperandWidths operand_widths(std::string_view opcode, const OpcodeInfo& info, unsigned memory_bytes,
                             const Register* sources, unsigned source_count);

}  // namespace subcore
