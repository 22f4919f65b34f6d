// The trace player between a launch and an instruction buffer.
#include "modules/trace_player/trace_player.h"

#include <catch2/catch.hpp>

#include "tests/module/kit.h"

using namespace subcore;
using namespace subcore::test;

namespace {

struct PlayerBench : Stage {
  explicit PlayerBench(unsigned entries, unsigned width = 1, FetchRedirect redirect = FetchRedirect::perfect)
      : Stage("stage"),
        player("player", 3, 5, entries, width, redirect),
        launcher("launcher"),
        buffer("buffer") {
    conductor.add(player);
    launcher.out.bind(player.launch_socket);
    player.instruction_socket.bind(buffer.in);
  }
  void launch(Cycle cycle, const Program& p, unsigned warp, std::uint32_t uid) {
    script.at(cycle, [=, &p](Cycle now) {
      launcher.send(now, {0, &p.ctas[0].warps[warp], &p.code, nullptr, uid, 2});
    });
  }
  // The n-th instruction leaves the buffer in `cycle` (for retirement: retires).
  void issue(Cycle cycle) {
    script.at(cycle, [=](Cycle now) {
      FetchTransfer t{now + 1, nullptr};
      buffer.in.credit(t);
    });
  }
  void tell_issue(Cycle cycle, std::size_t n) {
    script.at(cycle, [=](Cycle now) {
      FetchTransfer t{now + 1, buffer.seen[n].instruction, true};
      buffer.in.status(t);
    });
  }
  void retire(Cycle cycle, std::size_t n) {
    script.at(cycle, [=](Cycle now) {
      FetchTransfer t{now + 1, buffer.seen[n].instruction};
      buffer.in.status(t);
    });
  }
  TracePlayer player;
  Source<LaunchTransfer> launcher;
  Sink<FetchTransfer> buffer;
};
using Cycles = std::vector<Cycle>;

}  // namespace

TEST_CASE("the instruction buffer is never overfilled") {
  Program p;
  p.add({{alu({}, {}), alu({}, {}), alu({}, {}), alu({}, {})}});
  PlayerBench b(2);
  b.launch(0, p, 0, 1);
  b.issue(10);
  b.issue(10);
  run_cycles(50);
  // Launched for 1: one fetch a cycle, usable in the next, until two are buffered. Both leave in 10, so that
  // their entries are free in 11: again one a cycle.
  CHECK(b.buffer.stamps() == Cycles{2, 3, 12, 13});
  const Instruction& i = *b.buffer.seen[3].instruction;
  CHECK(i.sequence == 3);
  CHECK(i.warp_uid == 1);
  CHECK(i.warp_slot == 5);
  CHECK(i.sub_core == 3);
  CHECK(i.cta_slot == 2);
}

TEST_CASE("versions follow program order, also from warp to warp; predicated off there are no operands") {
  Program p;
  p.add({{alu({1}, {1, 2}), alu({1}, {1}).with_mask(0), alu({1, 2}, {1}), alu({3}, {2, 1})},
         {alu({}, {1, 3})}});
  PlayerBench b(8);
  b.launch(0, p, 0, 1);
  for (std::size_t n = 0; n < 4; ++n) b.retire(20 + n, n);
  b.launch(30, p, 1, 2);
  b.script.at(15, [&](Cycle) {  // all are fetched, none has retired: the pool has not turned round
    const auto at = [&](std::size_t n) -> const Instruction& { return *b.buffer.seen[n].instruction; };
    CHECK(at(0).expected[0] == 0);
    CHECK(at(0).expected[1] == 0);
    CHECK(at(0).produced[0] == 1);
    CHECK(at(1).source_count == 0);
    CHECK(at(1).destination_count == 0);
    CHECK(at(2).expected[0] == 1);  // the predicated-off write did not happen
    CHECK(at(2).produced[0] == 2);
    CHECK(at(2).produced[1] == 1);
    CHECK(at(3).expected[0] == 1);  // R2
    CHECK(at(3).expected[1] == 2);  // R1
  });
  run_cycles(50);
  REQUIRE(b.buffer.seen.size() == 5);
  // The last retires for 24: the player looks in 24 and tells for 25.
  REQUIRE(b.launcher.news.size() == 1);
  CHECK(b.launcher.news[0].stamp == 25);
  CHECK(b.launcher.news[0].warp_uid == 1);
  // The banks keep the data of the warp before: what R1 and R3 hold is version 2 and 1.
  CHECK(b.buffer.seen[4].stamp == 32);
  CHECK(b.buffer.seen[4].instruction->expected[0] == 2);
  CHECK(b.buffer.seen[4].instruction->expected[1] == 1);
}

TEST_CASE("a warp without instructions finishes at once") {
  Program p;
  p.add({WarpOps{}});
  PlayerBench b(2);
  b.launch(0, p, 0, 7);
  run_cycles(10);
  CHECK(b.buffer.seen.empty());
  REQUIRE(b.launcher.news.size() == 1);
  CHECK(b.launcher.news[0].stamp == 2);
  CHECK(b.player.drained());
}

TEST_CASE("a wider front end fetches several a cycle, as far as there is room") {
  Program p;
  p.add({WarpOps(7, alu({}, {}))});
  PlayerBench b(5, 3);
  b.launch(0, p, 0, 1);
  b.issue(10);
  run_cycles(50);
  CHECK(b.buffer.stamps() == Cycles{2, 2, 2, 3, 3, 12});
}

TEST_CASE("fetching stops behind a jump until the branch has issued, but not behind a fall-through") {
  Program p;
  p.add({{alu({}, {}), branch(), alu({}, {}), branch(), alu({}, {}), branch()}});
  p.code.instructions[4].pc = 0x200;
  p.code.instructions[5].pc = 0x210;
  PlayerBench b(8, 2, FetchRedirect::issue);
  b.launch(0, p, 0, 1);
  b.script.at(6, [&](Cycle) {
    REQUIRE(b.buffer.seen.size() == 4);
    CHECK_FALSE(b.buffer.seen[1].instruction->redirects);
    CHECK(b.buffer.seen[3].instruction->redirects);
  });
  b.retire(7, 0);  // news of another instruction
  b.tell_issue(10, 3);
  for (std::size_t n = 1; n < 6; ++n) b.retire(20, n);
  run_cycles(50);
  CHECK(b.buffer.stamps() == Cycles{2, 2, 3, 3, 12, 12});
  CHECK(b.player.drained());
}

TEST_CASE("fetching behind a jump can wait for the branch's write-back") {
  Program p;
  p.add({{branch(), alu({}, {})}});
  p.code.instructions[1].pc = 0x200;
  PlayerBench b(8, 2, FetchRedirect::write_back);
  b.launch(0, p, 0, 1);
  b.tell_issue(10, 0);
  b.retire(20, 0);
  b.retire(30, 1);
  run_cycles(50);
  CHECK(b.buffer.stamps() == Cycles{2, 22});
  CHECK_FALSE(b.buffer.seen[0].instruction->redirects);
  CHECK(b.player.drained());
}
