// A host beside the SMs. The host has its own port on the interconnect, whose AT is like an SM's. The host's
// LT and debug accesses go through every level down to a user's memory.
#include <numeric>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"
#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/modules/memory/simple_memory.h"
#include "subcore/modules/sthld_controller/sthld_controller.h"
#include "subcore/platforms/config/platform.h"
#include "tests/module/host_kit.h"

namespace host_port_test {

using namespace subcore;
using namespace subcore::test;

TEST_CASE("host: an LT access takes what an AT one takes alone, and changes nothing of that") {
  Random random(3);
  std::vector<std::unique_ptr<HostBench>> benches;
  std::vector<Script*> scripts;
  std::vector<std::vector<double>> blocking;
  blocking.reserve(100);
  for (unsigned variant = 0; variant < 6; ++variant) {
    HierarchyParameters p = with_host();
    p.interconnect.latency = variant == 1 ? 1 : 3 + variant;
    p.interconnect.bytes_per_cycle = variant % 2 == 0 ? 40 : 7;
    p.interconnect.header_bytes = variant == 4 ? 0 : 8;
    p.l2.latency = variant == 2 ? 1 : 9 * variant + 2;
    p.dram.latency = variant == 3 ? 1 : 20;
    p.dram.bytes_per_cycle = variant == 5 ? 3.5 : 40;
    p.l2.slices = p.dram.channels = 2;
    benches.push_back(std::make_unique<HostBench>(("bench_" + std::to_string(variant)).c_str(), p));
    HostBench& b = *benches.back();
    blocking.emplace_back();
    auto& took = blocking.back();
    for (unsigned n = 0; n < 40; ++n) {
      const std::uint64_t line = random.below(12) * 128, sector = random.below(4);
      const auto bytes = 32 * (1 + random.below(static_cast<std::uint32_t>(4 - sector)));
      const char what = random.below(3) == 0 ? 'w' : 'r';
      b.host.requests.push_back({1000 * (n + 1), what, line + 32 * sector, bytes});
    }
    took.resize(40);
  }
  run_cycles(10);
  // Each LT access comes right before the same AT access.
  for (unsigned n = 0; n < 40; ++n) {
    sc_core::sc_start(cycles(1000.0 * (n + 1) - 5) - sc_core::sc_time_stamp());
    for (unsigned v = 0; v < benches.size(); ++v) {
      const auto& r = benches[v]->host.requests[n];
      Access a(r.what == 'w' ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, r.address, r.bytes);
      blocking[v][n] = a.blocking(benches[v]->host.out, 17);
      CHECK(a.data == std::vector<unsigned char>(r.bytes, 0xee));
    }
  }
  run_cycles(2000);
  for (unsigned v = 0; v < benches.size(); ++v) {
    INFO(v);
    const L2Slice::Counters& l2 = benches[v]->system.l2[0].counters();
    CHECK(l2.blocking_reads == l2.reads);
    CHECK(l2.blocking_writes == l2.writes);
    CHECK(l2.hits > l2.writes / 2);
    CHECK(l2.blocking_hits > 0);
    CHECK(benches[v]->drained());
    const Cycles timed = HostBench::latencies(benches[v]->host);
    for (unsigned n = 0; n < 40; ++n) {
      const auto& r = benches[v]->host.requests[n];
      INFO(n << ' ' << r.what << ' ' << r.address << ' ' << r.bytes);
      // An LT read that finds a part of its line asks below for all of the line. An AT read asks for the
      // missing part.
      bool partial = false;
      for (unsigned m = 0; m < n; ++m)
        partial |= benches[v]->host.requests[m].address / 128 == r.address / 128;
      if (!partial || r.what == 'w') CHECK(blocking[v][n] == static_cast<double>(timed[n]));
      CHECK(blocking[v][n] >= static_cast<double>(timed[n]));
    }
  }
}

TEST_CASE("host: AT requests of SMs end when they would, whatever LT accesses come between") {
  struct Both {
    HostBench plain, with;
    Both() : plain("plain", with_host()), with("with", with_host()) {}
  } b;
  Random random(11);
  Cycle at = 0;
  for (unsigned n = 0; n < 800; ++n) {
    at += random.below(4);
    const Requester::Request r{at, "rrrwa"[random.below(5)], random.below(600) * 32, 32};
    for (HostBench* h : {&b.plain, &b.with}) (n % 5 == 0 ? h->host : h->sm).requests.push_back(r);
  }
  for (unsigned n = 0; n < 3000; n += 7) {
    run_cycles(7);
    for (auto* socket : {&b.with.host.out, &b.with.sm.out})
      Access(n % 2 == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, random.below(600) * 32, 32)
          .blocking(*socket);
  }
  run_cycles(3000);
  CHECK(b.plain.drained());
  CHECK(b.with.drained());
  CHECK(b.with.sm.answered() == b.plain.sm.answered());
  CHECK(b.with.host.answered() == b.plain.host.answered());
  const auto statistics = [](HostBench& h) {
    StatisticsGroup root("memory");
    for (Module* m : h.system.modules()) m->register_statistics(root.group(m->basename()));
    std::istringstream in(statistics_csv(root));
    std::string line, text;
    while (std::getline(in, line)) {
      if (line.find("blocking_") == std::string::npos) text += line + '\n';
    }
    return text;
  };
  CHECK(statistics(b.with) == statistics(b.plain));
  CHECK(b.with.system.l1[0].counters().blocking_reads > 50);
  CHECK(b.with.system.l1[0].counters().blocking_hits > 5);
  CHECK(b.with.system.l1[0].counters().blocking_writes > 50);
  CHECK(b.with.system.dram[0].counters().blocking_reads > 5);
}

TEST_CASE("host: data are those of the memory at the bottom, whatever the caches hold") {
  struct All {
    HostBench debug, no_debug;
    All() : debug("debug", with_bytes()), no_debug("no_debug", with_bytes(), false) {
      // The line is in L1 and L2 then.
      for (HostBench* b : {&debug, &no_debug}) b->sm.requests = {{100, 'r', 0x1040}};
    }
  } all;
  double missed = 0;
  run_cycles(1);
  for (HostBench* b : {&all.debug, &all.no_debug}) {
    INFO(b->name());
    ByteMemory& memory = *b->memories[0];
    Access write(tlm::TLM_WRITE_COMMAND, 0x1040, 8), read(tlm::TLM_READ_COMMAND, 0x1040, 8);
    std::iota(write.data.begin(), write.data.end(), std::uint8_t{1});
    write.blocking(b->host.out);
    CHECK(memory.bytes[0x1041] == 2);
    missed = read.blocking(b->host.out);
    CHECK(read.data == write.data);
  }
  run_cycles(1000);
  for (HostBench* b : {&all.debug, &all.no_debug}) {
    INFO(b->name());
    ByteMemory& memory = *b->memories[0];
    Access write(tlm::TLM_WRITE_COMMAND, 0x1040, 8), read(tlm::TLM_READ_COMMAND, 0x1040, 8);
    std::iota(write.data.begin(), write.data.end(), std::uint8_t{1});
    const double write_time = write.blocking(b->host.out);
    CHECK(b->sm.drained());
    write.data[1] = 77;
    CHECK(write.blocking(b->host.out) == write_time);  // posted
    const unsigned calls = memory.calls;
    for (auto* socket : {&b->host.out, &b->sm.out}) {
      read.data.assign(8, 0);
      CHECK(read.blocking(*socket) < missed - 30);
      CHECK(read.data == write.data);
    }
    CHECK((memory.calls == calls) == (b == &all.debug));
    // Byte enables hold for hits, too.
    unsigned char enables[8] = {0xff, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    write.data = {9, 9, 9, 9, 9, 9, 9, 9};
    for (Access* a : {&write, &read}) {
      a->t.set_byte_enable_ptr(enables);
      a->t.set_byte_enable_length(8);
    }
    write.t.set_data_ptr(write.data.data());
    read.data.assign(8, 5);
    write.blocking(b->host.out);
    read.blocking(b->sm.out);
    CHECK(memory.bytes[0x1040] == 9);
    CHECK(memory.bytes[0x1041] == 77);
    CHECK(read.data == std::vector<unsigned char>{9, 5, 9, 9, 9, 9, 9, 9});
    CHECK(b->system.l1[0].counters().blocking_hits == 2);
    CHECK(b->drained());
  }
}

TEST_CASE("host: write-backs, whose data nobody has, leave what a memory holds") {
  HierarchyParameters p = with_bytes();
  p.l2.kilobytes = 1;
  p.l2.ways = 1;
  HostBench b("bench", p);
  Access write(tlm::TLM_WRITE_COMMAND, 0, 128);
  std::iota(write.data.begin(), write.data.end(), std::uint8_t{1});
  // Fills payloads with the bytes of other accesses, makes line 0 dirty, whole sectors and a part of one, and
  // evicts line 0.
  b.sm.requests = {{10, 'r', 128, 128}, {500, 'r', 32},         {1000, 'w', 32, 64},
                   {1500, 'w', 100, 8}, {2000, 'r', 1024, 128}, {3000, 'r', 2048}};
  b.memories[0]->bytes[130] = 200;
  run_cycles(1);
  write.blocking(b.host.out);
  run_cycles(5000);
  CHECK(b.drained());
  CHECK(b.system.l2[0].counters().written_back_sectors == 3);
  CHECK(debug_read(b.host.out, 0, 128) == write.data);
}

TEST_CASE("host: the debug transport reaches the bottom through every level, across lines and slices") {
  HierarchyParameters p = with_bytes();
  p.l2.slices = 4;
  struct Benches {
    HostBench with, without;
    explicit Benches(const HierarchyParameters& p) : with("with", p), without("without", with_host()) {}
  } b(p);
  run_cycles(1);
  Access write(tlm::TLM_WRITE_COMMAND, 0x10f3, 1000);
  std::iota(write.data.begin(), write.data.end(), std::uint8_t{3});
  CHECK(b.with.host.out.transport_dbg(write.t) == 1000);
  for (const auto& m : b.with.memories) CHECK(m->bytes.size() > 100);
  CHECK(debug_read(b.with.host.out, 0x10f3, 1000) == write.data);
  CHECK(debug_read(b.with.sm.out, 0x10f3, 1000) == write.data);
  CHECK(debug_read(b.without.host.out, 0, 32).empty());
  CHECK(debug_read(b.without.sm.out, 0, 32).empty());
  CHECK(b.with.memories[0]->calls == 0);
}

TEST_CASE("host: an LT access that crosses a line, or has no command, says so") {
  HostBench b("bench", with_host());
  run_cycles(1);
  for (auto* socket : {&b.host.out, &b.sm.out}) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    Access crossing(tlm::TLM_READ_COMMAND, 120, 16);
    socket->b_transport(crossing.t, delay);
    CHECK(crossing.t.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
  }
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  Access none(tlm::TLM_IGNORE_COMMAND, 0, 16);
  b.sm.out.b_transport(none.t, delay);
  CHECK(none.t.get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST_CASE("AtToLt: the watchdog hears of requests, and of those that no thread has begun") {
  struct Bench : Stage {
    Requester sm{"sm", conductor};
    AtToLt bridge{"bridge", 1};
    SimpleMemory memory{"memory", {}, cycles(1)};
    explicit Bench(const sc_core::sc_module_name& name) : Stage(name) {
      sm.out.bind(bridge.at_socket);
      bridge.lt_socket.bind(memory.memory_socket);
      conductor.add(sm);
    }
  } b("bench");
  b.sm.requests = {{0, 'r', 0}, {1, 'r', 128}, {2, 'r', 256}};
  run_cycles(10);  // an access takes 20 cycles or more
  CHECK(waiting_report(b.bridge) == "bench.bridge: 3 requests, 2 not begun\n");
  run_cycles(2000);
  CHECK(waiting_report(b.bridge).empty());
  CHECK(b.bridge.drained());
  CHECK(b.sm.drained());
}

TEST_CASE("DMI: every target of ours refuses it for the whole address space") {
  struct Ends : HostBench {
    AddressRouter router{"router", {{0, 0}}};
    AtToLt bridge{"bridge"};
    SimpleMemory memory{"simple", {}, cycles(1)};
    MemoryOutPort to_router{"to_router", sm, conductor, 4}, to_bridge{"to_bridge", sm, conductor, 4};
    ControlPort<> to_cache{"to_cache"};
    explicit Ends(const sc_core::sc_module_name& name) : HostBench(name, with_host()) {
      to_router.bind(router.target_socket);
      router.initiator_socket[0].bind(bridge.at_socket);
      bridge.lt_socket.bind(memory.memory_socket);
      to_cache.bind(*system.control_socket(0));
      to_bridge.bind(second.at_socket);
      second.lt_socket.bind(other.memory_socket);
    }
    AtToLt second{"second"};
    SimpleMemory other{"other", {}, cycles(1)};
  } b("bench");
  run_cycles(1);
  const auto refuses = [](auto& socket) {
    tlm::tlm_dmi dmi;
    dmi.set_start_address(5);
    dmi.set_end_address(6);
    dmi.allow_read_write();
    Access a(tlm::TLM_READ_COMMAND, 0x100, 8);
    CHECK_FALSE(socket.get_direct_mem_ptr(a.t, dmi));
    CHECK(dmi.get_start_address() == 0);
    CHECK(dmi.get_end_address() == ~sc_dt::uint64{0});
    CHECK(dmi.is_none_allowed());
    CHECK_FALSE(a.t.is_dmi_allowed());
  };
  refuses(b.host.out);
  refuses(b.sm.out);
  refuses(b.to_router);
  refuses(b.to_bridge);
  refuses(b.to_cache);
  refuses(b.system.l2[0].dram_socket);
  Access a(tlm::TLM_READ_COMMAND, 0x100, 8);
  a.blocking(b.to_router);
}

}  // namespace host_port_test
