// The code of a kernel, made at random: blocks, branches, loops, calls, lanes that leave and barriers, nested
// as a compiler nests them. Registers are drawn from those that were named shortly before, so that every kind
// of dependence is frequent within the reach of windows and caches.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "subcore/model/policy/random.h"
#include "tests/random/draws.h"
#include "tests/random/instruction_forms.h"

namespace subcore::random {

// The lanes that a predicate or a condition chooses, of those that run.
enum class LaneChoice : std::uint8_t { all, none, low_half, even, one, any };
std::uint32_t chosen(LaneChoice choice, std::uint32_t lanes, Random& random);

enum class AccessPattern : std::uint8_t { coalesced, strided, backwards, broadcast, scattered, permuted };

struct Line {
  std::uint64_t pc = 0;
  std::string text;  // destinations, opcode, sources, access width
  bool predicated = false;
  LaneChoice predicate = LaneChoice::any;
  unsigned bytes = 0;
  MemorySpace space = MemorySpace::none;
  AccessPattern pattern = AccessPattern::coalesced;
  std::uint32_t base = 0;  // the accesses' base, within their region
  unsigned reuse = 0;
  unsigned source_line = 0;
  std::string immediate;  // may be empty
  std::string operands;   // the sidecar's operands
};

enum class NodeKind : std::uint8_t { line, choice, loop, uniform_loop, leave, call, barrier };

// Lines by their index in Program::lines.
struct Node {
  NodeKind kind = NodeKind::line;
  int first = -1;   // the line itself; BSSY of a choice, or none; CALL, EXIT, BAR
  int branch = -1;  // BRA of a choice or loop
  int skip = -1;    // BRA over the second part of a choice
  int last = -1;    // BSYNC of a choice, or none; RET of a call
  LaneChoice condition = LaneChoice::any;
  unsigned trips = 1;     // a loop's trips, at most
  unsigned function = 0;  // a call's function
  unsigned id = 0;        // a uniform loop's number
  std::vector<Node> body, otherwise;
};

struct Function {
  std::vector<Node> body;
  int ret = -1;
};

struct ProgramShape {
  unsigned registers = 32;  // per thread, even, at least 8
  unsigned lines = 40;      // roughly
  unsigned pc_step = 16;
  std::uint64_t first_pc = 0;
  bool shared_memory = true, barriers = true, exits = true, reuse_flags = false;
};

struct Program {
  std::vector<Line> lines;  // in the order of their addresses
  std::vector<Node> main;
  std::vector<Function> functions;
  int exit = -1;  // the last line of main
};

Program make_program(const ProgramShape& shape, Draws& draws);

}  // namespace subcore::random
