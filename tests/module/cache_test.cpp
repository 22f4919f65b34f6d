// Caching collectors in cycles (Malekeh), on a whole sub-core. Tables are derived as in collect_test.cpp,
// with two more rules:
// * An instruction whose operands are all cached dispatches one cycle after its issue.
// * A near result that is written back in w can be hit by an issue in w+1.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/modules/collector/ccu.h"
#include "tests/module/bench.h"

namespace cache_test {

using namespace subcore;
using namespace subcore::test;

namespace {
const Ccu& collector(Bench& b, unsigned c = 0) {
  return dynamic_cast<const Ccu&>(b.sm.sub_cores[0].collectors[c]);
}

// The registers that came out of the banks, in order.
std::vector<std::string> read_registers(Bench& b) {
  std::vector<std::string> registers;
  for (const std::string& row : b.log.rows({"read"})) {
    const auto dot = row.find('.') + 1;
    registers.push_back(row.substr(dot, row.find(' ', dot) - dot));
  }
  return registers;
}
}  // namespace

TEST_CASE("the second instruction of a warp hits what the first collected") {
  Program program;
  program.add({{alu({4}, {2, 1}), alu({5}, {1, 2})}});
  Bench bench("bench", malekeh(1), program);
  run_cycles(100);
  CHECK(bench.log.rows({"issue", "read", "dispatch"}) == Rows{
                                                             "3: issue 1.0 c0",
                                                             "4: read 1.R2 b0 c0",
                                                             "5: read 1.R1 b1 c0",
                                                             "6: dispatch 1.0 integer",
                                                             // No read: in the latch in 7, the unit takes
                                                             // one every two cycles.
                                                             "6: issue 1.1 c0",
                                                             "8: dispatch 1.1 integer",
                                                         });
  CHECK(collector(bench).counters().source_operands == 4);
  CHECK(collector(bench).counters().hits == 2);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a far result stays out of the cache, a near one is hit") {
  Program absent, outdated, near;
  absent.add({{alu({4}, {2}), alu({6}, {4})}});    // far, not in the cache table
  outdated.add({{alu({2}, {2}), alu({6}, {2})}});  // far, and the cache table has the old value
  near.add({{alu({4}, {2}).near(0, 1), alu({6}, {4})}});
  Bench a("absent", malekeh(1), absent), o("outdated", malekeh(1), outdated), n("near", malekeh(1), near);
  run_cycles(100);
  CHECK(a.log.rows() == Rows{
                            "3: issue 1.0 c0",
                            "4: read 1.R2 b0 c0",
                            "5: dispatch 1.0 integer",
                            "10: invalidate 1.R4 c0",  // a look at the tags, no data
                            "10: write 1.R4 b0",
                            "11: issue 1.1 c0",
                            "11: release 1.0",
                            "12: read 1.R4 b0 c0",  // miss
                            "13: dispatch 1.1 integer",
                            "18: invalidate 1.R6 c0",
                            "18: write 1.R6 b0",
                            "19: release 1.1",
                        });
  CHECK(collector(a).counters().invalidations == 0);
  CHECK(o.log.rows({"read", "write", "port_d", "invalidate"}) ==
        Rows{"4: read 1.R2 b0 c0", "10: invalidate 1.R2 c0", "10: write 1.R2 b0", "12: read 1.R2 b0 c0",
             "18: invalidate 1.R6 c0", "18: write 1.R6 b0"});
  CHECK(collector(o).counters().invalidations == 1);
  CHECK(n.log.rows({"issue", "read", "dispatch", "write", "port_d"}) ==
        Rows{
            "3: issue 1.0 c0",
            "4: read 1.R2 b0 c0",
            "5: dispatch 1.0 integer",
            "10: port_d 1.R4 c0",
            "10: write 1.R4 b0",
            "11: issue 1.1 c0",
            "12: dispatch 1.1 integer",  // hit
            "17: write 1.R6 b0",
        });
  CHECK(n.sm.check().checked() == 2);
  CHECK(n.sm.check().stale() == 0);
}

TEST_CASE("a partly active result completes an entry but makes none") {
  // R4 is far at first, so that only the banks have it when one lane gets a new value.
  Program program;
  program.add({{alu({4}, {2}), alu({4}, {2}).near(0, 1).with_mask(1), alu({6}, {4}),
                alu({4}, {2}).near(0, 1).with_mask(1), alu({6}, {4})}});
  PlatformParameters ignore = malekeh(1);
  ignore.sub_core.collector.partial_write = PartialWrite::ignore;
  Bench safe("safe", malekeh(1), program), papers("papers", ignore, program);
  run_cycles(100);
  CHECK(read_registers(safe) == std::vector<std::string>{"R2", "R4"});
  CHECK(read_registers(papers) == std::vector<std::string>{"R2"});
  CHECK(collector(safe).counters().result_writes == 1);
  CHECK(collector(papers).counters().result_writes == 2);
  // Both reads of R4 are for all lanes, and the entry has one lane. The entry's version is right all the
  // same.
  CHECK(collector(safe).counters().incomplete_hits == 0);
  CHECK(collector(papers).counters().incomplete_hits == 2);
  CHECK(papers.sm.check().stale() == 0);
}

TEST_CASE("a result makes an entry when no lane that is left needs what it leaves alone") {
  struct Case {
    Case(const char* name, const WarpOps& ops, std::uint32_t lanes = ~0u) {
      program.add({ops});
      program.ctas[0].warps[0].lanes = lanes;
      bench = std::make_unique<Bench>(name, malekeh(1), program);
    }
    Program program;
    std::unique_ptr<Bench> bench;
  };
  const Op far = alu({4}, {2}).with_mask(0xff), near = alu({4}, {2}).near(0, 1).with_mask(0xff),
           read = alu({6}, {4}).with_mask(0xff);
  const Case older("older", {far, near, read}), half_warp("half_warp", {far, near, read}, 0xff),
      exited("exited", {far, exit_warp().with_mask(~0xffu), near, read}),
      some_left("some_left", {far, exit_warp().with_mask(~0x1ffu), near, read}), first("first", {near, read});
  run_cycles(100);
  const std::vector<std::string> cached{"R2"}, banks{"R2", "R4"};
  CHECK(read_registers(*older.bench) == banks);
  CHECK(read_registers(*half_warp.bench) == cached);
  CHECK(read_registers(*exited.bench) == cached);
  CHECK(read_registers(*some_left.bench) == banks);
  CHECK(read_registers(*first.bench) == cached);
}

TEST_CASE("of two near results in one cycle the first enters, the other outdates its copy") {
  // int with latency 6, dispatched 5, and sp with latency 4, dispatched 7, both write back in 12, to
  // different banks. Port D takes one: int is first in write-back order. R1's copy, collected in 6, is
  // outdated.
  Program program;
  program.add({{alu({2}, {2}).near(0, 1), alu({1}, {1}, ExecutionClass::single).near(0, 1),
                alu({7}, {2, 1}, ExecutionClass::half)}});
  PlatformParameters p = malekeh(1);
  p.sub_core.execution.of(ExecutionClass::integer).latency = 6;
  Bench bench("bench", p, program);
  run_cycles(100);
  const Rows rows = bench.log.rows();
  CHECK(Rows(rows.begin(), rows.begin() + 15) == Rows{
                                                     "3: issue 1.0 c0",
                                                     "4: read 1.R2 b0 c0",
                                                     "5: dispatch 1.0 integer",
                                                     "5: issue 1.1 c0",
                                                     "6: read 1.R1 b1 c0",
                                                     "7: dispatch 1.1 single",
                                                     "12: invalidate 1.R1 c0",
                                                     "12: port_d 1.R2 c0",
                                                     "12: write 1.R1 b1",
                                                     "12: write 1.R2 b0",
                                                     "13: issue 1.2 c0",
                                                     "13: release 1.0",
                                                     "13: release 1.1",
                                                     "14: read 1.R1 b1 c0",  // R2 is hit
                                                     "15: dispatch 1.2 half",
                                                 });
  CHECK(collector(bench).counters().invalidations == 1);
}

TEST_CASE("a flush: nothing of the first warp is left, and its late result is ignored") {
  // STHLD = 5. 1.0 leaves near R2 in the only CCU, which is free from 5 on. Warp 2 waits in 5..9 and takes
  // the CCU in 10. In this cycle 1.0's near result leaves for port D. The result arrives in 11 and finds warp
  // 2. 2.0 (far) frees the CCU in 12. 1.1 takes it back without waiting and misses R2 and R4.
  Program program;
  program.add({{alu({4}, {2}).near(1, 1), alu({6}, {4, 2})}, {alu({3}, {1})}});
  Bench bench("bench", malekeh(1, 5), program);
  run_cycles(100);
  CHECK(bench.log.rows({"issue", "read", "dispatch", "port_d", "write"}) == Rows{
                                                                                "3: issue 1.0 c0",
                                                                                "4: read 1.R2 b0 c0",
                                                                                "5: dispatch 1.0 integer",
                                                                                "10: issue 2.0 c0",
                                                                                "10: port_d 1.R4 c0",
                                                                                "10: write 1.R4 b0",
                                                                                "11: read 2.R1 b0 c0",
                                                                                "12: dispatch 2.0 integer",
                                                                                "12: issue 1.1 c0",
                                                                                "13: read 1.R4 b0 c0",
                                                                                "14: read 1.R2 b0 c0",
                                                                                "15: dispatch 1.1 integer",
                                                                                "17: write 2.R3 b0",
                                                                                "20: write 1.R6 b0",
                                                                            });
  CHECK(collector(bench).counters().late_results == 1);
  CHECK(collector(bench).counters().flushes == 2);
  CHECK(bench.sm.sub_cores[0].scheduler.counters().near_flushes == 1);
}

TEST_CASE("a warp without a CCU takes a near one after STHLD cycles of waiting") {
  // STHLD = 3. 1.0 leaves a near value, free from 5: warps 2 and 3 wait in 5, 6, 7, which counts 3, not 6;
  // warp 2 issues in 8. The counter starts again: free in 10, warp 3 waits in 10, 11, 12 and issues in 13.
  Program program;
  program.add({{alu({}, {2}).near(1, 0)}, {alu({}, {1}).near(1, 0)}, {alu({}, {1}).near(1, 0)}});
  Bench bench("bench", malekeh(1, 3), program);
  run_cycles(100);
  CHECK(bench.log.rows({"issue"}) == Rows{"3: issue 1.0 c0", "8: issue 2.0 c0", "13: issue 3.0 c0"});
  const auto& counters = bench.sm.sub_cores[0].scheduler.counters();
  CHECK(counters.cycles.by_state[static_cast<std::size_t>(IssueState::waiting)] == 6);
  CHECK(counters.near_flushes == 2);
}

TEST_CASE("a warp never holds two CCUs under malekeh") {
  // 1.1 is ready in 4 but its warp's CCU is busy until 1.0's dispatch in 5: it issues in 5, into the same.
  // Warp 2 takes the other one in 4: warps that own a free or no CCU go on.
  Program program;
  program.add({{alu({}, {2}), alu({}, {4}, ExecutionClass::single)}, {alu({}, {1}, ExecutionClass::half)}});
  Bench bench("bench", malekeh(2), program);
  run_cycles(100);
  Rows issues = bench.log.rows({"issue"});
  REQUIRE(issues.size() == 3);
  CHECK(issues[0].substr(0, 12) == "3: issue 1.0");
  CHECK(issues[1].substr(0, 12) == "4: issue 2.0");
  CHECK(issues[2].substr(0, 12) == "5: issue 1.1");
  CHECK(issues[0].substr(12) == issues[2].substr(12));
  CHECK(issues[0].substr(12) != issues[1].substr(12));
}

TEST_CASE("without stale_invalidate the version check finds the outdated copy") {
  // 1.0 collects R2, version 0, and writes version 1, which is far and kept out of the cache. 1.1 issues in
  // 11, hits the old copy and dispatches in 12. The unit looks at its operands in 13.
  Program program;
  program.add({{alu({2}, {2}), alu({6}, {2})}});
  PlatformParameters p = malekeh(1);
  p.sub_core.collector.kind.as<CcuChoice>().stale_invalidate = false;
  Bench bench("bench", p, program);
  try {
    run_cycles(100);
    FAIL("no error");
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/stale_operand");
    CHECK_THAT(report.get_msg(), Catch::Contains("cycle 13: w0 (s0)") && Catch::Contains("pc 0x10") &&
                                     Catch::Contains("R2 is version 0, program order demands 1"));
  }
}

}  // namespace cache_test
