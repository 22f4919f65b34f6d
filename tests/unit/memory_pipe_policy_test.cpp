#include <catch2/catch.hpp>

#include "subcore/model/policy/fixed_window/memory_pipe.h"

namespace memory_pipe_policy_test {

using namespace subcore;

namespace {

StaticInstruction access(InstructionKind kind, MemorySpace space, unsigned bytes, unsigned sources) {
  StaticInstruction s;
  s.kind = kind;
  s.space = space;
  s.memory_bytes = static_cast<std::uint8_t>(bytes);
  s.source_count = static_cast<std::uint8_t>(sources);
  return s;
}

// Turing's distance from issue to the first write of a source, as measured: registers are read in the third
// cycle, and three cycles are behind addresses and data.
unsigned distance(const StaticInstruction& s) {
  return 3 + address_cycles(s) + data_cycles(s) + 3;
}

}  // namespace

TEST_CASE("memory instructions let go of their sources as measured on Turing") {
  using K = InstructionKind;
  using S = MemorySpace;
  for (const unsigned bytes : {4u, 8u, 16u}) {
    const unsigned data = bytes / 4;
    CHECK(distance(access(K::load, S::global, bytes, 2)) == 10);
    CHECK(distance(access(K::load, S::global, bytes, 0)) == 8);
    CHECK(distance(access(K::load, S::shared, bytes, 1)) == 8);
    CHECK(distance(access(K::load, S::shared, bytes, 0)) == 8);
    const unsigned more = 2 * (data - 1);
    CHECK(distance(access(K::store, S::global, bytes, 2 + data)) == 13 + more);
    CHECK(distance(access(K::store, S::global, bytes, data)) == 9 + more);
    CHECK(distance(access(K::store, S::shared, bytes, 1 + data)) == 11 + more);
    CHECK(distance(access(K::store, S::shared, bytes, data)) == 9 + more);
  }
}

TEST_CASE("a store of a byte reads a register, and one without operands none") {
  CHECK(data_registers(access(InstructionKind::store, MemorySpace::global, 1, 3)) == 1);
  CHECK(data_registers(access(InstructionKind::store, MemorySpace::global, 4, 0)) == 0);
  CHECK(data_cycles(access(InstructionKind::store, MemorySpace::global, 4, 0)) == 0);
}

}  // namespace memory_pipe_policy_test
