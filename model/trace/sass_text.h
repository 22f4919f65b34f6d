// The predicates and the target of an instruction, from its text as a disassembler writes it:
//   @!P0 ISETP.GE.AND P1, PT, R0, R2, P3 ;
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <optional>
#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

struct SassText {
  std::string_view opcode;  // a part of the text
  PredicateSet guard = 0;   // the predicate that decides whether the instruction runs; also among those read
  bool unless = false;      // the instruction runs where the guard is false: "@!P0"
  PredicateSet read = 0, written = 0;
  std::optional<std::uint64_t> address;  // target of a branch or call: the last operand that is an address
};
// The opcode alone: "IADD3".
std::string_view sass_opcode(std::string_view text);
// The most predicates that an instruction of this name (the opcode up to its first '.') may write: 2 or
// fewer.
unsigned predicates_written_by(std::string_view name);
// Reads the text of an instruction as a disassembler writes it, with its guard: "@!P0 IADD3 R1, R2, 0x1, RZ".
SassText read_sass_text(std::string_view text);

}  // namespace subcore
