// The issue scheduler's account of its cycles, by tables worked out by hand: per warp, as its observers hear
// it, and summed up.
#include <map>

#include "subcore/observers/stall_profile.h"
#include "tests/module/issue_bench.h"

namespace stall_cause_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct StallBench : IssueBench, TransferObserver<StallEvent> {
  StallBench(const sc_core::sc_module_name& name, TickOrder order, const IssueOptions& o, bool observes)
      : IssueBench(name, order, o) {
    if (!observes) return;
    scheduler.stall_port.observe(*this);
    scheduler.stall_port.observe(profile);
  }
  void transferred(const StallEvent& e) override {
    events.add(e.cycle, numbered("s", e.warp_slot) + " " + line_of(e.cause).name +
                            (e.instruction != nullptr ? numbered(" i", e.instruction->sequence) : ""));
  }
  // A transfer over port R: all operands are there as of `stamp`.
  void complete(Cycle t, unsigned c, Instruction* i, Cycle stamp) {
    at(t, [=] {
      IssueTransfer n{stamp, i, IssueTransfer::Kind::complete};
      collectors[c].in.status(n);
    });
  }
  Log events;
  InstructionRows rows;
  StallProfile profile{rows, 2};
};

// Every slot has a hundred cycles, and the instructions have as many of each cause as the slots.
void check_profile(StallBench& b) {
  b.profile.close(100);
  CauseCycles by_slot{}, by_instruction = b.rows.none().cycles;
  for (const InstructionRow& row : b.rows.rows())
    for (std::size_t c = 0; c < by_instruction.size(); ++c) by_instruction[c] += row.cycles[c];
  for (const CauseCycles& slot : b.profile.slots()) {
    std::uint64_t all = 0;
    for (std::size_t c = 0; c < slot.size(); ++c) {
      by_slot[c] += slot[c];
      all += slot[c];
    }
    CHECK(all == 100);
  }
  CHECK(by_slot == by_instruction);
  CHECK(by_slot[static_cast<std::size_t>(StallCause::issued)] == b.scheduler.counters().issued);
}

using Cycles = std::map<std::string, std::uint64_t>;

// Checks a hundred cycles of `script`. `events` are those of the warps, and `cycles` are the scheduler's, by
// cause, if not 0. The cycles are the same without observers.
void account(const Rows& events, const Cycles& cycles, const std::function<void(StallBench&)>& script,
             const IssueOptions& options = {}) {
  std::deque<StallBench> benches;
  for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled}) {
    for (const bool observes : {true, false}) {
      benches.emplace_back(numbered("bench", benches.size()).c_str(), order, options, observes);
      script(benches.back());
    }
  }
  run_cycles(100);
  for (std::size_t n = 0; n < benches.size(); ++n) {
    CAPTURE(n);
    IssueScheduler& s = benches[n].scheduler;
    s.end_run(100);
    if (n % 2 == 0) {
      CHECK(benches[n].events.rows() == events);
      check_profile(benches[n]);
    }
    Cycles found;
    std::map<IssueState, std::uint64_t> of_state;
    for (std::size_t c = 0; c < scheduler_cause_count; ++c) {
      const StallCauseLine& line = stall_causes[c];
      const std::uint64_t spent = s.counters().cycles.with(line.cause);
      if (spent != 0) found[line.name] = spent;
      of_state[line.state] += spent;
    }
    CHECK(found == cycles);
    std::uint64_t all = 0;
    for (const auto& [state, spent] : of_state) {
      CHECK(s.counters().cycles.by_state[static_cast<std::size_t>(state)] == spent);
      all += spent;
    }
    CHECK(all == 100);
    CHECK(benches[n].module().drained());
  }
}

IssueOptions any_free(unsigned collectors) {
  IssueOptions o;
  o.allocation = "any_free";
  o.collectors = collectors;
  return o;
}

void follow(Instruction* i) {
  i->followed = true;
}

}  // namespace

TEST_CASE("stall causes: a collector waits for operands, then for dispatch, then it is left") {
  // i1 finds c0 with i0, which has its operands as of 4 and leaves as of 7. i2 waits for i0's result, until
  // 10.
  account(
      {"1: s0 issue i0", "2: s0 operands i1", "4: s0 dispatch i1", "6: s0 turn_around i1", "7: s0 issue i1",
       "8: s0 raw_short i2", "10: s0 issue i2", "11: s0 draining", "14: s0 no_warp"},
      {{"no_warp", 1},
       {"issue", 3},
       {"operands", 2},
       {"dispatch", 2},
       {"turn_around", 1},
       {"raw_short", 2},
       {"draining", 3},
       {"drained", 86}},
      [](StallBench& b) {
        Instruction *i0 = b.fetch(0, 0, alu({1}, {2})), *i1 = b.fetch(1, 0, alu({3}, {2}));
        b.complete(3, 0, i0, 4);
        b.update(6, 0, i0);
        Instruction* i2 = b.fetch(6, 0, alu({4}, {1}));
        b.update(8, 0, i1);
        b.retire(9, {i0});
        b.update(11, 0, i2);
        b.retire(13, {i1, i2});
      },
      any_free(1));
}

TEST_CASE(
    "stall causes: of several collectors the one nearest to being free counts, update in between or not") {
  // c0 waits for operands until 9. c1 has its operands as of 4 and is left in 8. In 5 an instruction retires,
  // and the scheduler looks in vain.
  account(
      {"1: s0 issue i0", "1: s1 not_selected i1", "2: s0 draining", "2: s1 issue i1", "3: s0 operands i2",
       "3: s1 draining", "4: s0 dispatch i2", "8: s0 turn_around i2", "9: s0 issue i2", "10: s0 draining",
       "12: s0 no_warp", "12: s1 no_warp"},
      {{"no_warp", 1},
       {"issue", 3},
       {"operands", 1},
       {"dispatch", 4},
       {"turn_around", 1},
       {"draining", 2},
       {"drained", 88}},
      [](StallBench& b) {
        Instruction *i0 = b.fetch(0, 0, alu({1}, {2})), *i1 = b.fetch(0, 1, alu({1}, {2}));
        Instruction* i2 = b.fetch(2, 0, alu({3}, {}));
        b.complete(3, 1, i1, 4);
        b.retire(4, {i0});
        b.update(8, 1, i1);
        b.complete(8, 0, i0, 9);
        b.update(9, 0, i0);
        b.update(10, 1, i2);
        b.retire(11, {i1, i2});
      },
      [] {
        IssueOptions o = any_free(2);
        o.allocation = "own_or_lru";  // i0 to c0, i1 to c1
        return o;
      }());
}

TEST_CASE("stall causes: with a collector of its own a warp waits for that one only") {
  // c2 is free all the time, c1 has all operands; but the warp that is ready has c0.
  IssueOptions o;
  o.collectors = 3;
  account(
      {"1: s0 issue i0", "1: s1 not_selected i1", "2: s0 not_selected i2", "2: s1 issue i1",
       "3: s0 operands i2", "3: s1 draining", "6: s0 turn_around i2", "7: s0 issue i2", "8: s0 draining",
       "12: s0 no_warp", "12: s1 no_warp"},
      {{"no_warp", 1}, {"issue", 3}, {"operands", 3}, {"turn_around", 1}, {"draining", 4}, {"drained", 88}},
      [](StallBench& b) {
        Instruction *i0 = b.fetch(0, 0, alu({1}, {2})), *i1 = b.fetch(0, 1, alu({1}, {2}));
        Instruction* i2 = b.fetch(1, 0, alu({3}, {}));
        b.complete(3, 1, i1, 4);
        b.update(6, 0, i0);
        b.update(8, 0, i2);
        b.update(8, 1, i1);
        b.retire(11, {i0, i1, i2});
      },
      o);
}

TEST_CASE("stall causes: of several warps the one nearest to issuing counts") {
  // Warp 1 awaits a load until 9, warp 2 an integer until 6.
  account({"1: s0 issue i0", "1: s1 not_selected i1", "2: s0 raw_long i2", "2: s1 issue i1",
           "3: s1 raw_short i3", "6: s1 issue i3", "7: s1 draining", "9: s0 issue i2", "10: s0 draining",
           "12: s0 no_warp", "12: s1 no_warp"},
          {{"no_warp", 1}, {"issue", 4}, {"raw_short", 3}, {"raw_long", 2}, {"draining", 2}, {"drained", 88}},
          [](StallBench& b) {
            Instruction *i0 = b.fetch(0, 0, load({4}, {}, 0x100)), *i1 = b.fetch(0, 1, alu({4}, {})),
                        *i2 = b.fetch(1, 0, alu({5}, {4})), *i3 = b.fetch(1, 1, alu({5}, {4}));
            b.update(2, 0, i0);
            b.update(3, 1, i1);
            b.at(3, [=, &b] { b.dispatcher.send({0, i0}, 4); });
            b.retire(5, {i1});
            b.update(7, 1, i3);
            b.retire(8, {i0});
            b.update(9, 0, i2);
            b.retire(11, {i2, i3});
          });
}

TEST_CASE("stall causes: DEPBAR.LE waits until the first of two groups of copies is complete") {
  // Instruction i0 is a copy of the first group, which i1 ends. Instruction i2 is a copy of the second group,
  // which i3 ends. Then i4 lets one group be, and the load from shared memory is behind i4. The second
  // group's copy is over as of 9, the first group's as of 11.
  account({"1: s0 issue i0", "2: s0 turn_around i1", "3: s0 issue i1", "4: s0 issue i2", "5: s0 issue i3",
           "6: s0 copy_groups i4", "11: s0 issue i4", "12: s0 issue i5", "13: s0 draining", "14: s0 no_warp"},
          {{"no_warp", 1},
           {"issue", 6},
           {"turn_around", 1},
           {"copy_groups", 5},
           {"draining", 1},
           {"drained", 86}},
          [](StallBench& b) {
            Op copy = load({}, {4}, 0x100), end = alu({}, {}, ExecutionClass::load_store), wait = alu({}, {});
            copy.code.copies = CopyStep::copy;
            end.code.copies = CopyStep::end_group;
            wait.code.copies = CopyStep::wait;
            wait.code.open_groups = 1;
            Instruction *i0 = b.fetch(0, 0, copy), *i1 = b.fetch(1, 0, end), *i2 = b.fetch(2, 0, copy),
                        *i3 = b.fetch(4, 0, end), *i4 = b.fetch(5, 0, wait),
                        *i5 = b.fetch(6, 0, load({6}, {5}, 0, MemorySpace::shared));
            b.update(2, 0, i0);
            b.update(3, 0, i1);
            b.update(4, 0, i2);
            b.update(5, 0, i3);
            b.at(5, [=, &b] { b.dispatcher.send({0, i0}, 6); });
            b.at(6, [=, &b] { b.dispatcher.send({0, i2}, 7); });
            b.retire(6, {i1, i3});
            b.retire(8, {i2});
            b.retire(10, {i0});
            b.update(11, 0, i4);
            b.update(12, 0, i5);
            b.at(12, [=, &b] { b.dispatcher.send({0, i5}, 13); });
            b.retire(13, {i4, i5});
          });
}

TEST_CASE("stall causes: a warp whose next instruction is not there yet is being fetched") {
  // While i0 is under way, the cause is a hazard. Then no instruction is left. i1 comes in 8.
  account({"1: s0 issue i0", "2: s0 buffer_empty", "5: s0 fetch", "8: s0 issue i1", "9: s0 draining",
           "11: s0 no_warp"},
          {{"no_warp", 1}, {"issue", 2}, {"buffer_empty", 3}, {"fetch", 3}, {"draining", 2}, {"drained", 89}},
          [](StallBench& b) {
            Instruction* i0 = b.fetch(0, 0, alu({1}, {}));
            follow(i0);
            b.update(1, 0, i0);
            b.retire(4, {i0});
            Instruction* i1 = b.fetch(7, 0, alu({2}, {}));
            b.update(8, 0, i1);
            b.retire(10, {i1});
          });
}

TEST_CASE("stall causes: without a warp, the same kernel's come or no more of them do") {
  // i1 is of i0's kernel, i2 of the next, i3 of that, too.
  static KernelHeader kernels[2];
  kernels[0].id = 1;
  kernels[1].id = 2;
  account({"1: s0 issue i0", "2: s0 draining", "3: s0 no_warp", "6: s0 issue i1", "7: s0 draining",
           "8: s0 no_warp", "20: s0 issue i2", "21: s0 draining", "22: s0 no_warp", "30: s0 issue i3",
           "31: s0 draining", "32: s0 no_warp"},
          {{"issue", 4}, {"draining", 4}, {"no_warp", 1 + 3 + 8}, {"drained", 12 + 68}}, [](StallBench& b) {
            const Cycle arrive[] = {0, 5, 19, 29};
            for (unsigned n = 0; n < 4; ++n) {
              Instruction* i = b.fetch(arrive[n], 0, alu({1}, {}));
              i->kernel = &kernels[n / 2];
              b.update(arrive[n] + 1, 0, i);
              b.retire(arrive[n] + 2, {i});
            }
          });
}

TEST_CASE("stall causes: a warp held back by STHLD") {
  // c0 belongs to warp 1 and has a near value of warp 1. Warp 2 waits for three cycles.
  IssueOptions o;
  o.allocation = "malekeh";
  o.collectors = 1;
  account(
      {"1: s1 waiting i0", "4: s1 issue i0", "5: s1 draining", "7: s1 no_warp"},
      {{"no_warp", 1}, {"waiting", 3}, {"issue", 1}, {"draining", 2}, {"drained", 93}},
      [](StallBench& b) {
        b.at(0, [&b] {
          IssueTransfer n{1, nullptr, IssueTransfer::Kind::status, {1, true, true, true}};
          b.collectors[0].in.status(n);
        });
        b.set_sthld(0, 3);
        Instruction* i0 = b.fetch(0, 1, alu({1}, {}));
        b.update(4, 0, i0);
        b.retire(6, {i0});
      },
      o);
}

TEST_CASE("stall causes: warps that are not active") {
  // One warp is active at a time: warp 1, as of 4. c0 is free again as of 6, and until then no pending warp
  // could have issued. Warp 2's registers come in 10, when warp 2 is no longer pending.
  IssueOptions o = any_free(1);
  o.scheduler.two_level.active_warps = 1;
  o.has_cache = true;
  account(
      {"1: s0 not_active i0", "1: s1 not_active i1", "4: s0 issue i0", "5: s0 draining", "7: s0 no_warp",
       "11: s1 issue i1", "12: s1 draining", "13: s1 no_warp"},
      {{"no_warp", 1},
       {"pending_ready", 3 + 4},
       {"issue", 2},
       {"not_active", 1 + 1},
       {"draining", 1},
       {"drained", 87}},
      [](StallBench& b) {
        Instruction *i0 = b.fetch(0, 0, alu({1}, {})), *i1 = b.fetch(0, 1, alu({1}, {}));
        b.registers_moved(3, 0);
        b.update(5, 0, i0);
        b.retire(6, {i0});
        b.registers_moved(9, 0);
        b.registers_moved(10, 1);
        b.retire(12, {i1});
        b.registers_moved(14, 1);
        b.update(12, 0, i1);
      },
      o);
}

}  // namespace stall_cause_test
