// The L1 between a scripted initiator and a scripted memory, as cycle tables.
#include <deque>
#include <string>

#include <catch2/catch.hpp>

#include "tests/module/hierarchy_kit.h"

namespace l1_test {

using namespace subcore;
using namespace subcore::test;

TEST_CASE("L1: a miss fetches its sectors, the next read hits after its latency, in every tick order") {
  L1Bench a("a"), b("b", plain(), TickOrder::reverse), c("c", plain(), TickOrder::shuffled);
  for (L1Bench* bench : {&a, &b, &c}) bench->sm.requests = {{0, 'r', 0x1000, 64}, {20, 'r', 0x1020}};
  run_cycles(100);
  for (L1Bench* bench : {&a, &b, &c}) {
    CHECK(bench->sm.answered() == Cycles{12, 40});
    CHECK(bench->memory.seen == Seen{"1: r 4096 64"});
    CHECK(bench->l1.counters().hits == 1);
    CHECK(bench->l1.counters().line_misses == 1);
    CHECK(bench->l1.drained());
    CHECK(bench->sm.drained());
  }
}

TEST_CASE("L1: a read in the cycle of the fill hits, in every tick order and however responses end") {
  std::deque<L1Bench> benches;
  for (const EndResponse end : {EndResponse::completed, EndResponse::updated, EndResponse::call}) {
    HierarchyParameters p = plain();
    p.l1.initiator.end_resp = end;
    for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled})
      benches.emplace_back(("bench_" + std::to_string(benches.size())).c_str(), p, order);
  }
  for (L1Bench& b : benches) b.sm.requests = {{0, 'r', 0x1000}, {12, 'r', 0x1000}};
  run_cycles(100);
  for (L1Bench& b : benches) {
    CHECK(b.sm.answered() == Cycles{12, 32});
    CHECK(b.l1.counters().hits == 1);
    CHECK(b.l1.drained());
  }
}

TEST_CASE("L1: reads of sectors on their way merge, of others fetch only what is missing") {
  L1Bench b("bench");
  b.sm.requests = {{0, 'r', 0x1020}, {1, 'r', 0x1020}, {2, 'r', 0x1000, 128}};
  run_cycles(100);
  // The third read lacks the sectors on both sides of the second one. This read makes two fetches, in 3 and
  // 4, and the later one is there in 15. The second read waits a cycle for its turn to be answered.
  CHECK(b.memory.seen == Seen{"1: r 4128 32", "3: r 4096 32", "4: r 4160 64"});
  CHECK(b.sm.answered() == Cycles{12, 13, 15});
  CHECK(b.l1.counters().merges == 1);
  CHECK(b.l1.counters().line_misses == 2);  // the line is in no way yet
  CHECK(b.l1.drained());
}

TEST_CASE("L1: a line that is there without the sector is a sector miss") {
  L1Bench b("bench");
  b.sm.requests = {{0, 'r', 0x1020}, {20, 'r', 0x1000, 64}, {40, 'r', 0x1000, 64}};
  run_cycles(100);
  CHECK(b.memory.seen == Seen{"1: r 4128 32", "21: r 4096 32"});
  CHECK(b.sm.answered() == Cycles{12, 32, 60});
  CHECK(b.l1.counters().sector_misses == 1);
}

TEST_CASE("L1: without a free MSHR a request waits for END_REQ, and the ones behind it") {
  HierarchyParameters p = plain();
  p.l1.mshrs = 1;
  L1Bench a("a", p), r("r", p, TickOrder::reverse);
  for (L1Bench* b : {&a, &r}) b->sm.requests = {{0, 'r', 0x1000}, {1, 'r', 0x2000}, {2, 'r', 0x1000}};
  run_cycles(100);
  for (L1Bench* b : {&a, &r}) {
    // The first line is there in 12, which lets the second in; the third is sent in 13 and hits.
    CHECK(b->memory.seen == Seen{"1: r 4096 32", "13: r 8192 32"});
    CHECK(b->sm.answered() == Cycles{12, 24, 33});
    CHECK(b->l1.counters().held.requests == 1);
    CHECK(b->l1.counters().held.cycles == 11);
    CHECK(b->l1.drained());
  }
}

TEST_CASE("L1: a line takes as many merged reads as it may") {
  HierarchyParameters p = plain();
  p.l1.merges = 2;
  L1Bench b("bench", p);
  b.sm.requests = {{0, 'r', 0x1000}, {1, 'r', 0x1000}, {2, 'r', 0x1000}};
  run_cycles(100);
  // The third read finds its sector there when it is let in, in 12.
  CHECK(b.sm.answered() == Cycles{12, 13, 14});
  CHECK(b.l1.counters().held.requests == 1);
  CHECK(b.memory.seen.size() == 1);
}

TEST_CASE("L1: with a place at the miss, a third line of a set of two waits for the first to come") {
  HierarchyParameters p = small_l1(), hashed, fill = p;
  p.l1.allocation = LineAllocation::on_miss;
  hashed = p;
  hashed.l1.set_index = IndexFunction::hashed;  // the lines are in sets 0, 1 and 2
  L1Bench a("a", p), r("r", p, TickOrder::reverse), h("hashed", hashed), f("on_fill", fill);
  for (L1Bench* b : {&a, &r, &h, &f})
    b->sm.requests = {{0, 'r', 0}, {1, 'r', 512}, {2, 'r', 1024}, {40, 'r', 512}, {60, 'r', 0}};
  run_cycles(100);
  for (L1Bench* b : {&a, &r}) {
    CHECK(b->memory.seen == Seen{"1: r 0 32", "2: r 512 32", "13: r 1024 32", "61: r 0 32"});
    CHECK(b->sm.answered() == Cycles{12, 13, 24, 60, 72});
    CHECK(held(b->l1) == std::vector<std::uint64_t>{10, 0, 0, 0, 0, 0});
    CHECK(b->l1.drained());
  }
  CHECK(h.memory.seen == Seen{"1: r 0 32", "2: r 512 32", "3: r 1024 32"});
  CHECK(h.sm.answered() == Cycles{12, 13, 14, 60, 80});
  CHECK(f.memory.seen == Seen{"1: r 0 32", "2: r 512 32", "3: r 1024 32", "61: r 0 32"});
  CHECK(f.sm.answered() == Cycles{12, 13, 14, 60, 72});
  CHECK(held(f.l1) == std::vector<std::uint64_t>(6));
}

TEST_CASE("L1: a write that would get a line waits for one as a read does, an atomic does not") {
  HierarchyParameters p = small_l1();
  p.l1.allocation = LineAllocation::on_miss;
  p.l1.write_allocate = true;
  L1Bench b("bench", p);
  b.sm.requests = {{0, 'r', 0}, {1, 'r', 512}, {2, 'a', 1024}, {3, 'w', 1024}};
  run_cycles(100);
  CHECK(b.memory.seen == Seen{"1: r 0 32", "2: r 512 32", "3: a 1024 32", "13: w 1024 32"});
  CHECK(held(b.l1) == std::vector<std::uint64_t>{9, 0, 0, 0, 0, 0});
}

TEST_CASE("L1: registers for sectors, and requests of one sector each") {
  HierarchyParameters p = plain();
  p.l1.mshrs = 4;
  p.l1.mshr_unit = MshrUnit::sector;
  p.l1.merges = 1;
  p.l1.initiator.requests = RequestShape::single_sectors;
  L1Bench a("a", p), r("r", p, TickOrder::reverse);
  for (L1Bench* b : {&a, &r}) b->sm.requests = {{0, 'r', 0, 128}, {1, 'r', 512, 64}, {2, 'r', 0x2000}};
  run_cycles(100);
  for (L1Bench* b : {&a, &r}) {
    CHECK(b->memory.seen == Seen{"1: r 0 32", "2: r 32 32", "3: r 64 32", "4: r 96 32", "14: r 512 32",
                                 "15: r 544 32", "16: r 8192 32"});
    // The first read has all sectors in 15. Two registers are free from 13 on, and then two more.
    CHECK(b->sm.answered() == Cycles{15, 26, 27});
    CHECK(held(b->l1) == std::vector<std::uint64_t>{0, 0, 12, 0, 0, 0});
    CHECK(b->l1.drained());
  }
}

TEST_CASE("L1: what a miss takes beside its fetch comes behind it, and a line is there before") {
  HierarchyParameters p = plain();
  p.l1.miss_latency = 7;
  L1Bench a("a", p), r("r", p, TickOrder::reverse);
  for (L1Bench* b : {&a, &r})
    b->sm.requests = {{0, 'r', 0}, {1, 'r', 0}, {2, 'w', 512}, {3, 'a', 1024}, {13, 'r', 0}};
  run_cycles(100);
  for (L1Bench* b : {&a, &r}) {
    // The hit in 13 has its own latency; writes and atomics take nothing here.
    CHECK(b->sm.answered() == Cycles{19, 20, 14, 15, 33});
    CHECK(b->l1.drained());
  }
}

TEST_CASE("L1: written lines stay while few have been written") {
  HierarchyParameters p = small_l1(), half;
  p.l1.write_allocate = true;
  half = p;
  half.l1.written_percent = 50;
  L1Bench any("any", p), b("half", half);
  for (L1Bench* each : {&any, &b})
    each->sm.requests = {{0, 'w', 0}, {20, 'r', 512}, {40, 'r', 1024}, {60, 'r', 0}};
  run_cycles(100);
  CHECK(any.l1.counters().hits == 0);
  CHECK(b.l1.counters().hits == 1);
}

TEST_CASE("L1: writes go through, allocate nothing and keep a present line fresh") {
  HierarchyParameters p = plain();
  p.l1.kilobytes = 1;
  p.l1.ways = 2;  // 4 sets: lines 0, 4 and 8 share one
  L1Bench b("bench", p);
  b.sm.requests = {{0, 'w', 0},     {20, 'r', 0},      {40, 'r', 4 * 128}, {60, 'w', 0},
                   {80, 'r', 1024}, {100, 'r', 0, 32}, {130, 'r', 4 * 128}};
  run_cycles(200);
  CHECK(b.memory.seen ==
        Seen{"1: w 0 32", "21: r 0 32", "41: r 512 32", "61: w 0 32", "81: r 1024 32", "131: r 512 32"});
  CHECK(b.sm.answered() == Cycles{12, 32, 52, 72, 92, 120, 142});
  CHECK(b.l1.counters().writes == 2);
  CHECK(b.l1.counters().write_hits == 1);
  CHECK(b.l1.drained());
}

TEST_CASE("L1: allocating writes leave the sectors that they write wholly") {
  HierarchyParameters p = plain();
  p.l1.write_allocate = true;
  L1Bench on("on", p), off("off");
  for (L1Bench* b : {&on, &off}) {
    b->sm.requests = {{0, 'w', 0x1000, 64},                            // sectors 0 and 1
                      {20, 'e', 0x1040, 32, never, never, 0, {0xff}},  // a part of sector 2
                      {40, 'r', 0x1000, 64},
                      {80, 'r', 0x1040}};
  }
  run_cycles(200);
  CHECK(on.memory.seen == Seen{"1: w 4096 64", "21: w 4160 32 of which 8", "81: r 4160 32"});
  CHECK(off.memory.seen ==
        Seen{"1: w 4096 64", "21: w 4160 32 of which 8", "41: r 4096 64", "81: r 4160 32"});
  CHECK(on.sm.answered() == Cycles{12, 32, 60, 92});
  CHECK(off.sm.answered() == Cycles{12, 32, 52, 92});
  CHECK(on.l1.counters().hits == 1);
  CHECK(on.l1.counters().sector_misses == 1);
  CHECK(on.l1.drained());
}

TEST_CASE("L1: atomics pass by and take the old copy with them") {
  L1Bench b("bench");
  b.sm.requests = {{0, 'r', 0x1000, 64}, {20, 'a', 0x1000}, {40, 'r', 0x1020}, {70, 'r', 0x1000}};
  run_cycles(100);
  CHECK(b.memory.seen == Seen{"1: r 4096 64", "21: a 4096 32", "71: r 4096 32"});
  CHECK(b.sm.answered() == Cycles{12, 32, 60, 82});
}

}  // namespace l1_test
