// Programs made by hand: instructions, warps and CTAs without a trace file.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/trace.h"

namespace subcore::test {

// One dynamic instruction of a warp. Every one has a static instruction of its own, so that annotations and
// masks can be set in place.
struct Op {
  StaticInstruction code;
  std::uint32_t mask = ~0u;
  std::uint64_t address = 0;  // lane l accesses address + l x stride
  std::uint64_t stride = 4;
  Op with_mask(std::uint32_t m) const;
  // Reuse bits: bit k of each mask stands for operand k.
  Op near(unsigned sources, unsigned destinations) const;
};

using Registers = std::vector<Register>;
using WarpOps = std::vector<Op>;

Op alu(const Registers& destinations, const Registers& sources,
       ExecutionClass execution = ExecutionClass::integer);
Op load(const Registers& destinations, const Registers& sources, std::uint64_t address,
        MemorySpace space = MemorySpace::global);
Op store(const Registers& sources, std::uint64_t address, MemorySpace space = MemorySpace::global);
Op barrier();
Op branch();
Op exit_warp();

struct Program {
  CodeTable code;
  KernelHeader kernel;
  std::deque<CtaTrace> ctas;

  // Adds a CTA; returns its number.
  std::size_t add(const std::vector<WarpOps>& warps);
};

struct RandomOptions {
  unsigned ctas = 1, warps = 8, instructions = 200;
  unsigned registers = 24;  // few registers make many hazards, hits and stale copies
  unsigned slots = 6;       // most sources of an instruction
  bool barriers = false;    // every warp of a CTA reaches the same number of barriers
  bool control = false;     // branches, of which about half jump; atomics; an exit at the end
};
Program random_program(std::uint64_t seed, const RandomOptions& options);

}  // namespace subcore::test
