// Operand collection in cycles, on a whole sub-core with OCUs. Every table is worked out by hand from these
// rules:
// * The operands of an instruction that issues at t ask the banks in t+1.
// * A grant reads and delivers in one cycle, and dispatch follows the last delivery by one cycle.
// * With dispatch at d and latency L, the result is written back in d+1+L.
// * The scoreboard is clear in the cycle after the write-back.
//
// A collector whose latch is empty is free for issue in the cycle in which its operands are there. The
// collector's instruction is dispatched in the same cycle unless the unit is busy. The first warp issues
// first in 3 (CTA sent 0, placed 1, fetch 2). Bank = (register + warp slot) mod 2.
#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/in_order.h"
#include "tests/module/bench.h"

namespace collect_test {

using namespace subcore;
using namespace subcore::test;

namespace {
// OCUs are drawn at random. For a table they are taken in turn.
PlatformParameters in_turn(unsigned collectors) {
  PlatformParameters p = baseline(collectors);
  p.sub_core.collector.allocation = "own_or_lru";
  return p;
}
}  // namespace

TEST_CASE("a miss, its write-back and the instruction that waits for it") {
  Program program;
  program.add({{alu({2}, {1}), alu({3}, {2})}});
  Bench bench("bench", baseline(1), program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "3: issue 1.0 c0",          // t
                                "4: read 1.R1 b1 c0",       // t+1
                                "5: dispatch 1.0 integer",  // t+2 = d
                                "10: write 1.R2 b0",        // d + 1 + 4
                                "11: issue 1.1 c0",         // the cycle after the write-back
                                "11: release 1.0",
                                "12: read 1.R2 b0 c0",
                                "13: dispatch 1.1 integer",
                                "18: write 1.R3 b1",
                                "19: release 1.1",
                            });
  // Released in 19. The player hears of the release in 20 and tells in 21. The dispatcher reports for 22.
  CHECK(bench.feeder.finish_cycle() == 22);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("an instruction without operands dispatches one cycle after its issue") {
  Program program;
  program.add({{alu({2}, {}), alu({4}, {1}).with_mask(0), alu({3}, {2})}});
  Bench bench("bench", baseline(1), program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "3: issue 1.0 c0",
                                "4: dispatch 1.0 integer",
                                "4: issue 1.1 c0",          // predicated off: no read, no write, no hazard
                                "6: dispatch 1.1 integer",  // the unit takes one every two cycles
                                "9: write 1.R2 b0",
                                "10: issue 1.2 c0",
                                "10: release 1.0",
                                "11: read 1.R2 b0 c0",
                                "12: dispatch 1.2 integer",
                                "12: release 1.1",  // dispatched 6, at write-back in 11
                                "17: write 1.R3 b1",
                                "18: release 1.2",
                            });
}

TEST_CASE("an instruction of 32 sources is collected by every kind of collector") {
  Registers sources;
  for (unsigned r = 1; r <= max_sources; ++r) sources.push_back(static_cast<Register>(r));
  Program program;
  program.add({{alu({40}, sources), alu({41}, sources)}});
  // Two banks with a port each: sixteen cycles from 4 on, and dispatch one cycle behind the last of them.
  // Kinds that keep values read nothing for the second instruction.
  struct Kind {
    const char* name;
    PlatformParameters parameters;
    std::size_t reads;
  };
  std::vector<Kind> kinds{
      {"ocu", baseline(1), 64}, {"ccu", malekeh(1), 32}, {"boc", bow(), 32}, {"boc_wr", bow_wr(), 32}};
  std::vector<std::unique_ptr<Bench>> benches;
  for (Kind& k : kinds) {
    k.parameters.sub_core.register_file.collector_port_limit = 0;
    k.parameters.sub_core.collector.slots = max_sources;
    k.parameters.sub_core.collector.entries = 40;
    benches.push_back(std::make_unique<Bench>(k.name, k.parameters, program));
  }
  run_cycles(200);
  for (std::size_t n = 0; n < kinds.size(); ++n) {
    CAPTURE(kinds[n].name);
    const Rows reads = benches[n]->log.rows({"read"}), dispatches = benches[n]->log.rows({"dispatch"});
    CHECK(reads.size() == kinds[n].reads);
    REQUIRE(reads.size() >= 32);
    CHECK(reads[0].find("4: ") == 0);
    CHECK(reads[31].find("19: ") == 0);
    REQUIRE(dispatches.size() == 2);
    CHECK(dispatches[0].find("20: ") == 0);
    CHECK(benches[n]->finished());
    CHECK(benches[n]->leftovers().empty());
    CHECK(benches[n]->sm.check().stale() == 0);
  }
}

TEST_CASE("a bank conflict and the limit of port S") {
  Program same, different;
  same.add({{alu({}, {1, 3})}});       // both in bank 1
  different.add({{alu({}, {1, 2})}});  // banks 1 and 0
  PlatformParameters unlimited = baseline(1);
  unlimited.sub_core.register_file.collector_port_limit = 0;
  PlatformParameters two_steps = baseline(1);
  two_steps.sub_core.register_file.steps_per_cycle = 2;
  Bench conflict("conflict", unlimited, same);
  Bench limited("limited", baseline(1), different);
  Bench wide("wide", unlimited, different);
  Bench fast("fast", two_steps, same);
  run_cycles(100);
  const std::vector<std::string> shown{"read", "dispatch"};
  // One single-ported bank: two cycles, whatever the port.
  CHECK(conflict.log.rows(shown) ==
        Rows{"4: read 1.R1 b1 c0", "5: read 1.R3 b1 c0", "6: dispatch 1.0 integer"});
  CHECK(conflict.sm.sub_cores[0].arbiter.counters().read_wait_cycles == 1);
  // Two banks, but one operand a cycle into the collector: the one asked for first goes first.
  CHECK(limited.log.rows(shown) ==
        Rows{"4: read 1.R1 b1 c0", "5: read 1.R2 b0 c0", "6: dispatch 1.0 integer"});
  CHECK(wide.log.rows(shown) == Rows{"4: read 1.R1 b1 c0", "4: read 1.R2 b0 c0", "5: dispatch 1.0 integer"});
  CHECK(wide.sm.sub_cores[0].arbiter.counters().read_wait_cycles == 0);
  // Two steps of the register file in one core cycle hide the conflict.
  CHECK(fast.log.rows(shown) == Rows{"4: read 1.R1 b1 c0", "4: read 1.R3 b1 c0", "5: dispatch 1.0 integer"});
}

TEST_CASE("read latency delays the delivery, not the grants") {
  Program program;
  program.add({{alu({}, {1, 3})}});
  PlatformParameters p = baseline(1);
  p.sub_core.register_file.read_latency = 3;
  Bench bench("bench", p, program);
  run_cycles(100);
  // The last grant is in 5; without latency it dispatches in 6.
  CHECK(bench.log.rows({"read", "dispatch"}) ==
        Rows{"4: read 1.R1 b1 c0", "5: read 1.R3 b1 c0", "9: dispatch 1.0 integer"});
}

TEST_CASE("a write beats a read on its bank") {
  // One OCU, integer latency 2. 1.0 has no operand: issue 3, dispatch 4, write R2 to bank 0 in 7. 1.1 keeps
  // the OCU until 6. So 1.2 issues in 6 and asks bank 0 for R4 in 7, when the write has the port.
  Program program;
  program.add({{alu({2}, {}), alu({11}, {1}, ExecutionClass::single), alu({13}, {4}, ExecutionClass::half)}});
  PlatformParameters p = baseline(1);
  p.sub_core.execution.of(ExecutionClass::integer).latency = 2;
  Bench bench("bench", p, program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "3: issue 1.0 c0",
                                "4: dispatch 1.0 integer",
                                "4: issue 1.1 c0",
                                "5: read 1.R1 b1 c0",
                                "6: dispatch 1.1 single",
                                "6: issue 1.2 c0",
                                "7: write 1.R2 b0",
                                "8: read 1.R4 b0 c0",
                                "8: release 1.0",
                                "9: dispatch 1.2 half",
                                "11: write 1.R11 b1",
                                "12: release 1.1",
                                "14: write 1.R13 b1",
                                "15: release 1.2",
                            });
  CHECK(bench.sm.sub_cores[0].arbiter.counters().read_wait_cycles == 1);
}

TEST_CASE("two results for one bank: the second waits in its latch") {
  // Two destinations in bank 0: one port, two cycles; the scoreboard waits for both.
  Program program;
  program.add({{alu({2, 4}, {})}});
  Bench bench("bench", baseline(1), program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{"3: issue 1.0 c0", "4: dispatch 1.0 integer", "9: write 1.R2 b0",
                                 "10: write 1.R4 b0", "11: release 1.0"});
  CHECK(bench.sm.sub_cores[0].arbiter.counters().write_wait_cycles == 1);
}

TEST_CASE("two collectors want one bank: the older request is read first") {
  // 1.0 asks bank 0 for R2, R4 in 4; 1.1 asks bank 0 for R6 and bank 1 for R1 in 5. R6 queues behind R4; R1
  // goes in parallel, into another collector.
  Program program;
  program.add({{alu({}, {2, 4}), alu({}, {6, 1}, ExecutionClass::single)}});
  Bench bench("bench", in_turn(2), program);
  run_cycles(100);
  CHECK(bench.log.rows({"issue", "read", "dispatch"}) == Rows{
                                                             "3: issue 1.0 c0",
                                                             "4: issue 1.1 c1",
                                                             "4: read 1.R2 b0 c0",
                                                             "5: read 1.R1 b1 c1",
                                                             "5: read 1.R4 b0 c0",
                                                             "6: dispatch 1.0 integer",
                                                             "6: read 1.R6 b0 c1",
                                                             "7: dispatch 1.1 single",
                                                         });
}

TEST_CASE("the head of a bank's queue blocks what is behind it") {
  // 1.0 asks bank 1 for R1, R3 and bank 0 for R2, all into c0. Port S takes them in operand order: 4, 5, 6.
  // 1.1 asks bank 0 for R4 in 5. Bank 0 is idle in 5 and c1 could take R4, but R2 is the head: R4 in 7.
  Program program;
  program.add({{alu({}, {1, 3, 2}), alu({}, {4}, ExecutionClass::single)}});
  Bench bench("bench", in_turn(2), program);
  run_cycles(100);
  CHECK(bench.log.rows({"read", "dispatch"}) == Rows{
                                                    "4: read 1.R1 b1 c0",
                                                    "5: read 1.R3 b1 c0",
                                                    "6: read 1.R2 b0 c0",
                                                    "7: dispatch 1.0 integer",
                                                    "7: read 1.R4 b0 c1",
                                                    "8: dispatch 1.1 single",
                                                });
  CHECK(bench.sm.sub_cores[0].arbiter.counters().read_wait_cycles == 0 + 1 + 2 + 2);
}

namespace {
// 1.0 collects six operands from bank 0, in 4..9 if nothing else wants the bank. 1.1 overwrites the last of
// them, R12, with a unit of latency 1.
Program overtaking() {
  Program program;
  program.add({{alu({}, {2, 4, 6, 8, 10, 12}, ExecutionClass::single), alu({12}, {})}});
  return program;
}
PlatformParameters quick(WarGuard guard) {
  PlatformParameters p = in_turn(2);
  p.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = guard;
  p.sub_core.execution.of(ExecutionClass::integer) = {1, 1};
  return p;
}
}  // namespace

TEST_CASE("the WAR guard holds a younger write until the older read is collected") {
  const Program program = overtaking();
  Bench collected("collected", quick(WarGuard::operand_collection), program);
  Bench retired("retired", quick(WarGuard::write_back), program);
  run_cycles(100);
  // Last read 9, collected and dispatched 10. Or: dispatch 10, write-back 15, released 16.
  CHECK(collected.log.rows({"issue", "dispatch", "write"}) ==
        Rows{"3: issue 1.0 c0", "10: dispatch 1.0 single", "10: issue 1.1 c1", "11: dispatch 1.1 integer",
             "13: write 1.R12 b0"});
  CHECK(retired.log.rows({"issue", "dispatch", "write"}) ==
        Rows{"3: issue 1.0 c0", "10: dispatch 1.0 single", "16: issue 1.1 c1", "17: dispatch 1.1 integer",
             "19: write 1.R12 b0"});
}

TEST_CASE("without the WAR guard the version check finds the overtaken read") {
  // Instruction 1.1 issues in 4, dispatches in 5 and writes R12 in 7. Instruction 1.0 reads R8, R10, R12 only
  // in 8, 9, 10, and finds version 1 where program order says 0. Then 1.0 dispatches in 11 and is checked at
  // the unit's input, in 12.
  const Program program = overtaking();
  Bench bench("bench", quick(WarGuard::off), program);
  try {
    run_cycles(100);
    FAIL("no error");
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/stale_operand");
    CHECK_THAT(report.get_msg(), Catch::Contains("cycle 12: w0 (s0)") && Catch::Contains("pc 0x0") &&
                                     Catch::Contains("R12 is version 1, program order demands 0"));
  }
  CHECK(bench.log.rows({"write", "read 1.R12"}) == Rows{"7: write 1.R12 b0", "10: read 1.R12 b0 c0"});
}

TEST_CASE("a collector takes an instruction in the cycle in which it gives one away") {
  // One OCU, port S one operand a cycle, two units in turn: an instruction of n sources every n + 1 cycles.
  const auto program = [](const Registers& sources) {
    Program p;
    WarpOps ops;
    for (unsigned n = 0; n < 6; ++n)
      ops.push_back(alu({}, sources, n % 2 == 0 ? ExecutionClass::integer : ExecutionClass::single));
    p.add({ops});
    return p;
  };
  const Program none = program({}), one = program({4}), two = program({4, 5}), three = program({4, 5, 6});
  Bench n("none", baseline(1), none), o("one", baseline(1), one), w("two", baseline(1), two),
      t("three", baseline(1), three);
  run_cycles(100);
  const auto issues = [](Bench& b) {
    std::vector<unsigned long> cycles;
    for (const std::string& row : b.log.rows({"issue"})) cycles.push_back(std::stoul(row));
    return cycles;
  };
  CHECK(issues(n) == std::vector<unsigned long>{3, 4, 5, 6, 7, 8});
  CHECK(issues(o) == std::vector<unsigned long>{3, 5, 7, 9, 11, 13});
  CHECK(issues(w) == std::vector<unsigned long>{3, 6, 9, 12, 15, 18});
  CHECK(issues(t) == std::vector<unsigned long>{3, 7, 11, 15, 19, 23});
}

TEST_CASE("the latch behind a collector holds one instruction until its unit is free") {
  // The unit takes an instruction every 10 cycles. Instruction 1.0 goes through the latch, 1.1 waits in the
  // latch from 5 on, and 1.2 keeps the collector until the latch is free. Instruction 1.1 dispatches in 14,
  // so that 1.2 moves and 1.3 issues in 15.
  Program program;
  program.add({{alu({}, {}), alu({}, {}), alu({}, {}), alu({}, {}, ExecutionClass::single)}});
  PlatformParameters p = baseline(1);
  p.sub_core.execution.of(ExecutionClass::integer) = {4, 10};
  Bench bench("bench", p, program);
  run_cycles(100);
  CHECK(bench.log.rows({"issue", "dispatch"}) == Rows{"3: issue 1.0 c0", "4: dispatch 1.0 integer",
                                                      "4: issue 1.1 c0", "5: issue 1.2 c0",
                                                      "14: dispatch 1.1 integer", "15: issue 1.3 c0",
                                                      "24: dispatch 1.2 integer", "25: dispatch 1.3 single"});
}

}  // namespace collect_test
