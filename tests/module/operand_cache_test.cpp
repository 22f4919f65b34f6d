// Operand caches and two levels of warps in cycles (RFC, software RFC, LTRF), on a whole sub-core. Tables are
// derived as in collect_test.cpp, with three more rules:
// * A warp that becomes active in t may issue in t+2, or two cycles after the last of its registers has been
//   read from its bank.
// * A warp that is demoted in t writes back in t+2, and its place is free the cycle after the last write.
// * A hit is there hit_latency cycles after the request.
#include <deque>

#include <catch2/catch.hpp>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/operand_cache/ltrf.h"
#include "tests/module/bench.h"

namespace operand_cache_test {

using namespace subcore;
using namespace subcore::test;

namespace {

const OperandCache::Counters& cache(Bench& b) {
  return b.sm.sub_cores[0].operand_cache->counters();
}
std::uint64_t cycles_of(Bench& b, IssueState s) {
  return b.sm.sub_cores[0].scheduler.counters().cycles.by_state[static_cast<std::size_t>(s)];
}

// Annotations for the instructions of a program, in order.
std::deque<Annotation> annotations_for(Program& p) {
  return std::deque<Annotation>(p.code.instructions.size());
}
void give(Program& p, std::deque<Annotation>& annotations) {
  for (std::size_t n = 0; n < annotations.size(); ++n) p.code.instructions[n].annotation = &annotations[n];
}

// Warp 1 computes, loads, and waits for the load; warp 2 has one instruction.
Program load_and_wait() {
  Program program;
  program.add({{alu({2}, {}), load({4}, {2}, 0), alu({6}, {4})}, {alu({3}, {})}});
  return program;
}
PlatformParameters one_active(PendingReady ready = PendingReady::collector_free) {
  PlatformParameters p = rfc(1);
  p.sub_core.scheduler.two_level.active_warps = 1;
  p.sub_core.scheduler.two_level.pending_ready = ready;
  return p;
}

}  // namespace

TEST_CASE("RFC: a result stays out of the banks until its warp ends, and is hit") {
  Program program;
  program.add({{alu({2}, {1}), alu({3}, {2})}});
  PlatformParameters at_once = rfc(1);
  at_once.sub_core.operand_cache.hit_latency = 0;
  Bench bench("bench", rfc(1), program), fast("fast", at_once, program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "5: issue 1.0 c0",  // promoted in 3
                                "6: read 1.R1 b1 c0",
                                "7: dispatch 1.0 integer",
                                "13: issue 1.1 c0",  // R2 is in the cache in 12, and in no bank
                                "13: release 1.0",
                                "15: dispatch 1.1 integer",
                                "21: release 1.1",
                                "23: back s0.R2 b0",  // nothing of the warp is left in 21
                                "23: back s0.R3 b1",
                            });
  CHECK(bench.feeder.finish_cycle() == 24);
  CHECK(fast.log.rows() == Rows{
                               "5: issue 1.0 c0",
                               "6: read 1.R1 b1 c0",
                               "7: dispatch 1.0 integer",
                               "13: issue 1.1 c0",
                               "13: release 1.0",
                               "14: dispatch 1.1 integer",
                               "20: release 1.1",
                               "22: back s0.R2 b0",
                               "22: back s0.R3 b1",
                           });
  CHECK(cache(bench).searches == 2);
  CHECK(cache(bench).hits == 1);
  CHECK(cache(bench).misses == 1);
  CHECK(cache(bench).writes == 2);
  CHECK(cache(bench).write_backs == 2);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("RFC: a value that was read for the last time is not written back") {
  Program program;
  program.add({{alu({2}, {1}), alu({3}, {2})}});
  auto annotations = annotations_for(program);
  annotations[1].last_use = 1;
  give(program, annotations);
  Bench bench("bench", rfc(1), program);
  run_cycles(100);
  CHECK(bench.log.rows({"back"}) == Rows{"23: back s0.R3 b1"});
}

TEST_CASE("RFC: a demoted warp's values are in the banks before another takes its place") {
  const Program program = load_and_wait();
  Bench bench("bench", one_active(), program);
  run_cycles(1000);
  Rows rows = bench.log.rows();
  REQUIRE(rows.size() >= 11);
  rows.resize(11);
  CHECK(rows == Rows{
                    "5: issue 1.0 c0",
                    "6: dispatch 1.0 integer",
                    "12: issue 1.1 c0",  // hits R2
                    "12: release 1.0",
                    "14: dispatch 1.1 load_store",
                    "15: back s0.R2 b0",  // 1.2 waits for the load: demoted in 13
                    "18: issue 2.0 c0",   // the place is free in 16
                    "19: dispatch 2.0 integer",
                    "25: release 2.0",
                    "27: back s1.R3 b0",
                    bench.log.rows({"write"})[0],
                });
  // The load writes its bank, and its warp becomes active again when the load is released.
  const Rows writes = bench.log.rows({"write"}), issues = bench.log.rows({"issue"});
  REQUIRE(writes.size() == 1);
  REQUIRE(issues.size() == 4);
  CHECK(writes[0].find("write 1.R4 b0") != std::string::npos);
  CHECK(std::stoul(issues[3]) == std::stoul(writes[0]) + 1 + 2);
  CHECK(bench.log.rows({"read"}).size() == 1);  // R4
  const auto& counters = bench.sm.sub_cores[0].scheduler.counters();
  CHECK(counters.promotions == 3);
  CHECK(counters.demotions == 3);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("the three states of a scheduler with pending warps are counted") {
  const Program program = load_and_wait();
  Bench any("any", one_active(PendingReady::no_hazard), program);
  Bench with_collector("with_collector", one_active(), program);
  run_cycles(1000);
  using State = IssueState;
  CHECK(cycles_of(any, State::issued) == 4);
  CHECK(cycles_of(with_collector, State::issued) == 4);
  // Warp 2 could issue, but is pending: in 3 and 4; from 6 to 11, while 1.1 waits for R2; and from 13 to 15,
  // until warp 1 has left.
  CHECK(cycles_of(any, State::pending_ready) == 2 + 6 + 3);
  // The only collector is taken in 13.
  CHECK(cycles_of(with_collector, State::pending_ready) == 2 + 6 + 2);
  CHECK(any.log.rows() == with_collector.log.rows());
}

TEST_CASE("a ready active warp without a collector does not hide that a pending one is ready") {
  Program program;
  program.add({{alu({2}, {1})}, {alu({2}, {1})}, {alu({2}, {1})}});
  const auto platform = [](PendingReady ready) {
    PlatformParameters p = one_active(ready);
    p.sub_core.scheduler.two_level.active_warps = 2;
    p.sub_core.operand_cache.kind = "none";
    return p;
  };
  Bench any("any", platform(PendingReady::no_hazard), program);
  Bench with_collector("with_collector", platform(PendingReady::collector_free), program);
  run_cycles(100);
  // Warp 3 becomes active when warp 1 has ended. Its read of R1 wants the bank to which 2.0 writes in 12.
  CHECK(any.log.rows({"issue", "release"}) == Rows{"3: issue 1.0 c0", "5: issue 2.0 c0", "11: issue 3.0 c0",
                                                   "11: release 1.0", "13: release 2.0", "20: release 3.0"});
  using State = IssueState;
  // Warp 2 waits for the collector in 4. From 6 to 10 there is only warp 3, which has a collector from 7 on.
  CHECK(cycles_of(any, State::no_collector) == 0);
  CHECK(cycles_of(any, State::pending_ready) == 1 + 5);
  CHECK(cycles_of(with_collector, State::no_collector) == 1);
  CHECK(cycles_of(with_collector, State::pending_ready) == 4);
}

TEST_CASE("RFC: a narrow way back takes one register per cycle, and nothing passes what waits for it") {
  // Warp 1 leaves R2 and R3 behind in 21, and both are to be written in 23. In that cycle warp 2, whose 2.4
  // issues in 21 and 2.5 in 22, reads from the bank of R3.
  Program program;
  program.add({{alu({2}, {1}), alu({3}, {2})},
               {alu({3}, {1}), alu({4}, {3}), alu({5}, {2}), alu({6}, {2}), alu({}, {}), alu({7}, {2})}});
  PlatformParameters narrow = rfc(1);
  narrow.sub_core.operand_cache.write_back_port = 1;
  Bench wide("wide", rfc(1), program), bench("bench", narrow, program);
  run_cycles(100);
  const auto until = [](Bench& b, std::size_t rows) {
    Rows all = b.log.rows({"back", "read"});
    all.resize(std::min(rows, all.size()));
    return all;
  };
  const Rows before{"6: read 1.R1 b1 c0", "8: read 2.R1 b0 c0", "18: read 2.R2 b1 c0", "20: read 2.R2 b1 c0"};
  const auto with = [&](const Rows& more) {
    Rows all = before;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  CHECK(until(wide, 7) == with({"23: back s0.R2 b0", "23: back s0.R3 b1", "24: read 2.R2 b1 c0"}));
  CHECK(until(bench, 7) == with({"23: back s0.R2 b0", "24: back s0.R3 b1", "25: read 2.R2 b1 c0"}));
  CHECK(bench.leftovers().empty());
}

TEST_CASE("without a cache a warp becomes active at once, and its place is free at once") {
  const Program program = load_and_wait();
  PlatformParameters p = one_active();
  p.sub_core.operand_cache.kind = "none";
  Bench bench("bench", p, program);
  run_cycles(1000);
  Rows issues = bench.log.rows({"issue"});
  REQUIRE(issues.size() == 4);
  issues.pop_back();
  // 1.1 reads R2 in 11 and dispatches in 12: the collector is free.
  CHECK(issues == Rows{"3: issue 1.0 c0", "10: issue 1.1 c0", "12: issue 2.0 c0"});
}

TEST_CASE("software RFC: operands come from the levels that the compiler chose") {
  Program program;
  program.add({{alu({2}, {1}), alu({3}, {2, 1})}});
  auto annotations = annotations_for(program);
  annotations[0].strand_start = true;
  annotations[0].keep_source = 1;
  annotations[0].keep_entry[0] = 2;
  annotations[0].write_to[0] = {OperandLevel::lrf, 0};
  annotations[0].write_banks = 0;
  annotations[1].read_from[0] = {OperandLevel::lrf, 0};
  annotations[1].read_from[1] = {OperandLevel::orf, 2};
  give(program, annotations);
  Bench bench("bench", software_rfc(1), program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "5: issue 1.0 c0",
                                "6: read 1.R1 b1 c0",
                                "7: dispatch 1.0 integer",
                                "13: issue 1.1 c0",
                                "13: release 1.0",
                                "15: dispatch 1.1 integer",  // R2 from the LRF, R1 from the ORF
                                "20: write 1.R3 b1",
                                "21: release 1.1",
                            });
  CHECK(cache(bench).searches == 0);
  CHECK(cache(bench).hits == 2);
  CHECK(cache(bench).fills == 1);
  CHECK(cache(bench).writes == 1);
  CHECK(cache(bench).write_backs == 0);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("LTRF: an interval's registers are there before its first instruction issues") {
  Program program;
  program.add({{alu({2, 4}, {1}), alu({3}, {2})}});
  RegisterSet first, second;
  for (const unsigned r : {1, 2, 4}) first.set(r);
  for (const unsigned r : {2, 3}) second.set(r);
  auto annotations = annotations_for(program);
  annotations[0].working_set = &first;
  annotations[1].working_set = &second;
  annotations[1].interval = 1;
  give(program, annotations);
  Bench bench("bench", ltrf(1), program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "5: read 1.R1 b1 c1",  // the cache reads beside collector 0
                                "5: read 1.R2 b0 c1",
                                "6: read 1.R4 b0 c1",
                                "8: issue 1.0 c0",
                                "10: dispatch 1.0 integer",
                                "16: release 1.0",  // R2 and R4 are in the cache; 1.1 is of another interval
                                "18: back s0.R4 b0",
                                "18: read 1.R3 b1 c1",
                                "20: issue 1.1 c0",
                                "22: dispatch 1.1 integer",
                                "28: release 1.1",
                                "30: back s0.R2 b0",
                                "30: back s0.R3 b1",
                            });
  CHECK(cache(bench).hits == 2);
  CHECK(cache(bench).misses == 0);
  CHECK(cache(bench).prefetches == 4);
  CHECK(cache(bench).enters == 2);
  CHECK(bench.sm.sub_cores[0].scheduler.counters().interval_changes == 1);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("LTRF: a narrow prefetch crossbar takes one register per cycle") {
  Program program;
  program.add({{alu({2, 4}, {1})}});
  RegisterSet all;
  for (const unsigned r : {1, 2, 4}) all.set(r);
  auto annotations = annotations_for(program);
  annotations[0].working_set = &all;
  give(program, annotations);
  PlatformParameters p = ltrf(1);
  p.sub_core.operand_cache.kind.as<LtrfChoice>().prefetch_width = 1;
  Bench bench("bench", p, program);
  run_cycles(100);
  CHECK(bench.log.rows({"read"}).size() == 3);
  CHECK(bench.log.rows({"issue"}) == Rows{"9: issue 1.0 c0"});
}

}  // namespace operand_cache_test
