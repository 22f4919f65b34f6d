// Bypassing collectors in cycles (BOW), on a whole sub-core. Tables are derived as in collect_test.cpp, with
// three more rules:
// * A collector takes one instruction per cycle as long as its window has room.
// * An operand in the window is there one cycle after the issue.
// * A result that is written back in w is in the window for an issue in w+1.
#include <catch2/catch.hpp>

#include "subcore/model/passes/annotation.h"
#include "subcore/modules/collector/boc.h"
#include "tests/module/bench.h"

namespace bypass_test {

using namespace subcore;
using namespace subcore::test;

namespace {

const Boc& collector(Bench& b, unsigned c = 0) {
  return dynamic_cast<const Boc&>(b.sm.sub_cores[0].collectors[c]);
}

const Op nothing = alu({}, {});

}  // namespace

TEST_CASE("an instruction shares the deliveries of the one before it") {
  Program program;
  program.add({{alu({4}, {2, 1}), alu({5}, {1, 2}, ExecutionClass::single)}});
  Bench bench("bench", bow(), program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "3: issue 1.0 c0",
                                "4: issue 1.1 c0",  // 1.0 has nothing here yet; all of its operands are on
                                                    // their way
                                "4: read 1.R2 b0 c0",
                                "5: read 1.R1 b1 c0",       // a single port S
                                "6: dispatch 1.0 integer",  // both complete in 6: the older first
                                "7: dispatch 1.1 single",
                                "11: port_d 1.R4 c0",
                                "11: write 1.R4 b0",  // write-through
                                "12: port_d 1.R5 c0",
                                "12: release 1.0",
                                "12: write 1.R5 b1",
                                "13: release 1.1",
                            });
  CHECK(collector(bench).counters().source_operands == 4);
  CHECK(collector(bench).counters().hits == 2);
  CHECK(collector(bench).counters().result_writes == 2);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a result waits in the window and goes to the banks when it slides out") {
  Program program;
  program.add({{alu({4}, {}), alu({}, {4}), nothing, nothing, nothing}});
  Bench bench("bench", bow_wr(), program);
  run_cycles(100);
  CHECK(bench.log.rows({"issue", "read", "port_d", "write", "back", "release 1.0"}) ==
        Rows{
            "3: issue 1.0 c0",
            "9: port_d 1.R4 c0",  // dispatched 4; no bank write
            "10: issue 1.1 c0",   // R4 is hit
            "10: release 1.0",
            "11: issue 1.2 c0",
            "12: issue 1.3 c0",
            "13: issue 1.4 c0",  // the third after 1.1, R4's last reader
            "14: back s0.R4 b0",
        });
  CHECK(collector(bench).window().counters().write_backs == 1);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a result whose slot slides out as it is sent is written back by the collector") {
  // 1.0's result is sent in 9. 1.3 waits for 1.1's, which takes two cycles: released and issued in 9, too. R4
  // arrives in 10, finds no slot and goes out again, before 1.4 (issued 10) can read the bank.
  Program program;
  program.add({{alu({4}, {}), alu({6}, {}, ExecutionClass::half), nothing, alu({}, {6}), alu({}, {4})}});
  PlatformParameters p = bow_wr();
  p.sub_core.execution.of(ExecutionClass::half).latency = 2;
  Bench bench("bench", p, program);
  run_cycles(100);
  CHECK(bench.log.rows({"issue", "read", "port_d", "write", "back"}) == Rows{
                                                                            "3: issue 1.0 c0",
                                                                            "4: issue 1.1 c0",
                                                                            "5: issue 1.2 c0",
                                                                            "8: port_d 1.R6 c0",
                                                                            "9: issue 1.3 c0",
                                                                            "9: port_d 1.R4 c0",
                                                                            "10: issue 1.4 c0",
                                                                            "11: back s0.R4 b0",
                                                                            "12: read 1.R4 b0 c0",
                                                                        });
  CHECK(collector(bench).counters().late_write_backs == 1);
  CHECK(bench.sm.check().stale() == 0);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a result whose slot has gone before goes to its bank like any other") {
  Program program;
  program.add({{alu({4}, {}), nothing, nothing, nothing}});
  Bench bench("bench", bow_wr(), program);
  run_cycles(100);
  CHECK(bench.log.rows({"port_d", "write", "back"}) == Rows{"9: write 1.R4 b0"});
}

TEST_CASE("passes: to the banks only, to the window only") {
  Program program;
  program.add(
      {{alu({4}, {}), alu({5}, {}, ExecutionClass::single), alu({}, {4, 5}), nothing, nothing, nothing}});
  Annotation banks, window;
  banks.to_window = 0;
  window.to_banks = 0;
  program.code.instructions[0].annotation = &banks;
  program.code.instructions[1].annotation = &window;
  Bench bench("bench", bow_wr(), program);
  run_cycles(100);
  CHECK(bench.log.rows({"port_d", "write", "back", "read"}) == Rows{
                                                                   "9: write 1.R4 b0",    // dispatched 4
                                                                   "10: port_d 1.R5 c0",  // dispatched 5
                                                                   "12: read 1.R4 b0 c0",
                                                               });  // and R5 is never written
  CHECK(collector(bench).counters().hits == 1);
}

TEST_CASE("the memory instructions of a warp leave in order") {
  // Operands take three cycles more. 1.2 has R1 from 1.0 in 8; 1.1 gets R2 in 9 and R3 in 10.
  Program program, other;
  program.add({{alu({}, {1}, ExecutionClass::half), load({8}, {2, 3}, 0), load({9}, {1}, 512)}});
  other.add(
      {{alu({}, {1}, ExecutionClass::half), load({8}, {2, 3}, 0), alu({9}, {1}, ExecutionClass::single)}});
  PlatformParameters p = bow();
  p.sub_core.register_file.read_latency = 3;
  Bench bench("bench", p, program), passes("passes", p, other);
  run_cycles(30);
  CHECK(bench.log.rows({"dispatch", "read"}) == Rows{
                                                    "4: read 1.R1 b1 c0",
                                                    "5: read 1.R2 b0 c0",
                                                    "6: read 1.R3 b1 c0",
                                                    "8: dispatch 1.0 half",
                                                    "10: dispatch 1.1 load_store",
                                                    "11: dispatch 1.2 load_store",
                                                });
  // An instruction that accesses no memory passes the load.
  CHECK(passes.log.rows({"dispatch"}) ==
        Rows{"8: dispatch 1.0 half", "9: dispatch 1.2 single", "10: dispatch 1.1 load_store"});
}

TEST_CASE("a collector holds as many instructions as its window, or one") {
  Program program;
  program.add({{alu({}, {1}, ExecutionClass::half), nothing, nothing, nothing}});
  PlatformParameters two = bow(), one = bow();
  two.sub_core.collector.kind.as<BocChoice>().window = 2;
  one.sub_core.collector.kind.as<BocChoice>().in_flight = InFlight::one;
  for (auto* p : {&two, &one}) p->sub_core.register_file.read_latency = 10;
  Bench span("span", two, program), single("single", one, program);
  run_cycles(100);
  // R1 comes in 15. With IW = 2 the third instruction waits until the first leaves, though the second has
  // left. The integer unit takes one every two cycles.
  CHECK(span.log.rows({"issue", "dispatch"}) ==
        Rows{"3: issue 1.0 c0", "4: issue 1.1 c0", "5: dispatch 1.1 integer", "15: dispatch 1.0 half",
             "15: issue 1.2 c0", "16: dispatch 1.2 integer", "16: issue 1.3 c0", "18: dispatch 1.3 integer"});
  CHECK(single.log.rows({"issue"}) ==
        Rows{"3: issue 1.0 c0", "15: issue 1.1 c0", "16: issue 1.2 c0", "17: issue 1.3 c0"});
}

TEST_CASE("after a branch: go on, wait, or begin a new window if it was taken") {
  Program falls, jumps;
  for (Program* p : {&falls, &jumps}) p->add({{alu({4}, {}), branch(), alu({}, {4})}});
  jumps.code.instructions[2].pc = 512;
  PlatformParameters ignore = bow_wr(), wait = bow_wr(), flush = bow_wr();
  ignore.sub_core.collector.branch = BranchHandling::ignore;
  wait.sub_core.collector.branch = BranchHandling::wait;
  flush.sub_core.collector.branch = BranchHandling::flush_on_taken;
  Program after;
  after.add({{branch(), nothing}});
  Bench goes_on("goes_on", ignore, after), waits("waits", wait, after);
  Bench same("same", flush, falls), fresh("fresh", flush, jumps);
  run_cycles(100);
  CHECK(goes_on.log.rows({"issue"}) == Rows{"3: issue 1.0 c0", "4: issue 1.1 c0"});
  // Dispatched 4, at write-back in 9, retired in 10.
  CHECK(waits.log.rows({"issue"}) == Rows{"3: issue 1.0 c0", "10: issue 1.1 c0"});
  CHECK(same.log.rows({"read", "back"}).empty());
  // R4 is released in 10: written back before it is read from the bank.
  CHECK(fresh.log.rows({"read", "back"}) == Rows{"11: back s0.R4 b0", "12: read 1.R4 b0 c0"});
  CHECK(collector(fresh).window().counters().flushes == 1);
}

TEST_CASE("another warp in the slot finds nothing, and what the first left is dropped") {
  Program program;
  program.add({{alu({4}, {})}});
  program.add({{alu({5}, {4})}});
  Bench bench("bench", bow_wr(), program);
  run_cycles(100);
  CHECK(bench.finished());
  CHECK(bench.log.rows({"back", "write"}).empty());
  CHECK(collector(bench).counters().hits == 0);
  CHECK(collector(bench).window().counters().died == 1);
  CHECK(bench.leftovers().empty());
}

}  // namespace bypass_test
