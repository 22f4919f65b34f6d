// Out-of-order issue in cycles (SOCGPU), on a whole sub-core. Tables are derived as in collect_test.cpp, with
// three more rules:
// * An instruction keeps its entry until write-back.
// * An instruction that waits for another may issue in the cycle in which it is released.
// * Two instructions are fetched a cycle: 0 and 1 may issue from 3 on, 2 and 3 from 4 on.
#include "subcore/model/policy/issue/socgpu.h"

#include <catch2/catch.hpp>

#include "tests/module/bench.h"

namespace socgpu_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Every column of the matrix is cleared at write-back.
const DependenceOptions literal{ControlRelease::write_back, OrderRelease::write_back,
                                OrderRelease::write_back, ControlRelease::write_back, true};

// OCUs are drawn at random. For a table they are taken in turn.
PlatformParameters in_turn() {
  PlatformParameters p = socgpu(baseline(2));
  p.sub_core.collector.allocation = "own_or_lru";
  p.sub_core.scheduler.issue.as<SocgpuChoice>().options = literal;
  return p;
}
PlatformParameters with(const DependenceOptions& o) {
  PlatformParameters p = in_turn();
  p.sub_core.scheduler.issue.as<SocgpuChoice>().options = o;
  return p;
}
constexpr MemorySpace shared = MemorySpace::shared;

// Cycles and instructions of the issue rows.
Rows issues(const Bench& b) {
  Rows rows;
  for (const std::string& r : b.log.rows({"issue"})) rows.push_back(r.substr(0, r.rfind(' ')));
  return rows;
}

}  // namespace

TEST_CASE("a younger independent add overlaps the stall of a load's user") {
  Program program;
  program.add({{load({2}, {1}, 0x100, shared), alu({3}, {2}), alu({4}, {5})}});
  Bench bench("bench", in_turn(), program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "3: issue 1.0 c0",
                                "4: issue 1.2 c1",
                                "4: read 1.R1 b1 c0",
                                "5: dispatch 1.0 load_store",
                                "5: read 1.R5 b1 c1",
                                "6: dispatch 1.2 integer",
                                "11: write 1.R4 b0",
                                "12: release 1.2",
                                "26: write 1.R2 b0",  // 5 + 1 + 20
                                "27: issue 1.1 c0",
                                "27: release 1.0",
                                "28: read 1.R2 b0 c0",
                                "29: dispatch 1.1 integer",
                                "34: write 1.R3 b1",
                                "35: release 1.1",
                            });
  CHECK(bench.sm.sub_cores[0].scheduler.counters().overtaken == 1);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a write waits for a slow reader, an independent instruction does not") {
  // 1.0 collects six operands from bank 0 in 4..9, dispatches in 10, is written back in 15.
  Program program;
  program.add({{alu({}, {2, 4, 6, 8, 10, 12}, ExecutionClass::single), alu({12}, {}), alu({13}, {})}});
  DependenceOptions collected = literal;
  collected.war_release = OrderRelease::operand_collection;
  Bench b("literal", in_turn(), program), c("collected", with(collected), program);
  run_cycles(100);
  CHECK(issues(b) == Rows{"3: issue 1.0", "4: issue 1.2", "16: issue 1.1"});
  CHECK(issues(c) == Rows{"3: issue 1.0", "4: issue 1.2", "10: issue 1.1"});
}

TEST_CASE("a store waits for an older load, a load passes it, a load waits for the store") {
  Program program;
  program.add({{load({2}, {1}, 0x100, shared), store({3}, 0x900, shared), load({4}, {5}, 0x2000)}});
  Program loads;
  loads.add({{load({2}, {1}, 0x100, shared), alu({6}, {2}), load({4}, {5}, 0x200, shared)}});
  DependenceOptions entered = literal;
  entered.memory_release = OrderRelease::operand_collection;
  Bench b("literal", in_turn(), program), e("entered", with(entered), program), l("loads", in_turn(), loads);
  run_cycles(1000);
  // The load: issue 3, dispatch 5, written back 26. The store: issue 27, dispatch 29, over in 30, written
  // back 31.
  CHECK(issues(b) == Rows{"3: issue 1.0", "27: issue 1.1", "32: issue 1.2"});
  // Each access goes when the access before is on its way: issued 3, read 4, gone 5; issued 5, read 6, gone
  // 7.
  CHECK(issues(e) == Rows{"3: issue 1.0", "5: issue 1.1", "7: issue 1.2"});
  CHECK(issues(l) == Rows{"3: issue 1.0", "4: issue 1.2", "27: issue 1.1"});
}

TEST_CASE(
    "a barrier waits for the store before it, a load behind it waits until it is passed, an add does not") {
  Program program;
  program.add({{store({1}, 0x100, shared), barrier(), load({2}, {3}, 0x100, shared), alu({4}, {5})}});
  Bench bench("bench", in_turn(), program);
  run_cycles(200);
  // The store: issue 3, dispatch 5, over in 6, written back 7. The barrier: issue 8, dispatch 9, written
  // back 14.
  CHECK(issues(bench) == Rows{"3: issue 1.0", "4: issue 1.3", "8: issue 1.1", "15: issue 1.2"});
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a barrier that has retired keeps loads back, and its entry, until the last warp arrives") {
  // Warp 2: load issue 4, dispatch 6, released 28; its user issue 28, dispatch 30, released 36; barrier issue
  // 36. The dispatcher hears in 37 and lets both go on from 38; warp 2's own barrier is written back in 42.
  Program program;
  program.add({{barrier(), load({2}, {1}, 0x100, shared), alu({4}, {})},
               {load({2}, {1}, 0x100, shared), alu({3}, {2}), barrier(), load({5}, {1}, 0x100, shared)}});
  PlatformParameters p = in_turn();
  p.sub_core.scheduler.instruction_buffer = 2;
  Bench bench("bench", p, program);
  run_cycles(200);
  // With two entries a warp, 1.2 is fetched only in 39, for 40, when the barrier has given its entry back.
  CHECK(issues(bench) == Rows{"3: issue 1.0", "4: issue 2.0", "28: issue 2.1", "36: issue 2.2",
                              "38: issue 1.1", "40: issue 1.2", "43: issue 2.3"});
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a branch waits for all older instructions, and fetching for the branch if it jumps") {
  Program jump, fall;
  jump.add({{alu({2}, {1}), branch(), alu({3}, {})}});
  fall.add({{alu({2}, {1}), branch(), alu({3}, {})}});
  jump.code.instructions[2].pc = 0x200;
  DependenceOptions quick = literal;
  quick.control_release = ControlRelease::issue;
  PlatformParameters late = in_turn();
  late.sub_core.scheduler.fetch_redirect = FetchRedirect::write_back;
  Bench a("literal", in_turn(), jump), b("at_issue", with(quick), jump), c("fall", with(quick), fall),
      d("late", late, jump);
  run_cycles(100);
  // 1.0: issue 3, dispatch 5, released 11. The branch: issue 11, dispatch 12, released 18.
  CHECK(issues(a) == Rows{"3: issue 1.0", "11: issue 1.1", "18: issue 1.2"});
  // The player knows of the branch in 12 and fetches for 13. Without a jump the instruction is there already.
  CHECK(issues(b) == Rows{"3: issue 1.0", "11: issue 1.1", "13: issue 1.2"});
  CHECK(issues(c) == Rows{"3: issue 1.0", "11: issue 1.1", "12: issue 1.2"});
  // Known to the player in 19, fetched for 20.
  CHECK(issues(d) == Rows{"3: issue 1.0", "11: issue 1.1", "20: issue 1.2"});
}

TEST_CASE("of two that are released together the lower entry goes first, whatever its age") {
  // Three entries. 1.0 leaves entry 0 in 10; 1.3 is fetched into it in 11. 1.1, the load: issue 4, dispatch
  // 6, released 28. Its users are 1.2 in entry 2 and 1.3 in entry 0.
  Program program;
  program.add({{alu({2}, {}), load({4}, {1}, 0x100, shared), alu({5}, {4}), alu({6}, {4})}});
  PlatformParameters p = in_turn();
  p.sub_core.scheduler.instruction_buffer = 3;
  Bench bench("bench", p, program);
  run_cycles(200);
  CHECK(issues(bench) == Rows{"3: issue 1.0", "4: issue 1.1", "28: issue 1.3", "29: issue 1.2"});
}

TEST_CASE("dependences that instructions find in the buffer are counted") {
  // 1.1 reads what 1.0 loads, 1.2 writes what 1.1 reads and 1.0 loads, 1.3 waits for all three to issue, 1.4
  // for 1.3. Two are fetched a cycle: 1.0, issued in 3, is there for long.
  Program program;
  program.add({{load({2}, {1}, 0x100, shared), alu({3}, {2}), alu({2}, {}), branch(), alu({4}, {})}});
  DependenceOptions quick = literal;
  quick.control_release = quick.older_release = ControlRelease::issue;
  Bench b("bench", with(quick), program);
  run_cycles(200);
  StatisticsGroup all;
  b.sm.sub_cores[0].scheduler.register_statistics(all);
  CHECK(all.sum("dependences_raw") == 1);
  CHECK(all.sum("dependences_war_waw") == 2);
  CHECK(all.sum("dependences_stop") == 1);
  CHECK(all.sum("dependences_control") == 2);
  CHECK(all.sum("dependences_order") == 0);
  CHECK(all.sum("dependences") == 6);
}

}  // namespace socgpu_test
