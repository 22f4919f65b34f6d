// The instructions that the tracer knows: a row for each opcode and form. A row says how its instructions are
// told from others, their names, modifiers and operands, and which function is their meaning.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <vector>

#include "subcore/tracer/machine/instruction.h"

namespace subcore::tracer {

class Step;
// The effect of an instruction on a warp (meaning.h).
using Meaning = void (*)(Step&);

// Bits that an instruction of the row has.
struct Match {
  std::uint8_t bit, width;
  std::uint16_t value;
};

// A modifier: where its bits are, what it says, and its word for each value. A value whose word is empty, or
// that has none, adds nothing to the opcode. A modifier of no bits is a part of the name.
struct Modifier {
  Field field;
  std::uint8_t bit, width;
  const char* words;                     // "|RM|RP|RZ", for the values from 0 on
  std::uint8_t since = 75, until = 255;  // architectures that have it
};

// Signs that operands may have, at the same bits in all instructions.
enum Signs : unsigned {
  unsigned_operands = 0,
  negated_a = 1,
  absolute_a = 2,
  negated_b = 4,
  absolute_b = 8,
  negated_c = 16,
  absolute_c = 32,
  inverted_b = 64,
  integer_signs = negated_a | negated_b | negated_c,
  float_signs_2 = negated_a | absolute_a | negated_b | absolute_b,
  float_signs_3 = float_signs_2 | negated_c | absolute_c
};

// Traits in which a row differs from most instructions.
enum Traits : unsigned {
  no_traits = 0,
  is_uniform = 1,              // it is executed once for the warp, and its registers and guard are uniform
  has_halves = 2,              // operands choose halves, and have signs at other bits
  no_reuse = 4,                // the bits of reuse flags mean something else
  inverts_if_extended = 8,     // with .X a minus is a complement: of all operands,
  inverts_c_if_extended = 16,  // or of the third
  renames_moves = 32,          // IMAD.MOV, IMAD.IADD, IMAD.SHL
  vector_guard = 64            // a uniform instruction with a guard of the vector predicates
};

struct InstructionRow {
  std::vector<std::uint16_t> opcodes;  // bits 0 to 8
  const char* name;
  // Operands in the order of the text, with their widths in registers: see decoder.cpp for the words.
  const char* operands;
  Meaning meaning;
  unsigned signs = unsigned_operands;
  unsigned traits = no_traits;
  std::vector<Modifier> modifiers{};
  std::vector<Match> matches{};
  std::uint8_t since = 75, until = 255;  // architectures

  bool has(Traits t) const { return (traits & t) != 0; }
};

using InstructionTable = std::vector<InstructionRow>;

// The table of the program.
const InstructionTable& instruction_table();

}  // namespace subcore::tracer
