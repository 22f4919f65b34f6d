// The memory of one SM and of a host, with memories below that keep bytes.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/platforms/memory/hierarchy.h"
#include "tests/module/memory_kit.h"

namespace subcore::test {

inline HierarchyParameters with_host() {
  HierarchyParameters p;
  p.interconnect.host_ports = 1;
  p.l1.miss_latency = 4;
  p.l2.set_index = IndexFunction::linear;
  return p;
}

// A memory that keeps bytes, with or without a debug transport. An access takes 30 cycles.
struct ByteMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<ByteMemory, 64> socket;
  std::map<std::uint64_t, unsigned char> bytes;
  unsigned calls = 0;
  unsigned debug_bytes = ~0u;             // the most that a debug access moves
  std::uint64_t end = ~std::uint64_t{0};  // the end of its addresses
  ByteMemory(const sc_core::sc_module_name& name, bool debug) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &ByteMemory::b_transport);
    if (debug) socket.register_transport_dbg(this, &ByteMemory::transport_dbg);
  }
  void b_transport(Payload& t, sc_core::sc_time& delay) {
    ++calls;
    delay += cycles(30);
    t.set_response_status(t.get_address() < end ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (t.is_response_ok()) move(t, true);
    t.set_dmi_allowed(true);
  }
  unsigned transport_dbg(Payload& t) {
    if (t.get_address() >= end) return 0;
    const unsigned length = t.get_data_length(), moved = std::min(length, debug_bytes);
    t.set_data_length(moved);
    move(t, false);
    t.set_data_length(length);
    return moved;
  }
  void move(Payload& t, bool enables) {
    const unsigned width = enables ? t.get_streaming_width() : t.get_data_length();
    for (unsigned b = 0; b < t.get_data_length(); ++b) {
      if (enables && t.get_byte_enable_ptr() != nullptr &&
          t.get_byte_enable_ptr()[b % t.get_byte_enable_length()] != TLM_BYTE_ENABLED)
        continue;
      unsigned char& byte = bytes[t.get_address() + b % width];
      if (t.is_read()) t.get_data_ptr()[b] = byte;
      if (t.is_write()) byte = t.get_data_ptr()[b];
    }
  }
};

// An access of a host, with its data.
struct Access {
  explicit Access(tlm::tlm_command command, std::uint64_t address, unsigned bytes) : data(bytes, 0xee) {
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(data.data());
    t.set_data_length(bytes);
    t.set_streaming_width(bytes);
    t.set_dmi_allowed(true);
  }
  // How many cycles the access took; CHECKs that it succeeded.
  template <class Socket>
  double blocking(Socket& socket, double before = 0) {
    sc_core::sc_time delay = cycles(before);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket.b_transport(t, delay);
    CHECK(t.is_response_ok());
    CHECK_FALSE(t.is_dmi_allowed());
    return delay / cycles(1) - before;
  }
  std::vector<unsigned char> data;
  Payload t;
};
template <class Socket>
std::vector<unsigned char> debug_read(Socket& socket, std::uint64_t address, unsigned bytes) {
  Access a(tlm::TLM_READ_COMMAND, address, bytes);
  const unsigned moved = socket.transport_dbg(a.t);
  CHECK(a.t.get_address() == address);
  CHECK(a.t.get_data_length() == bytes);
  CHECK(a.t.get_data_ptr() == a.data.data());
  a.data.resize(moved);
  return a.data;
}

// The memory of one SM, played by a requester, and of a host, another one.
struct HostBench : sc_core::sc_module {
  HostBench(const sc_core::sc_module_name& name, const HierarchyParameters& p, bool debug = true)
      : sc_module(name),
        conductor("conductor", cycles(1), TickOrder::pipeline, 1),
        sm("sm", conductor),
        host("host", conductor),
        system("memory_system", p, {1, 1.0, TickOrder::pipeline, 1}) {
    sm.out.bind(*system.memory_socket(0));
    host.out.bind(*system.host_socket(0));
    conductor.add(sm);
    conductor.add(host);
    system.add_to(0, conductor);
    for (unsigned s = 0; system.dram_socket(s) != nullptr && s < p.l2.slices; ++s) {
      memories.push_back(std::make_unique<ByteMemory>(("memory_" + std::to_string(s)).c_str(), debug));
      system.dram_socket(s)->bind(memories.back()->socket);
    }
  }
  // How long each of the requester's requests took, in cycles.
  static Cycles latencies(const Requester& r) {
    Cycles all;
    for (const auto& q : r.requests) all.push_back(q.answered - q.sent);
    return all;
  }
  bool drained() {
    bool all = sm.drained() && host.drained();
    for (Module* m : system.modules()) all &= m->drained();
    return all;
  }
  Conductor conductor;
  Requester sm, host;
  MemorySystem system;
  std::vector<std::unique_ptr<ByteMemory>> memories;
};

inline HierarchyParameters with_bytes() {
  HierarchyParameters p = with_host();
  p.dram.kind = DramKind::external;
  p.l2.slices = 1;
  p.l2.initiator.bus_width = BusWidth::bits_64;
  return p;
}

}  // namespace subcore::test
