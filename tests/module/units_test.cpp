// Execution units and the dispatch scheduler between test sockets.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/modules/dispatch_scheduler/dispatch_scheduler.h"
#include "subcore/modules/execution_unit/execution_unit.h"
#include "tests/module/kit.h"

namespace units_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// An eager source, the unit, and the write-back stage as a sink: a result stamped s is written in s, so its
// latch is free from s+1 on.
struct UnitBench : Stage {
  UnitBench(ExecutionUnitKind kind, const ExecutionParameters& timing, unsigned latches,
            std::vector<Instruction*> instructions)
      : Stage("stage"),
        check(true),
        source("source", std::move(instructions)),
        unit("unit", kind, timing, latches, check),
        sink("sink") {
    conductor.add(unit);
    conductor.add(source);
    source.out.bind(unit.unit_socket);
    unit.result_socket.bind(sink.in);
    sink.react = [this](ResultTransfer& t) { free_latch(t.stamp + 1); };
  }
  void free_latch(Cycle stamp) {
    ResultTransfer credit{stamp, nullptr};
    sink.in.credit(credit);
  }
  std::vector<std::uint64_t> order() const {
    std::vector<std::uint64_t> all;
    for (const ResultTransfer& t : sink.seen) all.push_back(t.instruction->sequence);
    return all;
  }
  OperandCheck check;
  EagerSource source;
  ExecutionUnit unit;
  Sink<ResultTransfer> sink;
};
using Cycles = std::vector<Cycle>;

}  // namespace

TEST_CASE("an execution unit: initiation interval and latency") {
  Instructions all;
  std::vector<Instruction*> three;
  for (int n = 0; n < 3; ++n) three.push_back(all.add(alu({2}, {}, ExecutionClass::single)));
  UnitBench b(ExecutionUnitKind::single, {}, 2, three);
  run_cycles(50);
  // 4,2: dispatched in d, the next in d+2; written back in d+1+4.
  CHECK(b.source.sent == Cycles{0, 2, 4});
  CHECK(b.sink.stamps() == Cycles{5, 7, 9});
  CHECK(b.unit.drained());
}

TEST_CASE("an execution unit with initiation interval 1 and latency 1") {
  Instructions all;
  std::vector<Instruction*> three;
  for (int n = 0; n < 3; ++n) three.push_back(all.add(alu({2}, {}, ExecutionClass::half)));
  ExecutionParameters timing;
  timing.of(ExecutionClass::half) = {1, 1};
  UnitBench b(ExecutionUnitKind::half, timing, 2, three);
  run_cycles(50);
  CHECK(b.source.sent == Cycles{0, 1, 2});
  CHECK(b.sink.stamps() == Cycles{2, 3, 4});
}

TEST_CASE("barriers and exits take their own turn in the integer unit") {
  Instructions all;
  std::vector<Instruction*> four;
  for (int n = 0; n < 2; ++n) four.push_back(all.add(alu({}, {}, ExecutionClass::barrier)));
  for (int n = 0; n < 2; ++n) four.push_back(all.add(alu({2}, {}, ExecutionClass::integer)));
  UnitBench b(ExecutionUnitKind::integer, {}, 2, four);
  run_cycles(50);
  // 1,1: dispatched in 0 and 1, over in 2 and 3. 4,2: in 2 and 4, over in 7 and 9.
  CHECK(b.source.sent == Cycles{0, 1, 2, 4});
  CHECK(b.sink.stamps() == Cycles{2, 3, 7, 9});
}

TEST_CASE("a tensor unit: results leave in the order in which they are finished, one a cycle") {
  Instructions all;
  ExecutionParameters timing;
  timing.of(ExecutionClass::tensor_f32) = {10, 1};
  timing.of(ExecutionClass::tensor_f16) = {8, 1};
  timing.of(ExecutionClass::tensor_int) = {4, 1};
  // Dispatched 0, 1, 2 with latencies 10, 4, 8: done in 11, 6, 11. The tie goes to the older.
  UnitBench b(
      ExecutionUnitKind::tensor, timing, 2,
      {all.add(alu({2}, {}, ExecutionClass::tensor_f32)), all.add(alu({4}, {}, ExecutionClass::tensor_int)),
       all.add(alu({6}, {}, ExecutionClass::tensor_f16))});
  run_cycles(50);
  CHECK(b.source.sent == Cycles{0, 1, 2});
  CHECK(b.order() == std::vector<std::uint64_t>{1, 0, 2});
  CHECK(b.sink.stamps() == Cycles{6, 11, 12});
}

TEST_CASE("an execution unit whose result latches are full withholds the credit") {
  Instructions all;
  std::vector<Instruction*> six;
  for (int n = 0; n < 6; ++n) six.push_back(all.add(alu({2}, {}, ExecutionClass::single)));
  UnitBench b(ExecutionUnitKind::single, {}, 1, six);
  const auto at_once = b.sink.react;
  b.sink.react = nullptr;  // the bank stays busy: the latch is not freed
  b.script.at(20, [&](Cycle now) {
    b.sink.react = at_once;
    b.free_latch(now + 1);
  });
  run_cycles(100);
  // Instruction 0: finished after 4, in the latch from 5 on. Instruction 2: finished after 6, but cannot
  // leave: blocked, known from 7 on. Instructions 4 and 6 are let in before that. Instruction 6 still gets
  // its credit, so 8 is the last one, and the credit of 8 is withheld. In 21 the latch is free, and 2's
  // result goes out, stamped 22. The latch turns around every two cycles: 24, 26, 28. In 27 the last finished
  // result has left. The credit counts from 28 on, and the sixth instruction runs 28 -> 33.
  CHECK(b.source.sent == Cycles{0, 2, 4, 6, 8, 28});
  CHECK(b.sink.stamps() == Cycles{5, 22, 24, 26, 28, 33});
  CHECK(b.unit.drained());
}

TEST_CASE("a unit checks the versions of its operands") {
  Instructions all;
  Instruction* stale = all.add(alu({2}, {7}, ExecutionClass::single));
  stale->operands[0].expected = 3;
  stale->operands[0].collected = {2, 0, stale->register_id(7), 0};
  UnitBench b(ExecutionUnitKind::single, {}, 1, {stale});
  CHECK_THROWS_WITH(run_cycles(10), Catch::Contains("unit: cycle 1: w1") &&
                                        Catch::Contains("R7 is version 2, program order demands 3"));
}

namespace {

// Three collectors, every unit a sink. Units return their credit at once (next dispatch in d+1) unless held.
struct DispatchBench : Stage {
  explicit DispatchBench(DispatchOrder order = DispatchOrder::oldest, unsigned load_store_queue = 8)
      : Stage("stage"), scheduler("scheduler", order, 3, load_store_queue), entered("entered") {
    conductor.add(scheduler);
    scheduler.entered_socket.bind(entered.in);
    for (unsigned c = 0; c < 3; ++c) {
      collectors.push_back(std::make_unique<Source<DispatchTransfer>>(("c" + std::to_string(c)).c_str()));
      collectors[c]->out.bind(scheduler.dispatch_socket[c]);
    }
    for (unsigned u = 0; u < execution_unit_count; ++u) {
      units.push_back(std::make_unique<Sink<DispatchTransfer>>(("u" + std::to_string(u)).c_str()));
      scheduler.unit_socket[u].bind(units[u]->in);
      units[u]->react = [this, u](DispatchTransfer& t) {
        rows.push_back(std::to_string(t.stamp - 1) + ": " + std::to_string(t.instruction->sequence));
        if (u == held) return;
        DispatchTransfer credit{t.stamp, t.instruction};
        units[u]->in.credit(credit);
      };
    }
  }
  // Collector `c` has everything in cycle `ready`.
  Instruction* ready(Cycle ready, unsigned c, ExecutionClass e) {
    return this->ready(ready, c, alu({2}, {}, e));
  }
  Instruction* ready(Cycle ready, unsigned c, const Op& op) {
    Instruction* i = all.add(op);
    script.at(ready - 1, [=](Cycle now) { collectors[c]->send(now, {0, i}); });
    return i;
  }
  unsigned held = ~0u;
  Instructions all;
  DispatchScheduler scheduler;
  Sink<EnteredTransfer> entered;
  std::vector<std::unique_ptr<Source<DispatchTransfer>>> collectors;
  std::vector<std::unique_ptr<Sink<DispatchTransfer>>> units;
  std::vector<std::string> rows;
};
constexpr auto i_ = ExecutionClass::integer;
constexpr auto s_ = ExecutionClass::single;
constexpr auto h_ = ExecutionClass::half;

}  // namespace

TEST_CASE("the dispatch scheduler sends one a cycle, ties round robin, the oldest first") {
  DispatchBench b;
  b.ready(1, 0, i_), b.ready(1, 1, s_), b.ready(1, 2, h_);     // 0, 1, 2: a tie of three
  b.ready(10, 1, i_), b.ready(11, 0, s_), b.ready(11, 2, h_);  // 3, then 4 and 5 tie
  b.ready(20, 2, i_), b.ready(20, 1, i_);                      // 6, 7 tie on one unit
  run_cycles(50);
  // 10: c1, so that the round starts at c2: 5 before 4. After c0 in 12 it starts at c1: 7 before 6.
  CHECK(b.rows ==
        std::vector<std::string>{"1: 0", "2: 1", "3: 2", "10: 3", "11: 5", "12: 4", "20: 7", "21: 6"});
  // The collector is free the cycle after.
  CHECK(b.collectors[1]->credits.size() == 3);
  CHECK(b.collectors[1]->credits[0].stamp == 3);
  CHECK(b.scheduler.drained());
}

TEST_CASE("the dispatch scheduler prefers the one that waits longest") {
  DispatchBench b;
  b.held = static_cast<unsigned>(ExecutionUnitKind::integer);
  b.ready(1, 0, i_);  // 0 occupies the integer unit until 10
  b.ready(3, 2, i_);  // 1
  b.ready(4, 0, i_);  // 2
  b.script.at(9, [&](Cycle now) {
    b.held = ~0u;
    DispatchTransfer credit{now + 1, nullptr};
    b.units[0]->in.credit(credit);
  });
  run_cycles(50);
  // In 10 the round starts at c1, c2 is both next and older; in 11 c0 remains.
  CHECK(b.rows == std::vector<std::string>{"1: 0", "10: 1", "11: 2"});
}

TEST_CASE("the dispatch scheduler can take the collectors in turn") {
  DispatchBench b(DispatchOrder::round_robin);
  b.held = static_cast<unsigned>(ExecutionUnitKind::integer);
  b.ready(1, 0, i_);  // 0 occupies the integer unit until 10
  b.ready(3, 2, i_);  // 1 waits longest
  b.ready(4, 1, i_);  // 2 is next in turn
  b.script.at(9, [&](Cycle now) {
    b.held = ~0u;
    DispatchTransfer credit{now + 1, nullptr};
    b.units[0]->in.credit(credit);
  });
  run_cycles(50);
  CHECK(b.rows == std::vector<std::string>{"1: 0", "10: 2", "11: 1"});
}

TEST_CASE("of one collector's instructions the dispatch scheduler considers the oldest") {
  DispatchBench b;
  b.held = static_cast<unsigned>(ExecutionUnitKind::integer);
  b.ready(1, 1, i_);  // 0 occupies the integer unit until 10
  b.ready(4, 0, s_);  // 1 is complete after 2, but before it in the program
  b.ready(3, 0, i_);  // 2 waits for the unit
  b.ready(5, 0, s_);  // 3 could go, but 2 is ahead of it
  b.script.at(9, [&](Cycle now) {
    b.held = ~0u;
    DispatchTransfer credit{now + 1, nullptr};
    b.units[0]->in.credit(credit);
  });
  run_cycles(50);
  CHECK(b.rows == std::vector<std::string>{"1: 0", "4: 1", "10: 2", "11: 3"});
  CHECK(b.scheduler.drained());
}

TEST_CASE("the dispatch scheduler passes over a busy unit") {
  DispatchBench b;
  b.held = static_cast<unsigned>(ExecutionUnitKind::integer);
  b.ready(1, 0, i_);  // 0
  b.ready(5, 1, i_);  // 1 waits for the unit
  b.ready(6, 2, s_);  // 2 is younger but can go
  b.script.at(24, [&](Cycle now) {
    DispatchTransfer credit{now + 1, nullptr};
    b.units[0]->in.credit(credit);
  });
  run_cycles(50);
  CHECK(b.rows == std::vector<std::string>{"1: 0", "6: 2", "25: 1"});
}

TEST_CASE("the dispatch scheduler tells what has entered the load/store unit, if barriers wait for it") {
  DispatchBench b;
  b.ready(1, 0, load({2}, {1}, 0x100));
  b.ready(1, 1, i_);
  b.ready(1, 2, load({2}, {1}, 0x100, MemorySpace::constant));
  b.ready(9, 0, store({1}, 0x100));
  run_cycles(50);
  REQUIRE(b.entered.seen.size() == 2);
  CHECK(b.entered.seen[0].instruction->sequence == 0);
  CHECK(b.entered.seen[1].instruction->sequence == 3);
  CHECK(b.entered.stamps() == Cycles{2, 10});  // the unit has each a cycle after its dispatch
}

namespace {
// Two stores, 1 and 2, wait for the load/store unit; the turn is the younger one's.
std::vector<std::string> two_stores(bool one_warp) {
  DispatchBench b(DispatchOrder::round_robin, 1);
  b.held = static_cast<unsigned>(ExecutionUnitKind::load_store);
  b.ready(1, 0, store({1}, 0x100));  // 0 occupies the unit until 10
  b.ready(3, 2, store({1}, 0x100));
  Instruction* younger = b.ready(4, 1, store({1}, 0x100));
  if (!one_warp) younger->warp_uid = 9;
  b.script.at(9, [&](Cycle now) {
    b.held = ~0u;
    DispatchTransfer credit{now + 1, b.units.back()->seen[0].instruction};
    b.units.back()->in.credit(credit);
  });
  run_cycles(50);
  return b.rows;
}
}  // namespace

TEST_CASE("memory instructions of a warp keep their order whichever collector's turn it is") {
  CHECK(two_stores(true) == std::vector<std::string>{"1: 0", "10: 1", "11: 2"});
}

TEST_CASE("memory instructions of two warps go in turn") {
  CHECK(two_stores(false) == std::vector<std::string>{"1: 0", "10: 2", "11: 1"});
}

TEST_CASE("what is announced in a cycle does not hold back what goes in it") {
  DispatchBench b(DispatchOrder::round_robin);
  b.ready(1, 0, i_);                    // 0: the next turn is c1's
  b.ready(4, 2, load({2}, {}, 0x100));  // 1, announced in 3
  b.ready(3, 1, load({3}, {}, 0x200));  // 2 is younger, but there in 3
  run_cycles(50);
  CHECK(b.rows == std::vector<std::string>{"1: 0", "3: 2", "4: 1"});
}

}  // namespace units_test
