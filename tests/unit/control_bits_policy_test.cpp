#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/control_bits.h"
#include "subcore/model/policy/issue/unit_gate.h"
#include "tests/unit/made_instruction.h"

namespace control_bits_policy_test {

using namespace subcore;
using test::MadeInstruction;

namespace {

constexpr Cycle none = ~Cycle{0};

struct Controlled : MadeInstruction {
  explicit Controlled(unsigned stall = 1, std::uint32_t warp = 1) {
    code.control.stall = static_cast<std::uint8_t>(stall);
    code.controlled = true;
    instruction.warp_uid = warp;
  }
};

struct Window {
  explicit Window(HoldEffect effect = HoldEffect::freeze) : clock(effect), window(3, 46, clock) {}
  Instruction* candidate(Cycle now) {
    look_again = none;
    return window.candidate(now, look_again);
  }
  HoldClock clock;
  ControlBitsWindow window;
  Cycle look_again = none;
};

}  // namespace

TEST_CASE("control bits: the next instruction issues when the stall count has passed") {
  Window w;
  Controlled a(4), b;
  CHECK(w.window.insert(a.instruction, 3));
  CHECK_FALSE(w.window.insert(b.instruction, 4));
  CHECK(w.candidate(2) == nullptr);
  CHECK(w.look_again == 3);
  REQUIRE(w.candidate(3) == &a.instruction);
  w.window.issue(a.instruction, 3);
  CHECK(w.candidate(4) == nullptr);
  CHECK(w.look_again == 7);
  CHECK(w.window.blocked(4).cause == StallCause::stall_count);
  CHECK(w.window.blocked(4).instruction == &b.instruction);
  CHECK(w.candidate(7) == &b.instruction);
}

TEST_CASE("control bits: cycles that hold do not count, unless they are to") {
  for (const HoldEffect effect : {HoldEffect::freeze, HoldEffect::drift}) {
    Window w(effect);
    Controlled a(4), b;
    w.window.insert(a.instruction, 3);
    w.window.insert(b.instruction, 3);
    REQUIRE(w.candidate(3) == &a.instruction);
    w.window.issue(a.instruction, 3);
    w.clock.hold(5, 7);
    CHECK((w.candidate(7) == &b.instruction) == (effect == HoldEffect::drift));
    CHECK((w.candidate(8) == &b.instruction) == (effect == HoldEffect::drift));
    CHECK(w.candidate(9) == &b.instruction);
  }
}

TEST_CASE("control bits: an instruction that may issue before a counter has risen may not later") {
  Window w;
  Controlled load, user;
  load.code.control.write_barrier = 2;
  user.code.control.wait_mask = 4;
  w.window.insert(load.instruction, 3);
  w.window.insert(user.instruction, 3);
  w.window.issue(load.instruction, 3);
  CHECK(w.candidate(4) == &user.instruction);
  CHECK(w.look_again == 5);
  CHECK(w.candidate(5) == nullptr);
  CHECK(w.window.blocked(5).cause == StallCause::sb2);
  std::ostringstream text;
  CHECK(w.window.describe(text));
  CHECK_THAT(text.str(), Catch::Contains("waits for SB2"));
  CHECK_FALSE(w.window.drained());
  CHECK(w.window.retired(load.instruction));
  CHECK(w.candidate(30) == &user.instruction);
}

// The instruction that raises the counter issues six cycles after both were buffered.
TEST_CASE("control bits: a report says that the next instruction waits for copies, until they are done") {
  Window w;
  Controlled copy, wait;
  copy.code.control.write_barrier = 1;
  wait.code.pc = 0x30;
  wait.code.copies = CopyStep::wait;
  wait.code.awaited_counter = 1;
  w.window.insert(copy.instruction, 3);
  w.window.insert(wait.instruction, 3);
  const auto described = [&w] {
    std::ostringstream text;
    CHECK(w.window.describe(text));
    return text.str();
  };
  CHECK(described() == "2 buffered, 0 under way, next pc 0x0");
  w.window.issue(copy.instruction, 9);
  CHECK(described() == "1 buffered, 1 under way, next pc 0x30 waits for groups of copies");
  wait.code.open_groups = 1;  // the counter may be 1
  CHECK(described() == "1 buffered, 1 under way, next pc 0x30");
  wait.code.open_groups = 0;
  w.window.retired(copy.instruction);
  CHECK(described() == "1 buffered, 0 under way, next pc 0x30");
}

TEST_CASE("control bits: a barrier waits for older accesses, and others for its release") {
  Window w;
  Controlled store, barrier, next;
  store.code.kind = InstructionKind::store;
  store.code.execution = ExecutionClass::load_store;
  barrier.code.kind = InstructionKind::barrier;
  for (Controlled* i : {&store, &barrier, &next}) w.window.insert(i->instruction, 3);
  w.window.issue(store.instruction, 3);
  CHECK(w.candidate(20) == nullptr);
  CHECK(w.window.blocked(20).cause == StallCause::memory_order);
  const auto described = [&w] {
    std::ostringstream text;
    w.window.describe(text);
    return text.str();
  };
  CHECK_THAT(described(), Catch::EndsWith(", 1 accesses on their way to the load/store unit"));
  w.window.entered(store.instruction);
  CHECK_THAT(described(), !Catch::Contains("accesses"));
  REQUIRE(w.candidate(21) == &barrier.instruction);
  w.window.issue(barrier.instruction, 21);
  CHECK(w.candidate(40) == nullptr);
  CHECK(w.window.blocked(40).cause == StallCause::barrier);
  w.window.barrier_released();
  CHECK(w.candidate(41) == &next.instruction);
}

TEST_CASE("control bits: another warp in the slot does not wait for the last one's stall count") {
  Window w;
  Controlled exit(15, 1), first(1, 2);
  exit.code.control.yield = true;
  w.window.insert(exit.instruction, 3);
  w.window.issue(exit.instruction, 3);
  w.window.retired(exit.instruction);
  CHECK(w.window.drained());
  w.window.insert(first.instruction, 6);
  CHECK(w.candidate(6) == &first.instruction);
}

TEST_CASE("a unit of fixed latency takes an instruction an interval, others any number") {
  UnitGate::Intervals intervals{};
  intervals[static_cast<std::size_t>(ExecutionClass::single)] = 2;
  intervals[static_cast<std::size_t>(ExecutionClass::tensor_f32)] = 8;
  UnitGate gate(intervals);
  MadeInstruction add, tensor, load;
  add.code.execution = ExecutionClass::single;
  tensor.code.execution = ExecutionClass::tensor_f32;
  load.code.execution = ExecutionClass::load_store;
  MadeInstruction half_tensor;
  half_tensor.code.execution = ExecutionClass::tensor_f16;
  for (const MadeInstruction* i : {&add, &tensor, &load}) {
    CHECK(gate.opens(i->instruction, 10) == 10);
    gate.issued(i->instruction, 10);
  }
  CHECK(gate.opens(add.instruction, 11) == 12);
  CHECK(gate.opens(tensor.instruction, 11) == 18);
  CHECK(gate.opens(half_tensor.instruction, 11) == 18);  // the same unit
  CHECK(gate.opens(load.instruction, 11) == 11);
  CHECK(gate.opens(add.instruction, 30) == 30);
}

}  // namespace control_bits_policy_test
