// The issue scheduler alone (issue_bench.h).
#include "subcore/model/policy/issue/in_order.h"
#include "tests/module/issue_bench.h"

namespace issue_scheduler_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Options = IssueOptions;

void play(const Rows& rows, const std::function<void(IssueBench&)>& script, const Options& options = {}) {
  expect<IssueBench>(rows, script, options);
}

Options any_free(unsigned collectors) {
  Options o;
  o.allocation = "any_free";
  o.collectors = collectors;
  return o;
}
Options guarded(WarGuard guard) {
  Options o = any_free(2);
  o.scheduler.issue.as<InOrderChoice>().war_guard = guard;
  return o;
}

// Two warps, each with a collector of its own and two independent instructions: i0 and i2, i1 and i3. c0 is
// free again as of 4, c1 as of 7.
void two_warps(IssueBench& b) {
  Instruction *i0 = b.fetch(0, 0, alu({1}, {})), *i1 = b.fetch(0, 1, alu({1}, {})),
              *i2 = b.fetch(1, 0, alu({2}, {})), *i3 = b.fetch(1, 1, alu({2}, {}));
  b.update(3, 0, i0);
  b.update(6, 1, i1);
  b.retire(9, {i0, i1, i2, i3});
}
const Rows two_warps_retire{"10: retired i0", "10: retired i1", "10: retired i2", "10: retired i3"};

Rows operator+(Rows one, const Rows& two) {
  one.insert(one.end(), two.begin(), two.end());
  return one;
}

// c1 is busy in 1, so i0 goes to c0. i1 writes what i0 reads.
Instruction* write_behind_read(IssueBench& b) {
  b.update(0, 1, nullptr, false);
  Instruction* i0 = b.fetch(0, 0, alu({1}, {2}));
  b.update(1, 1, nullptr);
  return i0;
}

}  // namespace

TEST_CASE("issue scheduler sockets: one a cycle, the greedy warp unless its collector is busy") {
  // In 2 warp 1, which issued last, has i2 but no collector: warp 2. In 4 c0 is free, in 7 c1.
  play(Rows{"1: credit s0", "1: issue i0 c0", "2: credit s1", "2: issue i1 c1", "4: credit s0",
            "4: issue i2 c0", "7: credit s1", "7: issue i3 c1"} +
           two_warps_retire,
       two_warps);
}

TEST_CASE("issue scheduler sockets: with stall a warp without a collector holds up the other") {
  // From 2 on warp 1 is the first choice and waits for c0, until 4. In 5 it has no instruction left.
  Options o;
  o.scheduler.alloc_fail = AllocationFailure::stall;
  play(Rows{"1: credit s0", "1: issue i0 c0", "4: credit s0", "4: issue i2 c0", "5: credit s1",
            "5: issue i1 c1", "7: credit s1", "7: issue i3 c1"} +
           two_warps_retire,
       two_warps, o);
}

TEST_CASE("issue scheduler sockets: warps in turn") {
  // Both collectors are free as of 5: after slot 1 it is slot 0's turn (a greedy scheduler would go on with
  // 1).
  Options o;
  o.scheduler.priority = "lrr";
  play(
      {"1: credit s0", "1: issue i0 c0", "2: credit s1", "2: issue i1 c1", "5: credit s0", "5: issue i2 c0",
       "6: credit s1", "6: issue i3 c1", "10: retired i0", "10: retired i1", "10: retired i2",
       "10: retired i3"},
      [](IssueBench& b) {
        Instruction *i0 = b.fetch(0, 0, alu({1}, {})), *i1 = b.fetch(0, 1, alu({1}, {})),
                    *i2 = b.fetch(1, 0, alu({2}, {})), *i3 = b.fetch(1, 1, alu({2}, {}));
        b.update(4, 0, i0);
        b.update(4, 1, i1);
        b.retire(9, {i0, i1, i2, i3});
      },
      o);
}

TEST_CASE("issue scheduler sockets: a status counts from its stamp on, whatever happens before") {
  // A status in 2 says that c0 is free as of 6. In 4 warp 2 has an instruction, too, and looks in vain. In 6
  // warp 1 is the greedy warp.
  play(
      {"1: credit s0", "1: issue i0 c0", "6: credit s0", "6: issue i1 c0", "8: credit s1", "8: issue i2 c0",
       "10: retired i0", "10: retired i1", "10: retired i2"},
      [](IssueBench& b) {
        Instruction *i0 = b.fetch(0, 0, alu({1}, {})), *i1 = b.fetch(1, 0, alu({2}, {}));
        b.update(2, 0, i0, true, 6);
        Instruction* i2 = b.fetch(3, 1, alu({1}, {}));
        b.update(7, 0, i1);
        b.retire(9, {i0, i1, i2});
      },
      any_free(1));
}

TEST_CASE("issue scheduler sockets: a write waits until the older read has left its collector") {
  // c1 is free in 2, but i0 leaves c0 as of 5 (and c0 stays busy). i2 reads what i0 writes, so i2 issues in
  // 8. c1 is free again since 7.
  play(
      {"1: credit s0", "1: issue i0 c0", "5: credit s0", "5: issue i1 c1", "8: credit s0", "8: issue i2 c1",
       "8: retired i0", "10: retired i1", "10: retired i2"},
      [](IssueBench& b) {
        Instruction *i0 = write_behind_read(b), *i1 = b.fetch(1, 0, alu({2}, {}));
        Instruction* i2 = b.fetch(2, 0, alu({3}, {1}));
        b.update(4, 0, i0, false);
        b.update(6, 1, i1);
        b.retire(7, {i0});
        b.update(9, 1, i2);
        b.retire(9, {i1, i2});
      },
      guarded(WarGuard::operand_collection));
}

TEST_CASE("issue scheduler sockets: without the guard a write does not wait for the older read") {
  play(
      {"1: credit s0", "1: issue i0 c0", "2: credit s0", "2: issue i1 c1", "8: retired i0", "8: retired i1"},
      [](IssueBench& b) {
        Instruction *i0 = write_behind_read(b), *i1 = b.fetch(1, 0, alu({2}, {}));
        b.update(4, 0, i0);
        b.retire(7, {i0, i1});
      },
      guarded(WarGuard::off));
}

TEST_CASE("issue scheduler sockets: with the guard at write-back a write waits for the older result") {
  play(
      {"1: credit s0", "1: issue i0 c0", "8: credit s0", "8: issue i1 c1", "8: retired i0", "10: retired i1"},
      [](IssueBench& b) {
        Instruction *i0 = write_behind_read(b), *i1 = b.fetch(1, 0, alu({2}, {}));
        b.update(4, 0, i0, false);
        b.retire(7, {i0});
        b.retire(9, {i1});
      },
      guarded(WarGuard::write_back));
}

TEST_CASE("issue scheduler sockets: a barrier waits for older accesses, and what follows it for the others") {
  // i0 has left its collector as of 3 and entered the load/store unit as of 6; the barrier opens as of 9.
  play(
      {"1: credit s0", "1: issue i0 c0", "6: barrier s0", "6: credit s0", "6: issue i1 c0", "9: credit s0",
       "9: issue i2 c0", "11: retired i0", "11: retired i1", "11: retired i2"},
      [](IssueBench& b) {
        Instruction *i0 = b.fetch(0, 0, load({4}, {2}, 0x100)), *i1 = b.fetch(1, 0, barrier());
        b.update(2, 0, i0);
        Instruction* i2 = b.fetch(3, 0, alu({5}, {}));
        b.at(5, [=, &b] { b.dispatcher.send({0, i0}, 6); });
        b.update(6, 0, i1);
        b.at(8, [&b] {
          BarrierTransfer open{9, 0, BarrierTransfer::Kind::released};
          b.barrier_sink.in.status(open);
        });
        b.retire(10, {i0, i1, i2});
      },
      any_free(1));
}

namespace {
// Logs the cycles from 4 on in which anything ticks: the script, or the scheduler.
struct WorkBench : IssueBench, BeatObserver {
  WorkBench(const sc_core::sc_module_name& bench_name, TickOrder order, const IssueOptions& o)
      : IssueBench(bench_name, order, o) {
    conductor.observe_beats(*this);
  }
  Cycle beat_done(Cycle cycle) override {
    if (cycle >= 4) log.add(cycle, "work");
    return never;
  }
};
// i0 writes R1 and reads R2; i1 is what comes behind it. c0 is free
// again as of 6.
void collector_free_again(WorkBench& b, const Op& behind) {
  Instruction *i0 = b.fetch(0, 0, alu({1}, {2})), *i1 = b.fetch(1, 0, behind);
  b.update(5, 0, i0);
  b.retire(9, {i0});
  b.update(13, 0, i1);
  b.retire(16, {i1});
}
}  // namespace

TEST_CASE("issue scheduler sockets: a collector that is free again is no reason to look at warps that wait") {
  // i1 waits for the result of i0. In 6 nothing ticks, and in 10 c0 is free.
  expect<WorkBench>(
      {"1: credit s0", "1: issue i0 c0", "5: work", "9: work", "10: credit s0", "10: issue i1 c0",
       "10: retired i0", "10: work", "11: work", "13: work", "14: work", "16: work", "17: retired i1",
       "17: work"},
      [](WorkBench& b) { collector_free_again(b, alu({3}, {1})); }, any_free(1));
}

TEST_CASE(
    "issue scheduler sockets: a collector that is free again is one where a warp waits for reads, too") {
  // i1 waits until i0 has read its source, and issues as of 6.
  expect<WorkBench>(
      {"1: credit s0", "1: issue i0 c0", "5: work", "6: credit s0", "6: issue i1 c0", "6: work", "7: work",
       "9: work", "10: retired i0", "10: work", "13: work", "14: work", "16: work", "17: retired i1",
       "17: work"},
      [](WorkBench& b) { collector_free_again(b, alu({2}, {})); }, any_free(1));
}

namespace {
Options malekeh() {
  Options o;
  o.allocation = "malekeh";
  o.collectors = 1;
  return o;
}
// c0 belongs to warp 1 and has a near value of warp 1. Warp 2 wants c0 from 1 on.
void wait_for_near(IssueBench& b) {
  b.at(0, [&b] {
    IssueTransfer n{1, nullptr, IssueTransfer::Kind::status, {1, true, true, true}};
    b.collectors[0].in.status(n);
  });
  b.set_sthld(0, 3);
  b.retire(6, {b.fetch(0, 1, alu({1}, {}))});
}
}  // namespace

TEST_CASE("issue scheduler sockets: a near value keeps its collector for as many cycles as STHLD says") {
  // Warp 2 waits in 1, 2 and 3.
  play({"4: credit s1", "4: issue i0 c0", "7: retired i0"}, wait_for_near, malekeh());
}

TEST_CASE("issue scheduler sockets: a new STHLD counts from its stamp on") {
  // Warp 2 has waited in 1 and 2 when the threshold becomes 1.
  play(
      {"3: credit s1", "3: issue i0 c0", "7: retired i0"},
      [](IssueBench& b) {
        wait_for_near(b);
        b.set_sthld(2, 1);
      },
      malekeh());
}

TEST_CASE("issue scheduler sockets: active warps enter and leave by way of the operand cache") {
  // One warp is active at a time. Warp 1 may issue as of 4, when its registers are there, is over in 7 and
  // has left as of 10; then warp 2.
  Options o = any_free(1);
  o.scheduler.two_level.active_warps = 1;
  o.has_cache = true;
  play(
      {"1: cache s0 enters i0", "4: cache s0 issued i0", "4: credit s0", "4: issue i0 c0",
       "7: cache s0 leaves", "7: retired i0", "10: cache s1 enters i1", "11: cache s1 issued i1",
       "11: credit s1", "11: issue i1 c0", "13: cache s1 leaves", "13: retired i1"},
      [](IssueBench& b) {
        Instruction *i0 = b.fetch(0, 0, alu({1}, {})), *i1 = b.fetch(0, 1, alu({1}, {}));
        b.registers_moved(3, 0);
        b.update(5, 0, i0);
        b.retire(6, {i0});
        b.registers_moved(9, 0);
        b.registers_moved(10, 1);
        b.retire(12, {i1});
        b.registers_moved(14, 1);
      },
      o);
}

}  // namespace issue_scheduler_socket_test
