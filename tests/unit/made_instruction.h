// Instructions for policy tests: static and dynamic half in one.
#pragma once

#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore::test {

struct MadeInstruction {
  StaticInstruction code;
  Instruction instruction;

  explicit MadeInstruction(const std::vector<Register>& destinations = {},
                           const std::vector<Register>& sources = {},
                           InstructionKind kind = InstructionKind::arithmetic,
                           MemorySpace space = MemorySpace::none) {
    code.kind = kind;
    code.space = space;
    code.destination_count = static_cast<std::uint8_t>(destinations.size());
    code.source_count = static_cast<std::uint8_t>(sources.size());
    for (std::size_t i = 0; i < destinations.size(); ++i) code.destinations[i] = destinations[i];
    for (std::size_t i = 0; i < sources.size(); ++i) code.sources[i] = sources[i];
    if (space != MemorySpace::none) code.execution = ExecutionClass::load_store;
    instruction.code = &code;
    instruction.mask = ~0u;
    instruction.destination_count = code.destination_count;
    instruction.source_count = code.source_count;
  }
  MadeInstruction(const MadeInstruction&) = delete;
  MadeInstruction& operator=(const MadeInstruction&) = delete;
  MadeInstruction& predicated_off() {
    instruction.mask = 0;
    instruction.source_count = instruction.destination_count = 0;
    return *this;
  }
};

}  // namespace subcore::test
