// The instructions of random kernels: opcodes as in real code, with the registers that each operand takes.
#pragma once

#include <string_view>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore::random {

enum class Family : std::uint8_t {
  integer,
  single,
  half,
  double_,
  special,
  tensor,
  uniform,
  texture,
  memory,
  other
};
inline constexpr unsigned family_count = 10;

struct Form {
  Family family;
  std::string_view opcode;
  std::string_view destinations;  // per listed operand, a digit: its registers
  std::string_view sources;
  unsigned bytes = 0;  // per lane; 0 = the trace gives no addresses
  MemorySpace space = MemorySpace::none;

  bool accesses_memory() const { return bytes != 0; }
};

const std::vector<Form>& forms_of(Family family);

}  // namespace subcore::random
