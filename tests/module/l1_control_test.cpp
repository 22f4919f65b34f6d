// Writes to the L1's control socket: the cache is emptied, and leaves room for shared memory.
#include <catch2/catch.hpp>

#include "subcore/base/names.h"
#include "tests/module/hierarchy_kit.h"

namespace l1_control_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Writes to the L1's control socket in given cycles.
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
    // The reads: fetched, a hit, a hit in the very cycle, fetched again, a hit.
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
  // The second read waits until the first is over (12), asks in 13 and has its answer 11 cycles later.
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
    // The second read is accepted in 5; the third is sent in 6, and cannot share the first fetch, over in 12.
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
  // The reads: one is fetched, one hits although the access has been made, and one is fetched again when the
  // access counts.
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

}  // namespace l1_control_test
