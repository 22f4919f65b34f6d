// Each block of the memory hierarchy between a scripted initiator and a scripted memory, as cycle tables.
#include <catch2/catch.hpp>

#include "model/parameters/names.h"
#include "modules/dram_channel/dram_channel.h"
#include "modules/interconnect/interconnect.h"
#include "modules/l1_cache/l1_cache.h"
#include "modules/l2_slice/l2_slice.h"
#include "tests/module/memory_kit.h"

using namespace subcore;
using namespace subcore::test;

namespace {

using Requests = std::vector<Requester::Request>;
using Seen = std::vector<std::string>;

// What the tables are made for, whatever the defaults: four ways, a line's place at its fill, registers of
// lines, writes that allocate nothing.
HierarchyParameters plain() {
  HierarchyParameters p;
  p.hit_latency = 20;
  p.l1.ways = 4;
  p.l1.allocation = LineAllocation::on_fill;
  p.l1.mshrs = 64;
  p.l1.mshr_unit = p.l2.mshr_unit = MshrUnit::line;
  p.l1.merges = p.l1.queue = 8;
  p.l1.write_allocate = false;
  p.l2.set_index = IndexFunction::linear;
  p.l2.mshrs = 128;
  p.l2.merges = p.l2.queue = 16;
  return p;
}

// A fetch is sent the cycle after its request; the memory answers 10 cycles later; the L1 sees that in the
// next cycle and answers in it: 12 cycles after the request.
struct L1Bench : Stage {
  explicit L1Bench(const sc_core::sc_module_name& name, const HierarchyParameters& p = plain(),
                   TickOrder order = TickOrder::pipeline)
      : Stage(name, order), sm("sm", conductor), l1("l1", p, conductor), memory("memory", conductor, 10) {
    sm.out.bind(l1.memory_socket);
    l1.interconnect_socket.bind(memory.in);
    conductor.add(sm);
    conductor.add(l1);
    conductor.add(memory);
  }
  Requester sm;
  L1Cache l1;
  Backend memory;
};

// Kept to one line's size: 8 sets of one line in one slice.
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

TEST_CASE("L1: reads of sectors on their way merge, of others fetch only what is missing") {
  L1Bench b("bench");
  b.sm.requests = {{0, 'r', 0x1020}, {1, 'r', 0x1020}, {2, 'r', 0x1000, 128}};
  run_cycles(100);
  // The third lacks the sectors on both sides of the second: two fetches, 3 and 4, the later there in 15. The
  // second waits a cycle for its turn to be answered.
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
  // The third finds its sector there when it is let in, in 12.
  CHECK(b.sm.answered() == Cycles{12, 13, 14});
  CHECK(b.l1.counters().held.requests == 1);
  CHECK(b.memory.seen.size() == 1);
}

namespace {

// 4 sets of two lines: lines 0, 4 and 8 share one.
HierarchyParameters small_l1() {
  HierarchyParameters p = plain();
  p.l1.kilobytes = 1;
  p.l1.ways = 2;
  return p;
}

// What the causes of an L1's waiting come to, in the order of HoldCause, and that they are all of it.
template <class Cache>
std::vector<std::uint64_t> held(const Cache& c) {
  const HoldCounters& h = c.counters().held;
  std::vector<std::uint64_t> causes;
  std::uint64_t sum = 0;
  for (const Counter& cause : h.causes) {
    causes.push_back(cause);
    sum += cause;
  }
  CHECK(sum == h.cycles);
  return causes;
}

}  // namespace

TEST_CASE("L1: with a place at the miss, a third line of a set of two waits for the first to come") {
  HierarchyParameters p = small_l1(), hashed, fill = p;
  p.l1.allocation = LineAllocation::on_miss;
  hashed = p;
  hashed.l1.set_index = IndexFunction::hashed;  // they are in sets 0, 1 and 2
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
    // The first has all it wants in 15; two registers are free from 13 on, and two more then.
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

namespace {

// Writes to the L1's control socket in the cycles it is given.
struct Invalidator : sc_core::sc_module {
  ControlPort<> port;
  Invalidator(const sc_core::sc_module_name& name, L1Bench& b, const Cycles& at)
      : sc_module(name), port("port") {
    port.bind(b.l1.control_socket);
    for (const Cycle c : at) b.script.at(c, [this](Cycle) { port.write(cache_register::invalidate, 1); });
  }
};

}  // namespace

TEST_CASE("L1: invalidated in a cycle, empty from the next on, in every tick order") {
  std::vector<std::unique_ptr<L1Bench>> all;
  std::vector<std::unique_ptr<Invalidator>> invalidators;
  for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled}) {
    const std::string name(name_of(order));
    all.push_back(std::make_unique<L1Bench>(("bench_" + name).c_str(), HierarchyParameters{}, order));
    invalidators.push_back(
        std::make_unique<Invalidator>(("invalidator_" + name).c_str(), *all.back(), Cycles{40}));
    all.back()->sm.requests = {{0, 'r', 0}, {20, 'r', 0}, {40, 'r', 0}, {41, 'r', 0}, {70, 'r', 0}};
  }
  run_cycles(120);
  for (const auto& b : all) {
    INFO(b->name());
    // Fetched, a hit, a hit in the very cycle, fetched again, a hit.
    CHECK(b->memory.seen == Seen{"1: r 0 32", "42: r 0 32"});
    CHECK(b->sm.answered() == Cycles{12, 52, 72, 53, 102});
    CHECK(b->l1.counters().invalidations == 1);
    CHECK(b->l1.counters().hits == 3);
    CHECK(b->l1.drained());
  }
}

TEST_CASE("L1: what was on its way when it was invalidated is answered, but neither kept nor shared") {
  L1Bench b("bench");
  Invalidator invalidator("invalidator", b, {5});
  b.sm.requests = {{0, 'r', 0}, {8, 'r', 0}, {40, 'r', 0}};
  run_cycles(100);
  // The second waits until the first is over (12), asks in 13 and has its answer 11 cycles later.
  CHECK(b.memory.seen == Seen{"1: r 0 32", "13: r 0 32"});
  CHECK(b.sm.answered() == Cycles{12, 24, 60});
  CHECK(b.l1.counters().merges == 0);
  CHECK(b.l1.drained());
}

TEST_CASE("L1: a line that is on its way when the cache is emptied no longer keeps a place") {
  HierarchyParameters p = small_l1();
  p.l1.ways = 1;  // lines 0 and 8 share a set
  p.l1.allocation = LineAllocation::on_miss;
  L1Bench a("a", p), r("r", p, TickOrder::reverse);
  Invalidator at_a("at_a", a, {4}), at_r("at_r", r, {4});
  for (L1Bench* b : {&a, &r}) b->sm.requests = {{0, 'r', 0}, {1, 'r', 1024}, {2, 'r', 0}};
  run_cycles(100);
  for (L1Bench* b : {&a, &r}) {
    // Taken in in 5; the next is sent in 6, and cannot share the fetch of before, which is over in 12.
    CHECK(b->memory.seen == Seen{"1: r 0 32", "6: r 1024 32", "18: r 0 32"});
    CHECK(b->sm.answered() == Cycles{12, 17, 29});
    CHECK(held(b->l1) == std::vector<std::uint64_t>{4 + 5, 0, 0, 0, 0, 6});
    CHECK(b->l1.drained());
  }
}

TEST_CASE("L1: shared memory takes its carve-out of a kernel's cache") {
  // 3 KB in 4 sets of 6 ways: 1 KB of shared memory leaves 4 ways, 2 KB leave 2.
  HierarchyParameters p = plain();
  p.l1.kilobytes = 3;
  p.l1.ways = 6;
  p.l1.carve_outs = "1 2";
  struct KernelStart : sc_core::sc_module {
    ControlPort<> port;
    KernelStart(const sc_core::sc_module_name& name, L1Bench& b, std::uint64_t shared_bytes)
        : sc_module(name), port("port") {
      port.bind(b.l1.control_socket);
      b.script.at(0, [this, shared_bytes](Cycle) { port.write(cache_register::invalidate, shared_bytes); });
    }
  };
  L1Bench none("none", p), some("some", p), most("most", p), more("more", p);
  KernelStart a("a", none, 0), b("b", some, 1024), c("c", most, 1025), d("d", more, 5000);
  for (L1Bench* bench : {&none, &some, &most, &more}) {
    for (unsigned pass = 0; pass < 2; ++pass)  // four lines of one set, twice
      for (unsigned n = 0; n < 4; ++n) bench->sm.requests.push_back({10 + 200 * pass + 40 * n, 'r', 512 * n});
  }
  run_cycles(1000);
  CHECK(none.l1.counters().hits == 4);
  CHECK(some.l1.counters().hits == 4);
  CHECK(most.l1.counters().hits == 0);
  CHECK(more.l1.counters().hits == 0);
}

TEST_CASE("L1: a control access that cannot be served says why and drops nothing") {
  struct Raw : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<> socket;
    explicit Raw(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
      socket.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
      unsigned char data[16] = {};
      Payload t;
      t.set_command(command);
      t.set_address(address);
      t.set_data_ptr(data);
      t.set_data_length(bytes);
      t.set_streaming_width(bytes);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(t, delay);
      return t.get_response_status();
    }
  };
  L1Bench b("bench");
  Raw raw("raw");
  raw.socket.bind(b.l1.control_socket);
  run_cycles(5);
  CHECK(raw.access(tlm::TLM_READ_COMMAND, 0, 8) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  CHECK(raw.access(tlm::TLM_WRITE_COMMAND, 8, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(raw.access(tlm::TLM_WRITE_COMMAND, 0, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(b.l1.counters().invalidations == 0);
  CHECK(raw.access(tlm::TLM_WRITE_COMMAND, 0, 8) == tlm::TLM_OK_RESPONSE);
  CHECK(b.l1.counters().invalidations == 1);
}

TEST_CASE("L1: a control access with a delay counts when that is over, by either transport") {
  struct Later : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<> socket;
    Payload t;
    std::uint64_t data = 1;
    bool blocks;
    double ended = -1;  // in cycles
    Later(const sc_core::sc_module_name& name, bool b) : sc_module(name), socket("socket"), blocks(b) {
      SC_HAS_PROCESS(Later);
      SC_THREAD(run);
      socket.bind(*this);
    }
    void run() {
      t.set_command(tlm::TLM_WRITE_COMMAND);
      t.set_address(cache_register::invalidate);
      t.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
      t.set_data_length(8);
      t.set_streaming_width(8);
      sc_core::sc_time delay = cycles(60);
      if (blocks) {
        socket->b_transport(t, delay);
        ended = sc_core::sc_time_stamp() / cycles(1);
        return;
      }
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      CHECK(socket->nb_transport_fw(t, phase, delay) == tlm::TLM_ACCEPTED);
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override {
      CHECK(phase == tlm::BEGIN_RESP);
      ended = sc_core::sc_time_stamp() / cycles(1);
      return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  };
  L1Bench a("blocking"), b("phased");
  Later blocking("blocking_host", true), phased("phased_host", false);
  blocking.socket.bind(a.l1.control_socket);
  phased.socket.bind(b.l1.control_socket);
  // Fetched, a hit although the access has been made, fetched again when it counts.
  for (L1Bench* bench : {&a, &b}) bench->sm.requests = {{0, 'r', 0}, {30, 'r', 0}, {70, 'r', 0}};
  run_cycles(100);
  for (L1Bench* bench : {&a, &b}) {
    INFO(bench->name());
    CHECK(bench->sm.answered() == Cycles{12, 50, 82});
    CHECK(bench->l1.counters().invalidations == 1);
  }
  for (const Later* host : {&blocking, &phased}) {
    CHECK(host->t.is_response_ok());
    CHECK(host->ended == 60);
  }
}

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
  // 31 + 10. Then begun in 50 and 52; the reduction has to fetch its sector first: 31 later, in 72.
  CHECK(b.sm.answered() == Cycles{41, 60, 82, 52, 132});
  CHECK(b.memory.seen == Seen{"10: r 0 32", "51: r 32 32", "110: w 0 64", "111: r 1024 32"});
  CHECK(b.l2.counters().atomics == 3);
  CHECK(b.l2.drained());
}

TEST_CASE("L2: a set whose lines all wait makes the next request wait") {
  L2Bench b("bench");
  b.sm.requests = {{0, 'r', 0}, {1, 'r', 1024}};
  run_cycles(200);
  // The first is there in 31: only then can its line give way, and the lookup begins.
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

TEST_CASE("L2: each cause for which a request may wait") {
  L2Parameters mshr = small_l2(), merge = mshr, sectors = mshr;
  mshr.mshrs = 1;
  merge.merges = 1;
  sectors.mshrs = 4;
  sectors.mshr_unit = MshrUnit::sector;
  sectors.initiator.requests = RequestShape::single_sectors;
  L2Bench m("mshr", mshr), g("merge", merge), s("sectors", sectors);
  m.sm.requests = {{0, 'r', 0}, {1, 'r', 128}};
  g.sm.requests = {{0, 'r', 0}, {1, 'r', 0}};
  s.sm.requests = {{0, 'r', 0, 128}, {1, 'r', 128}};
  run_cycles(200);
  // The first, looked at in 1, is there in 31.
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
    // Usable by the network in 1 and by the slice 5 cycles after their turns in 1 and 2. 136 bytes of
    // response are 4 cycles of 40: the second leaves the slice's port in 20 instead of 17. The same for
    // writes.
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
