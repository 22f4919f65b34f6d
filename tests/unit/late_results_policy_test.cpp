#include <catch2/catch.hpp>

#include "subcore/model/policy/steering/near_filter.h"
#include "tests/unit/made_instruction.h"

namespace late_results_policy_test {

using namespace subcore;
using namespace subcore::test;

namespace {

std::vector<SteeredResult> written(LateResults& steering, const MadeInstruction& m, unsigned destination) {
  std::vector<SteeredResult> steered;
  const unsigned kept_out = steering.written(m.instruction, destination, steered);
  CHECK(kept_out == (steered.empty() || !steered[0].invalidate ? 0u : 1u));
  return steered;
}

}  // namespace

TEST_CASE("results that the compiler counts on do not come over port D, others do if they are near") {
  LateResults steering(0);
  for (const ExecutionClass c : {ExecutionClass::integer, ExecutionClass::single, ExecutionClass::half}) {
    MadeInstruction m({2});
    m.code.execution = c;
    m.instruction.destination_near = 1;
    CHECK(written(steering, m, 0).empty());
  }
  for (const ExecutionClass c : {ExecutionClass::load_store, ExecutionClass::double_, ExecutionClass::special,
                                 ExecutionClass::tensor_f32}) {
    MadeInstruction m({2, 3});
    m.code.execution = c;
    m.instruction.destination_near = 0b10;
    const auto far = written(steering, m, 0), near = written(steering, m, 1);
    REQUIRE((far.size() == 1 && near.size() == 1));
    CHECK((far[0].invalidate && !far[0].near && far[0].destination == 0));
    CHECK((!near[0].invalidate && near[0].near && near[0].destination == 1 && near[0].collector == 0));
  }
}

TEST_CASE("of late results port D takes its width a cycle") {
  LateResults steering(1);
  MadeInstruction m({2, 3}, {}, InstructionKind::load, MemorySpace::global);
  m.instruction.destination_near = 0b11;
  CHECK(!written(steering, m, 0)[0].invalidate);
  CHECK(written(steering, m, 1)[0].invalidate);
  steering.begin_cycle(1);
  CHECK(!written(steering, m, 1)[0].invalidate);
}

TEST_CASE("a late result of some lanes says which") {
  LateResults steering(0);
  MadeInstruction m({2}, {}, InstructionKind::load, MemorySpace::global);
  m.instruction.destination_near = 1;
  CHECK(written(steering, m, 0)[0].lanes == ~0u);
  m.instruction.mask = 3;
  CHECK(written(steering, m, 0)[0].lanes == 3);
}

}  // namespace late_results_policy_test
