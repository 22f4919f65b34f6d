// The instructions that the tracer knows, with a row for each opcode and form. A row gives the bits that
// identify its instructions, their names, modifiers and operands, and the function that is their meaning.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <vector>

#include "subcore/tracer/machine/instruction.h"

namespace subcore::tracer {

class Step;
// The effect of an instruction on a warp (meaning.h).
using Meaning = void (*)(Step&);

// Bits that every instruction of the row has.
struct Match {
  std::uint8_t bit, width;
  std::uint16_t value;
};

// A modifier: its bits, its field, and a word for each value. A value without a word adds nothing to the
// opcode. A modifier without bits is a part of the name.
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
  is_uniform = 1,              // executed once per warp, with uniform registers and guard
  has_halves = 2,              // operands choose halves, and have signs at other bits
  no_reuse = 4,                // the bits of reuse flags mean something else
  inverts_if_extended = 8,     // with .X a minus is a complement, for all operands
  inverts_c_if_extended = 16,  // the same, for the third operand
  renames_moves = 32,          // IMAD.MOV, IMAD.IADD, IMAD.SHL
  vector_guard = 64            // a uniform instruction whose guard is a vector predicate
};

struct InstructionRow {
  std::vector<std::uint16_t> opcodes;  // bits 0 to 8
  const char* name;
  // Operands in the order of the text, with their widths in registers. decoder.cpp explains the words.
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
