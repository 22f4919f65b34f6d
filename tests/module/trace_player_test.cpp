// The trace player between a launch and an instruction buffer.
#include "subcore/modules/trace_player/trace_player.h"

#include <array>
#include <map>

#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"
#include "tests/module/kit.h"

namespace trace_player_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct PlayerBench : Stage {
  explicit PlayerBench(unsigned entries, unsigned width = 1, FetchRedirect redirect = FetchRedirect::perfect)
      : Stage("stage"),
        player("player", 3, 6, entries, width, redirect),
        launcher("launcher"),
        buffer("buffer") {
    conductor.add(player);
    launcher.out.bind(player.launch_socket);
    player.instruction_socket.bind(buffer.in);
  }
  // Launches a warp, in slot 5 unless told otherwise.
  void launch(Cycle cycle, const Program& p, unsigned warp, std::uint32_t uid, std::uint16_t slot = 5) {
    script.at(cycle, [=, &p](Cycle now) {
      launcher.send(now, {0, &p.ctas[0].warps[warp], &p.code, nullptr, uid, slot, 2});
    });
  }
  // The n-th instruction leaves the buffer in `cycle` (for retirement: retires).
  void issue(Cycle cycle, std::uint16_t slot = 5) {
    script.at(cycle, [=](Cycle now) {
      FetchTransfer t{now + 1, nullptr, slot, FetchTransfer::Kind::entry_free};
      buffer.in.credit(t);
    });
  }
  void tell_issue(Cycle cycle, std::size_t n) {
    script.at(cycle, [=](Cycle now) {
      Instruction* i = buffer.seen[n].instruction;
      FetchTransfer t{now + 1, i, i->warp_slot, FetchTransfer::Kind::issued};
      buffer.in.status(t);
    });
  }
  void retire(Cycle cycle, std::size_t n) {
    script.at(cycle, [=](Cycle now) {
      Instruction* i = buffer.seen[n].instruction;
      FetchTransfer t{now + 1, i, i->warp_slot, FetchTransfer::Kind::retired};
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
  // Launched for 1: one fetch a cycle, usable in the next cycle, until two are buffered. Both leave in 10, so
  // that their entries are free in 11: again one fetch a cycle.
  CHECK(b.buffer.stamps() == Cycles{2, 3, 12, 13});
  const Instruction& i = *b.buffer.seen[3].instruction;
  CHECK(i.sequence == 3);
  CHECK(i.warp_uid == 1);
  CHECK(i.warp_slot == 5);
  CHECK(i.sub_core == 3);
  CHECK(i.cta_slot == 2);
}

TEST_CASE("every warp slot fetches at its own pace, by its own credits, and has its own versions") {
  Program p;
  p.add({{alu({1}, {}), alu({1}, {}), alu({1}, {})}, {alu({1}, {}), alu({1}, {})}, {alu({}, {})}});
  PlayerBench b(2);
  b.launch(0, p, 0, 1, 0);
  b.launch(3, p, 1, 2, 4);
  b.launch(3, p, 2, 3, 1);
  b.issue(10, 0);
  b.retire(20, 2);  // the first to come of slots 1 and 4: slot 1
  run_cycles(50);
  std::vector<std::array<Cycle, 3>> rows;  // stamp, slot, version of its result
  for (const FetchTransfer& t : b.buffer.seen) {
    CHECK(t.warp_slot == t.instruction->warp_slot);
    rows.push_back({t.stamp, t.warp_slot, t.instruction->produced[0]});
  }
  CHECK(rows ==
        std::vector<std::array<Cycle, 3>>{{2, 0, 1}, {3, 0, 2}, {5, 1, 0}, {5, 4, 1}, {6, 4, 2}, {12, 0, 3}});
  REQUIRE(b.launcher.update.size() == 1);
  CHECK(b.launcher.update[0].warp_slot == 1);
  CHECK(b.launcher.update[0].kind == LaunchTransfer::Kind::finished);
  CHECK(b.launcher.update[0].stamp == 22);
  CHECK_FALSE(b.player.drained());
}

TEST_CASE("versions follow program order, also from warp to warp, and predicated off there are no operands") {
  Program p;
  p.add({{alu({1}, {1, 2}), alu({1}, {1}).with_mask(0), alu({1, 2}, {1}), alu({3}, {2, 1})},
         {alu({}, {1, 3})}});
  PlayerBench b(8);
  b.launch(0, p, 0, 1);
  for (std::size_t n = 0; n < 4; ++n) b.retire(20 + n, n);
  b.launch(30, p, 1, 2);
  b.script.at(15, [&](Cycle) {  // every instruction is fetched and none has retired, so the pool has not
                                // turned around
    const auto at = [&](std::size_t n) -> const Instruction& { return *b.buffer.seen[n].instruction; };
    CHECK(at(0).operands[0].expected == 0);
    CHECK(at(0).operands[1].expected == 0);
    CHECK(at(0).produced[0] == 1);
    CHECK(at(1).source_count == 0);
    CHECK(at(1).destination_count == 0);
    CHECK(at(2).operands[0].expected == 1);  // the predicated-off write did not happen
    CHECK(at(2).produced[0] == 2);
    CHECK(at(2).produced[1] == 1);
    CHECK(at(3).operands[0].expected == 1);  // R2
    CHECK(at(3).operands[1].expected == 2);  // R1
  });
  run_cycles(50);
  REQUIRE(b.buffer.seen.size() == 5);
  // The last retires for 24: the player looks in 24 and tells for 25.
  REQUIRE(b.launcher.update.size() == 1);
  CHECK(b.launcher.update[0].stamp == 25);
  CHECK(b.launcher.update[0].kind == LaunchTransfer::Kind::finished);
  // The banks keep the data of the warp before: R1 and R3 hold versions 2 and 1.
  CHECK(b.buffer.seen[4].stamp == 32);
  CHECK(b.buffer.seen[4].instruction->operands[0].expected == 2);
  CHECK(b.buffer.seen[4].instruction->operands[1].expected == 1);
}

TEST_CASE("a result is whole when it has every lane that is left of its warp") {
  WarpOps ops{alu({1}, {}),
              alu({1}, {}).with_mask(0xff),
              exit_warp().with_mask(0xffff0000),
              alu({1}, {}).with_mask(0xffff),
              alu({1}, {}).with_mask(0xff),
              exit_warp().with_mask(0),
              exit_warp().with_mask(0xff00),
              alu({1}, {}).with_mask(0xff)};
  Program p;
  p.add({ops, ops, {alu({1}, {}).with_mask(0xff), alu({1, 2}, {}).with_mask(0xff)}});
  p.ctas[0].warps[1].lanes = 0xffffff;  // a CTA whose threads fill no whole number of warps
  PlayerBench b(32, 16);
  b.launch(0, p, 0, 1);
  for (std::size_t n = 0; n < 8; ++n) b.retire(10, n);
  b.launch(20, p, 1, 2);
  for (std::size_t n = 8; n < 16; ++n) b.retire(30, n);
  b.launch(40, p, 2, 3);
  std::vector<bool> whole, partial;
  for (const Cycle c : {5u, 25u, 45u}) {
    b.script.at(c, [&](Cycle) {
      for (std::size_t n = whole.size(); n < b.buffer.seen.size(); ++n) {
        const Instruction& i = *b.buffer.seen[n].instruction;
        whole.push_back(i.is_whole());
        partial.push_back(i.destination_count != 0 && i.is_partial(i.destination_count - 1u));
      }
    });
  }
  run_cycles(50);
  using Bits = std::vector<bool>;
  const Bits exits{true, false, false, true, false, false, false, true};
  Bits first = exits, second = exits;
  second[0] = true;
  CHECK(Bits(whole.begin(), whole.begin() + 8) == first);
  CHECK(Bits(whole.begin() + 8, whole.begin() + 16) == second);
  // The first write of a register is whole for its readers, whatever its lanes.
  CHECK(Bits(partial.begin(), partial.begin() + 8) ==
        Bits{false, true, false, false, true, false, false, false});
  CHECK(Bits(whole.begin() + 16, whole.end()) == Bits{false, false});
  CHECK(Bits(partial.begin() + 16, partial.end()) == Bits{false, false});
}

TEST_CASE("a cache that takes whole results only has every lane that is read from it") {
  // A warp diverges and loses lanes. Its results go to banks lane by lane, and to a cache. The cache keeps,
  // drops and fills entries at random, but makes no entry of a partial result. Lanes are compared, not
  // versions.
  constexpr unsigned registers = 6, length = 3000;
  Random random(11);
  Program p;
  std::vector<WarpOps> warps(3);
  for (WarpOps& ops : warps) {
    std::uint32_t live = ~0u;
    while (ops.size() < length) {
      const auto some = [&] {
        const auto bits = static_cast<std::uint32_t>(random.next());
        return live & (random.below(2) == 0 ? ~0u : bits | (bits >> 7));
      };
      if (live != 0 && random.below(200) == 0) {
        const std::uint32_t gone = some() & static_cast<std::uint32_t>(random.next());
        ops.push_back(exit_warp().with_mask(gone));
        live &= ~gone;
        continue;
      }
      const auto reg = [&] { return static_cast<Register>(random.below(registers)); };
      ops.push_back(alu({reg()}, {reg()}).with_mask(some()));
    }
  }
  p.add(warps);
  PlayerBench b(3 * length, 64);
  for (std::uint32_t w = 0; w < 3; ++w) {
    b.launch(1000 * w, p, w, w + 1);
    for (std::size_t n = 0; n < length; ++n) b.retire(1000 * w + 900, w * length + n);
  }
  using Lanes = std::array<std::uint32_t, warp_lanes>;  // the last writer of each lane; 0: none in this warp
  std::array<Lanes, registers> banks{};                 // the banks, also in program order
  std::map<Register, Lanes> cache;
  std::uint64_t compared = 0, made = 0;
  const auto follow = [&](std::size_t begin) {
    for (Lanes& l : banks) l.fill(0);
    cache.clear();
    for (std::size_t n = begin; n < begin + length; ++n) {
      const Instruction& i = *b.buffer.seen[n].instruction;
      const auto write = [&](Lanes& l) {
        for (unsigned k = 0; k < warp_lanes; ++k)
          if (i.mask >> k & 1u) l[k] = static_cast<std::uint32_t>(n + 1);
      };
      for (unsigned s = 0; s < i.source_count; ++s) {
        const Lanes& truth = banks[i.source(s)];
        const Lanes& got = cache.try_emplace(i.source(s), truth).first->second;
        for (unsigned k = 0; k < warp_lanes; ++k) {
          if ((i.mask >> k & 1u) == 0 || truth[k] == 0) continue;
          ++compared;
          if (got[k] != truth[k]) FAIL("instruction " << n << ", lane " << k);
        }
      }
      for (unsigned d = 0; d < i.destination_count; ++d) {
        const Register r = i.destination(d);
        write(banks[r]);
        if (const auto e = cache.find(r); e != cache.end()) {
          write(e->second);
        } else if (!i.is_partial(d)) {
          Lanes l;
          l.fill(~0u);
          write(l);
          cache[r] = l;
          made += !i.is_whole();
        }
      }
      if (random.below(3) == 0) cache.erase(static_cast<Register>(random.below(registers)));
    }
  };
  for (Cycle w = 0; w < 3; ++w)
    b.script.at(1000 * w + 800, [&, w](Cycle) { follow(static_cast<std::size_t>(w) * length); });
  run_cycles(3000);
  CHECK(compared > 20000);
  CHECK(made > 0);
}

TEST_CASE("predicated off, an instruction has its operands where they are to be counted") {
  Program p;
  p.add({{alu({1}, {2}).with_mask(0), alu({3}, {1})}});
  p.code.instructions[0].touches_when_off = true;
  PlayerBench b(8);
  b.launch(0, p, 0, 1);
  run_cycles(10);
  REQUIRE(b.buffer.seen.size() == 2);
  const Instruction &off = *b.buffer.seen[0].instruction, &reader = *b.buffer.seen[1].instruction;
  CHECK(off.source_count == 1);
  CHECK(off.destination_count == 1);
  CHECK(off.produced[0] == 1);
  CHECK(reader.operands[0].expected == 1);
}

TEST_CASE("a warp without instructions finishes at once") {
  Program p;
  p.add({WarpOps{}});
  PlayerBench b(2);
  b.launch(0, p, 0, 7);
  run_cycles(10);
  CHECK(b.buffer.seen.empty());
  REQUIRE(b.launcher.update.size() == 1);
  CHECK(b.launcher.update[0].stamp == 2);
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
  b.retire(7, 0);  // an update of another instruction
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

}  // namespace trace_player_test
