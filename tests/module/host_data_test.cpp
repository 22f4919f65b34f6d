// The data of a host's AT accesses are those that a user's memory holds. Write-backs have no data.
#include <numeric>

#include <catch2/catch.hpp>

#include "tests/module/host_kit.h"

namespace host_data_test {

using namespace subcore;
using namespace subcore::test;

namespace {

std::vector<std::string> warnings;

void collect_warnings(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING) {
    warnings.push_back(std::string(report.get_msg_type()) + ": " + report.get_msg());
  } else {
    sc_core::sc_report_handler::default_handler(report, actions);
  }
}

// A host that speaks AT, one access at a time.
struct AtHost : sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
  tlm::tlm_initiator_socket<> socket;
  unsigned responses = 0;
  explicit AtHost(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }
  tlm::tlm_response_status run(Access& a) {
    a.t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const unsigned before = responses;
    if (socket->nb_transport_fw(a.t, phase, delay) != tlm::TLM_COMPLETED) {
      run_cycles(1000);
      CHECK(responses == before + 1);
    }
    CHECK_FALSE(a.t.is_dmi_allowed());
    CHECK(a.t.get_data_ptr() == a.data.data());
    return a.t.get_response_status();
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) override {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++responses;
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

struct AtBench : HostBench {
  explicit AtBench(const sc_core::sc_module_name& name, bool debug)
      : HostBench(name, two_hosts(), debug), at("at") {
    system.host_socket(1)->bind(at.socket);
  }
  static HierarchyParameters two_hosts() {
    HierarchyParameters p = with_bytes();
    p.interconnect.host_ports = 2;
    p.l2.kilobytes = p.l2.ways = 1;
    return p;
  }
  AtHost at;
};

}  // namespace

TEST_CASE(
    "host: AT accesses move data as LT ones do, with a debug transport, without, and with half of one") {
  sc_core::sc_report_handler::set_handler(collect_warnings);
  struct All {
    AtBench debug{"debug", true}, none{"none", false}, partial{"partial", true};
  } all;
  all.partial.memories[0]->debug_bytes = 16;
  run_cycles(1);
  for (AtBench* b : {&all.debug, &all.none, &all.partial}) {
    INFO(b->name());
    ByteMemory& memory = *b->memories[0];
    for (unsigned n = 0; n < 128; ++n) memory.bytes[0x1000 + n] = static_cast<unsigned char>(100 + n);
    // A read that misses, a read that hits, a write, and both again.
    for (unsigned round = 0; round < 2; ++round) {
      Access read(tlm::TLM_READ_COMMAND, 0x1003, 70);
      CHECK(b->at.run(read) == tlm::TLM_OK_RESPONSE);
      for (unsigned n = 0; n < 70; ++n) CHECK(read.data[n] == memory.bytes[0x1003 + n]);
      Access write(tlm::TLM_WRITE_COMMAND, 0x1042, 5);
      for (unsigned n = 0; n < 5; ++n) write.data[n] = static_cast<unsigned char>(1 + n + 10 * round);
      CHECK(b->at.run(write) == tlm::TLM_OK_RESPONSE);
      for (unsigned n = 0; n < 5; ++n) CHECK(memory.bytes[0x1042 + n] == 1 + n + 10 * round);
      CHECK(memory.bytes[0x1041] == 100 + 0x41);
      CHECK(memory.bytes[0x1047] == 100 + 0x47);
    }
    // Byte enables, shorter than the data.
    unsigned char enables[3] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
    Access masked(tlm::TLM_WRITE_COMMAND, 0x1010, 7), seen(tlm::TLM_READ_COMMAND, 0x1010, 7);
    for (Access* a : {&masked, &seen}) {
      a->t.set_byte_enable_ptr(enables);
      a->t.set_byte_enable_length(3);
    }
    masked.data = {1, 2, 3, 4, 5, 6, 7};
    masked.t.set_data_ptr(masked.data.data());
    CHECK(b->at.run(masked) == tlm::TLM_OK_RESPONSE);
    const unsigned char kept = 100 + 0x10;
    for (unsigned n = 0; n < 7; ++n) CHECK(memory.bytes[0x1010 + n] == (n % 3 == 1 ? kept + n : n + 1));
    CHECK(b->at.run(seen) == tlm::TLM_OK_RESPONSE);
    CHECK(seen.data == std::vector<unsigned char>{1, 0xee, 3, 4, 0xee, 6, 7});
    CHECK(seen.t.get_byte_enable_ptr() == enables);
    // With a streaming width, the last byte for an address stays.
    Access stream(tlm::TLM_WRITE_COMMAND, 0x1020, 10), back(tlm::TLM_READ_COMMAND, 0x1020, 10);
    for (Access* a : {&stream, &back}) a->t.set_streaming_width(4);
    std::iota(stream.data.begin(), stream.data.end(), std::uint8_t{1});
    CHECK(b->at.run(stream) == tlm::TLM_OK_RESPONSE);
    CHECK(memory.bytes[0x1020] == 9);
    CHECK(memory.bytes[0x1023] == 8);
    CHECK(memory.bytes[0x1024] == 100 + 0x24);
    CHECK(b->at.run(back) == tlm::TLM_OK_RESPONSE);
    CHECK(back.data == std::vector<unsigned char>{9, 10, 7, 8, 9, 10, 7, 8, 9, 10});
    // Lines take each other's places. Their write-backs change nothing.
    const auto before = memory.bytes;
    for (unsigned n = 1; n < 20; ++n) {
      Access other(tlm::TLM_READ_COMMAND, 0x1000 + 1024 * n, 32);
      CHECK(b->at.run(other) == tlm::TLM_OK_RESPONSE);
    }
    CHECK(b->system.l2[0].counters().written_back_sectors > 0);
    for (unsigned n = 0; n < 128; ++n) CHECK(memory.bytes[0x1000 + n] == before.at(0x1000 + n));
    CHECK(b->drained());
  }
}

TEST_CASE("host: an AT access that cannot be gets an error and leaves nothing behind") {
  AtBench b("bench", true);
  run_cycles(1);
  b.memories[0]->end = 0x2000;
  Access read(tlm::TLM_READ_COMMAND, 0x3000, 32), write(tlm::TLM_WRITE_COMMAND, 0x3400, 32),
      crossing(tlm::TLM_WRITE_COMMAND, 0x1070, 32), last(tlm::TLM_READ_COMMAND, 0x1000, 32);
  CHECK(b.at.run(read) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(b.at.run(write) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(b.at.run(crossing) == tlm::TLM_BURST_ERROR_RESPONSE);
  for (unsigned n = 0; n < 12; ++n) {
    Access other(tlm::TLM_READ_COMMAND, 1024 * (n % 8), 32);
    CHECK(b.at.run(other) == tlm::TLM_OK_RESPONSE);
  }
  CHECK(b.at.run(last) == tlm::TLM_OK_RESPONSE);
  CHECK(b.system.l2[0].counters().written_back_sectors == 0);
  CHECK(b.drained());
}

namespace {

// Write-backs to a memory whose debug transport moves at most so many bytes. The warning begins with `gave`.
void check_write_backs(bool debug, unsigned debug_bytes, const std::string& gave) {
  sc_core::sc_report_handler::set_handler(collect_warnings);
  HierarchyParameters p = with_bytes();
  p.l2.kilobytes = 1;
  p.l2.ways = 1;
  HostBench b("bench", p, debug);
  ByteMemory& memory = *b.memories[0];
  memory.debug_bytes = debug_bytes;
  b.sm.requests = {{10, 'r', 128, 128},    {500, 'r', 32},        {1000, 'w', 32, 64}, {1500, 'w', 100, 8},
                   {2000, 'r', 1024, 128}, {2500, 'w', 1024, 32}, {3000, 'r', 2048}};
  for (unsigned n = 0; n < 4096; ++n) memory.bytes[n] = static_cast<unsigned char>(n % 251 + 1);
  run_cycles(5000);
  CHECK(b.drained());
  CHECK(b.system.l2[0].counters().written_back_sectors == 4);
  for (unsigned n = 0; n < 4096; ++n) CHECK(memory.bytes[n] == n % 251 + 1);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0],
             Catch::Contains("/subcore/memory: bench.memory_system.l2_0.dram_socket: transport_dbg of the "
                             "memory gave " +
                             gave + " of "));
}

}  // namespace

TEST_CASE(
    "host: write-backs to a memory without a debug transport leave what it holds, and one warning says so") {
  check_write_backs(false, 0, "0");
}
TEST_CASE("host: so do write-backs to one whose debug transport gives a part of the bytes") {
  check_write_backs(true, 16, "16");
}

}  // namespace host_data_test
