// L2, interconnect and DRAM, each between a scripted initiator and a scripted memory, as cycle tables.
#include <catch2/catch.hpp>

#include "subcore/modules/dram_channel/dram_channel.h"
#include "subcore/modules/interconnect/interconnect.h"
#include "subcore/modules/l2_slice/l2_slice.h"
#include "tests/module/hierarchy_kit.h"

namespace memory_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// An L2 of 8 sets of one line in one slice.
L2Parameters small_l2() {
  L2Parameters p = plain().l2;
  p.kilobytes = 1;
  p.slices = p.ways = 1;
  p.latency = 10;
  return p;
}

struct L2Bench : Stage {
  explicit L2Bench(const sc_core::sc_module_name& name, const L2Parameters& p = small_l2())
      : Stage(name), sm("sm", conductor), l2("l2", p, conductor, false), memory("memory", conductor, 20) {
    sm.out.bind(l2.interconnect_socket);
    l2.dram_socket.bind(memory.in);
    conductor.add(sm);
    conductor.add(l2);
    conductor.add(memory);
  }
  Requester sm;
  L2Slice l2;
  Backend memory;
};

}  // namespace

TEST_CASE("L2: a miss goes to the DRAM after the lookup, a hit takes the lookup") {
  L2Bench b("bench");
  b.sm.requests = {{0, 'r', 0, 64}, {1, 'r', 32}, {40, 'r', 0}};
  run_cycles(100);
  // Looked up from 1 on, sent to the DRAM in 10, back in 30, answered in 31; the merged read in 32.
  CHECK(b.memory.seen == Seen{"10: r 0 64"});
  CHECK(b.sm.answered() == Cycles{31, 32, 50});
  CHECK(b.l2.counters().merges == 1);
  CHECK(b.l2.counters().hits == 1);
  CHECK(b.l2.drained());
}

TEST_CASE("L2: a sector written whole is not fetched, and is written back when its line leaves") {
  L2Bench b("bench");
  b.sm.requests = {{0, 'w', 0, 64}, {20, 'r', 0, 64}, {40, 'r', 1024}, {100, 'r', 2048}};
  run_cycles(200);
  CHECK(b.memory.seen == Seen{"50: w 0 64", "51: r 1024 32", "110: r 2048 32"});
  CHECK(b.sm.answered() == Cycles{10, 30, 72, 131});
  CHECK(b.l2.counters().written_back_sectors == 2);
  CHECK(b.l2.drained());
}

// One line in the set: a read of line 8 evicts line 0.
TEST_CASE("L2: a sector written in part is not fetched, and is written back in part") {
  L2Bench b("bench");
  b.sm.requests = {{0, 'w', 16, 32}, {60, 'r', 1024}};
  run_cycles(200);
  CHECK(b.memory.seen == Seen{"70: w 0 64 of which 32", "71: r 1024 32"});
  CHECK(b.sm.answered() == Cycles{10, 92});
  CHECK(b.l2.counters().fetched_sectors == 1);
  CHECK(b.l2.counters().partial_write_backs == 1);
  CHECK(b.l2.drained());
}

TEST_CASE("L2: byte enables add up, and a sector is whole when its last byte has been written") {
  L2Bench b("bench");
  const std::uint32_t low = 0x0000ffff, high = 0xffff0000;
  // Sector 0 in two halves, sector 1 the first half only; a read of sector 0 then hits.
  b.sm.requests = {{0, 'e', 0, 64, never, never, 0, {low, low}},
                   {20, 'e', 0, 32, never, never, 0, {high}},
                   {40, 'r', 0, 32},
                   {60, 'r', 1024}};
  run_cycles(200);
  CHECK(b.memory.seen == Seen{"70: w 0 64 of which 48", "71: r 1024 32"});
  CHECK(b.sm.answered() == Cycles{10, 30, 50, 92});
}

TEST_CASE("L2: a read of a sector written in part fetches it, and it goes back whole") {
  L2Bench b("bench");
  b.sm.requests = {{0, 'e', 0, 32, never, never, 0, {0xf}},
                   {20, 'r', 0, 32},
                   {25, 'e', 0, 32, never, never, 0, {0xf0}},
                   {80, 'r', 1024}};
  run_cycles(200);
  // The write in 25 meets the fetch and does not wait for it.
  CHECK(b.memory.seen == Seen{"30: r 0 32", "90: w 0 32", "91: r 1024 32"});
  CHECK(b.sm.answered() == Cycles{10, 51, 35, 112});
  CHECK(b.l2.counters().partial_write_backs == 0);
}

TEST_CASE("L2: nothing of a line is remembered when another takes its place") {
  L2Bench b("bench");
  const std::uint32_t low = 0x0000ffff, high = 0xffff0000;
  b.sm.requests = {{0, 'e', 0, 32, never, never, 0, {low}},
                   {20, 'e', 1024, 32, never, never, 0, {high}},
                   {40, 'r', 1024, 32},
                   {100, 'r', 0, 32}};
  run_cycles(200);
  CHECK(b.memory.seen == Seen{"30: w 0 32 of which 16", "50: r 1024 32", "110: w 1024 32", "111: r 0 32"});
  CHECK(b.sm.answered() == Cycles{10, 30, 71, 132});
}

TEST_CASE("L2: atomics are performed one after the other, each after its line is there") {
  L2Bench b("bench");
  b.sm.requests = {{0, 'a', 0}, {40, 'a', 0}, {41, 'd', 32}, {42, 'r', 0}, {100, 'r', 1024}};
  run_cycles(200);
  // 31 + 10. Then the atomics begin in 50 and 52. The reduction has to fetch its sector first: 31 later, in
  // 72.
  CHECK(b.sm.answered() == Cycles{41, 60, 82, 52, 132});
  CHECK(b.memory.seen == Seen{"10: r 0 32", "51: r 32 32", "110: w 0 64", "111: r 1024 32"});
  CHECK(b.l2.counters().atomics == 3);
  CHECK(b.l2.drained());
}

TEST_CASE("L2: a set whose lines all wait makes the next request wait") {
  L2Bench b("bench");
  b.sm.requests = {{0, 'r', 0}, {1, 'r', 1024}};
  run_cycles(200);
  // The first line is there in 31. Only then can it give way, and the lookup begins.
  CHECK(b.memory.seen == Seen{"10: r 0 32", "40: r 1024 32"});
  CHECK(b.sm.answered() == Cycles{31, 61});
  CHECK(held(b.l2) == std::vector<std::uint64_t>{29, 0, 0, 0, 0, 0});
}

TEST_CASE("L2: with a place at the fill nothing waits for one, and what was there is written back then") {
  L2Parameters p = small_l2();
  p.allocation = LineAllocation::on_fill;
  L2Bench b("bench", p);
  b.sm.requests = {{0, 'r', 0},      {1, 'r', 1024},   {60, 'w', 2048},
                   {80, 'r', 0, 32}, {140, 'a', 1024}, {200, 'r', 2048}};
  run_cycles(300);
  CHECK(b.memory.seen == Seen{"10: r 0 32", "11: r 1024 32", "90: r 0 32", "120: w 2048 32", "150: r 1024 32",
                              "210: r 2048 32", "240: w 1024 32"});
  CHECK(b.sm.answered() == Cycles{31, 32, 70, 111, 181, 231});
  CHECK(held(b.l2) == std::vector<std::uint64_t>(6));
  CHECK(b.l2.drained());
}

TEST_CASE("L2: a request waits for a line, a register or a place at one, and says for which") {
  L2Parameters line = small_l2(), mshr = line, merge = line, sectors = line;
  line.allocation = LineAllocation::on_miss;
  mshr.mshrs = 1;
  merge.merges = 1;
  sectors.mshrs = 4;
  sectors.mshr_unit = MshrUnit::sector;
  sectors.initiator.requests = RequestShape::single_sectors;
  L2Bench l("line", line), m("mshr", mshr), g("merge", merge), s("sectors", sectors);
  l.sm.requests = {{0, 'r', 0}, {1, 'r', 1024}};
  m.sm.requests = {{0, 'r', 0}, {1, 'r', 128}};
  g.sm.requests = {{0, 'r', 0}, {1, 'r', 0}};
  s.sm.requests = {{0, 'r', 0, 128}, {1, 'r', 128}};
  run_cycles(200);
  // The first, looked at in 1, is there in 31.
  CHECK(l.sm.answered() == Cycles{31, 61});
  CHECK(held(l.l2) == std::vector<std::uint64_t>{29, 0, 0, 0, 0, 0});
  CHECK(m.sm.answered() == Cycles{31, 61});
  CHECK(held(m.l2) == std::vector<std::uint64_t>{0, 0, 29, 0, 0, 0});
  CHECK(g.sm.answered() == Cycles{31, 40});
  CHECK(held(g.l2) == std::vector<std::uint64_t>{0, 0, 0, 29, 0, 0});
  CHECK(s.memory.seen == Seen{"10: r 0 32", "11: r 32 32", "12: r 64 32", "13: r 96 32", "40: r 128 32"});
  CHECK(held(s.l2) == std::vector<std::uint64_t>{0, 0, 29, 0, 0, 0});
}

TEST_CASE("interconnect: two SMs and one slice, the lower SM first, and ports have a bandwidth") {
  struct Bench : Stage {
    explicit Bench(const sc_core::sc_module_name& name, TickOrder order)
        : Stage(name, order),
          a("a", conductor),
          b("b", conductor),
          net("net", 2, 1, parameters(), conductor),
          slice("slice", conductor, 10) {
      a.out.bind(net.sm_socket[0]);
      b.out.bind(net.sm_socket[1]);
      net.slice_socket[0].bind(slice.in);
      conductor.add(b);
      conductor.add(a);
      conductor.add(net);
      conductor.add(slice);
    }
    static InterconnectParameters parameters() {
      InterconnectParameters p;
      p.latency = 5;
      return p;
    }
    Requester a, b;
    Interconnect net;
    Backend slice;
  };
  Bench forward("forward", TickOrder::pipeline), back("back", TickOrder::reverse);
  for (Bench* x : {&forward, &back}) {
    x->a.requests = {{0, 'r', 0, 128}, {100, 'w', 0, 128}, {101, 'w', 128, 128}};
    x->b.requests = {{0, 'r', 4096, 128}};
  }
  run_cycles(300);
  for (Bench* x : {&forward, &back}) {
    // Requests are usable by the network in 1, and by the slice 5 cycles after their turns in 1 and 2. A
    // response of 136 bytes takes 4 cycles of 40 bytes each. So the second response leaves the slice's port
    // in 20 instead of 17. A write's request has as many bytes.
    CHECK(x->slice.seen == Seen{"5: r 0 128", "6: r 4096 128", "108: w 0 128", "112: w 128 128"});
    CHECK(x->a.answered() == Cycles{23, 123, 127});
    CHECK(x->b.answered() == Cycles{27});
    CHECK(x->net.requests().bytes == 8 + 8 + 136 + 136);
    CHECK(x->net.responses().bytes == 136 + 136 + 8 + 8);
    CHECK(x->net.responses().wait_cycles == 3);
    CHECK(x->net.drained());
  }
}

TEST_CASE("DRAM: requests share the bandwidth, those of one cycle by port") {
  DramParameters p;
  p.latency = 10;
  p.bytes_per_cycle = 16;
  struct Bench : Stage {
    Bench(const sc_core::sc_module_name& name, const DramParameters& d)
        : Stage(name), a("a", conductor), b("b", conductor), dram("dram", 2, d, conductor) {
      a.out.bind(dram.slice_socket[0]);
      b.out.bind(dram.slice_socket[1]);
      conductor.add(b);
      conductor.add(a);
      conductor.add(dram);
    }
    Requester a, b;
    DramChannel dram;
  };
  Bench slow("slow", p);
  p.bytes_per_cycle = 256;
  Bench fast("fast", p);
  for (Bench* x : {&slow, &fast}) {
    x->a.requests = {{0, 'r', 0, 128}, {1, 'w', 128, 32}};
    x->b.requests = {{0, 'r', 4096, 32}};
  }
  run_cycles(100);
  // 128 bytes take 8 cycles, 1 to 8; the other port's 32 bytes 9 and 10; the write 11 and 12.
  CHECK(slow.a.answered() == Cycles{17, 21});
  CHECK(slow.b.answered() == Cycles{19});
  CHECK(fast.a.answered() == Cycles{10, 11});
  CHECK(fast.b.answered() == Cycles{10});
  CHECK(slow.dram.counters().bytes == 192);
  CHECK(slow.dram.counters().wait_cycles == 8 + 9);
  CHECK(slow.dram.drained());
}

}  // namespace memory_test
