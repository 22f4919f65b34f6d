// Causes that hold up issue in front of a fixed read window, by tables worked out by hand. The causes are the
// window's own stages, control bits, and a scoreboard in place of control bits. Cycles are counted as in
// fixed_window_test.cpp.
#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/in_order.h"
#include "tests/module/fixed_window_kit.h"

namespace fixed_window_stall_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Cycles of the scheduler's causes, without cycles before the first instruction and behind the last.
std::string causes(Bench& b) {
  IssueScheduler& s = b.sm.sub_cores[0].scheduler;
  s.end_run(500);
  std::string found;
  std::uint64_t all = 0;
  for (std::size_t c = 0; c < scheduler_cause_count; ++c) {
    const StallCauseLine& line = stall_causes[c];
    const std::uint64_t cycles = s.counters().cycles.with(line.cause);
    all += cycles;
    if (cycles != 0 && line.state != IssueState::empty && line.cause != StallCause::draining)
      found += (found.empty() ? "" : ", ") + std::string(line.name) + ' ' + std::to_string(cycles);
  }
  CHECK(all == 500);
  return found;
}

PlatformParameters with_scoreboard(WarGuard guard = WarGuard::queued_reads, std::uint32_t max_uses = 63) {
  PlatformParameters p = nvidia();
  p.sub_core.scheduler.issue = "in_order";
  auto& in_order = p.sub_core.scheduler.issue.as<InOrderChoice>();
  in_order.war_guard = guard;
  in_order.war_max_uses = max_uses;
  in_order.memory_guard = false;
  return p;
}

}  // namespace

// The first FFMA takes its bank for three cycles. Allocate holds the second until 6, Control the third.
TEST_CASE("fixed window: cycles in which Allocate holds are those of port_hold") {
  Program held, free;
  held.add({{multiply({30}, {10, 12, 14}, 1), multiply({31}, {16, 18, 20}, 1), multiply({32}, {}, 1),
             multiply({33}, {}, 1)}});
  free.add({{multiply({30}, {10, 12, 14}, 1), multiply({31}, {17, 19, 21}, 1), multiply({32}, {}, 1),
             multiply({33}, {}, 1)}});
  Bench holds("holds", nvidia(), held), goes("goes", nvidia(), free);
  run_cycles(500);
  CHECK(cycles_of(holds, "issue") == Cycles{0, 1, 2, 5});
  CHECK(causes(holds) == "issue 4, port_hold 2");
  CHECK(cycles_of(goes, "issue") == Cycles{0, 1, 2, 3});
  CHECK(causes(goes) == "issue 4");
}

// The queue has three places; its head reads for a cycle and then goes on every fourth.
TEST_CASE("fixed window: cycles without room in a queue are those of unit_queue") {
  WarpOps loads;
  for (unsigned n = 0; n < 10; ++n)
    loads.push_back(controlled(load({static_cast<Register>(20 + n)}, {2}, 0), 1));
  Program program;
  program.add({loads});
  Bench bench("bench", nvidia(), program);
  run_cycles(500);
  const Cycles issued = cycles_of(bench, "issue");
  REQUIRE(issued.size() == 10);
  CHECK(causes(bench) == "issue 10, unit_queue " + std::to_string(issued.back() + 1 - 10));
}

TEST_CASE("fixed window: what is waited for is a stall count, a yield, or a counter by its number") {
  Op load4 = controlled(load({4}, {2}, 0), 2), load6 = controlled(load({6}, {2}, 0), 2),
     reader = integer({20}, {}, 5), user = integer({21}, {}, 1);
  load4.code.control.write_barrier = 1;
  load6.code.control.write_barrier = 4;
  reader.code.control.wait_mask = 1 << 1;
  user.code.control.wait_mask = 1 << 1 | 1 << 4;
  Program program;
  program.add({{load4, load6, reader, user}});
  Bench bench("bench", nvidia(), program);
  run_cycles(500);
  const Cycles at = cycles_of(bench, "issue");
  REQUIRE(at.size() == 4);
  CHECK(at[1] == 2);
  // The first load's stall count takes a cycle. SB1 lasts longer than the second load's. The reader's stall
  // count takes four cycles, after which SB4 is over.
  CHECK(causes(bench) == "issue 4, stall_count 5, sb1 " + std::to_string(at[2] - 3));
}

TEST_CASE("fixed window: of several counters the last one is told of") {
  Op load4 = controlled(load({4}, {2}, 0), 2), user = integer({21}, {}, 1);
  load4.code.control.write_barrier = 0;
  load4.code.control.read_barrier = 5;
  user.code.control.wait_mask = 1 << 0 | 1 << 5;
  Program program;
  program.add({{load4, user}});
  Bench bench("bench", nvidia(), program);
  run_cycles(500);
  const Cycles at = cycles_of(bench, "issue");
  REQUIRE(at.size() == 2);
  // The address has been read when a writer might issue in 10.
  CHECK(causes(bench) == "issue 2, stall_count 1, sb0 " + std::to_string(at[1] - 10) + ", sb5 8");
}

TEST_CASE("fixed window: a scoreboard lets a chain go from bypass to bypass") {
  Program program;
  program.add({{multiply({2}, {2}, 1), multiply({2}, {2}, 1), multiply({2}, {2}, 1), multiply({2}, {2}, 1)}});
  Bench bench("bench", with_scoreboard(), program);
  run_cycles(500);
  CHECK(cycles_of(bench, "issue") == Cycles{0, 4, 8, 12});
  CHECK(causes(bench) == "issue 4, raw_short 9");
  CHECK(counter(bench, "bypassed") == 3);
  check_clean(bench);
}

// An FFMA's result is ready at the end of 10, written in the cycle behind, and its reader may issue in 11.
TEST_CASE("fixed window: behind a scoreboard memory waits until the banks have a result") {
  Program program;
  program.add({{multiply({4}, {6}, 1), controlled(store({1, 4}, 0, MemorySpace::shared), 1)}});
  Bench bench("bench", with_scoreboard(), program);
  run_cycles(500);
  CHECK(cycles_of(bench, "issue") == Cycles{0, 11});
  check_clean(bench);
}

// A second writer of R2 comes before the first one's result is in the banks. A load reads the second writer's
// result.
TEST_CASE("fixed window: a scoreboard knows a register that two instructions are to write") {
  Program program;
  program.add({{multiply({2}, {8}, 1), multiply({2}, {2}, 1), controlled(load({4}, {2}, 0), 1)}});
  Bench bench("bench", with_scoreboard(), program);
  run_cycles(500);
  CHECK(cycles_of(bench, "issue") == Cycles{0, 4, 15});
  check_clean(bench);
}

// The window reads in order, so a writer can overtake only reads at the head of a queue.
TEST_CASE(
    "fixed window: behind a scoreboard reads of the window need not be waited for, those of queues must") {
  Program window, queue, readers;
  window.add({{multiply({20}, {2}, 1), multiply({2}, {}, 1)}});
  queue.add({{controlled(load({20}, {2}, 0), 1), multiply({2}, {}, 1)}});
  readers.add({{controlled(load({20}, {2}, 0), 1), controlled(load({21}, {2}, 0), 1)}});
  Bench fixed("fixed", with_scoreboard(), window),
      all("all", with_scoreboard(WarGuard::operand_collection), window),
      queued("queued", with_scoreboard(), queue), many("many", with_scoreboard(), readers),
      one("one", with_scoreboard(WarGuard::queued_reads, 1), readers);
  run_cycles(500);
  CHECK(cycles_of(fixed, "issue") == Cycles{0, 1});
  CHECK(cycles_of(all, "issue") == Cycles{0, 6});
  CHECK(causes(all) == "issue 2, war 5");
  CHECK(cycles_of(queued, "issue") == Cycles{0, 10});
  CHECK(causes(queued) == "issue 2, war 9");
  CHECK(cycles_of(many, "issue") == Cycles{0, 1});
  CHECK(cycles_of(one, "issue") == Cycles{0, 10});
  for (Bench* b : {&fixed, &all, &queued, &many, &one}) check_clean(*b);
}

}  // namespace fixed_window_stall_test
