// A router with a map: what its targets see, and what its initiators get back.
#include <catch2/catch.hpp>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/modules/memory/address_router.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "tests/cosim/rig.h"

namespace memory_map_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// The requests of memory_program() lie between 0x1000 and about 0x6000. These requests go by lines to four
// targets. Each target sees its own lines from 0 on.
std::vector<AddressRouter::Range> spread(std::uint64_t base, bool squeeze) {
  std::vector<AddressRouter::Range> map;
  for (std::uint32_t way = 0; way < 4; ++way)
    map.push_back({base, 0, base, ~std::uint64_t{0}, {128, 4, way, squeeze}});
  return map;
}

// Payloads come back with the address that they were sent with.
struct Addresses : TransportObserver {
  std::map<const Payload*, std::uint64_t> sent;
  unsigned kept = 0, changed = 0;
  void forward(const Payload& t, const tlm::tlm_phase& phase, const sc_core::sc_time&) override {
    if (phase == tlm::BEGIN_REQ) sent[&t] = t.get_address();
  }
  void backward(const Payload& t, const tlm::tlm_phase& phase, const sc_core::sc_time&) override {
    if (phase == tlm::BEGIN_RESP) ++(sent[&t] == t.get_address() ? kept : changed);
  }
};

// An SM, or its L1, on checking targets behind two routers, one behind the other.
struct MappedRig : sc_core::sc_module {
  MappedRig(const sc_core::sc_module_name& name, const PlatformParameters& p, const Program& program,
            unsigned seed, bool cached)
      : sc_module(name),
        conductor("conductor", cycles(1), TickOrder::pipeline, 1),
        feeder("feeder", program, 1),
        sm("sm", 0, p),
        outer("outer", {{0x1000, 0, 0x800}}),
        router("router", spread(0x800, seed % 2 == 0)) {
    conductor.add(feeder);
    feeder.cta_socket.bind(sm.cta_socket());
    if (cached) {
      HierarchyParameters h;
      h.l1.kilobytes = 1;
      h.l1.ways = 1;
      h.l1.initiator.end_resp = static_cast<EndResponse>(seed % 3);
      l1 = std::make_unique<L1Cache>("l1", h, conductor);
      conductor.add(*l1);
      sm.memory_socket().bind(l1->memory_socket);
      l1->interconnect_socket.bind(outer.target_socket);
    } else {
      sm.memory_socket().bind(outer.target_socket);
    }
    outer.initiator_socket[0].bind(router.target_socket);
    outer.target_socket.observe(addresses);
    for (unsigned t = 0; t < 4; ++t) {
      CheckingTarget::Rules rules;
      rules.seed = 10 * seed + t;
      rules.behind_router = true;
      rules.bus_width = 32u << t % 3;
      targets.push_back(std::make_unique<CheckingTarget>(("target_" + std::to_string(t)).c_str(), rules));
      targets[t]->bind_to(router.initiator_socket[t]);
    }
  }
  // Gives the addresses of the program back.
  std::map<std::uint64_t, unsigned> written(bool squeezed) const {
    std::map<std::uint64_t, unsigned> all;
    for (unsigned t = 0; t < 4; ++t) {
      for (const auto& [seen, n] : targets[t]->written)
        all[0x1000 + (squeezed ? (seen / 128 * 4 + t) * 128 + seen % 128 : seen)] += n;
    }
    return all;
  }
  Conductor conductor;
  Feeder feeder;
  StreamingMultiprocessor sm;
  AddressRouter outer, router;
  std::unique_ptr<L1Cache> l1;
  Addresses addresses;
  std::vector<std::unique_ptr<CheckingTarget>> targets;
};

// Both ends of a router by hand.
struct Raw : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
  tlm::tlm_initiator_socket<> socket;
  std::vector<AddressMap::Span> invalidated;
  explicit Raw(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override {
    invalidated.emplace_back(begin, end);
  }
};
struct Bytes : sc_core::sc_module {
  tlm_utils::simple_target_socket<Bytes> socket;
  std::map<std::uint64_t, unsigned char> bytes;
  std::vector<std::uint64_t> asked;
  explicit Bytes(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Bytes::b_transport);
    socket.register_transport_dbg(this, &Bytes::transport_dbg);
  }
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    asked.push_back(t.get_address());
    delay += cycles(4);
    t.set_dmi_allowed(true);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& t) {
    for (unsigned b = 0; b < t.get_data_length(); ++b) {
      if (t.is_write()) bytes[t.get_address() + b] = t.get_data_ptr()[b];
      if (t.is_read()) t.get_data_ptr()[b] = bytes[t.get_address() + b];
    }
    return t.get_data_length();
  }
};

}  // namespace

TEST_CASE("memory map: behind two routers, targets see their own addresses and initiators have theirs back") {
  std::vector<Program> programs;
  for (unsigned seed = 0; seed < 6; ++seed) programs.push_back(memory_program(seed));
  std::vector<std::unique_ptr<MappedRig>> rigs;
  for (unsigned seed = 0; seed < 12; ++seed) {
    PlatformParameters p = baseline();
    p.load_store.initiator.end_resp = static_cast<EndResponse>(seed % 3);
    rigs.push_back(std::make_unique<MappedRig>(("rig_" + std::to_string(seed)).c_str(), p, programs[seed % 6],
                                               seed, seed >= 6));
  }
  run_cycles(100000);
  for (unsigned seed = 0; seed < 12; ++seed) {
    MappedRig& r = *rigs[seed];
    INFO(r.name());
    CHECK(r.feeder.finished());
    CHECK(r.addresses.kept > 50);
    CHECK(r.addresses.changed == 0);
    CHECK(r.outer.drained());
    CHECK(r.router.drained());
    for (auto& t : r.targets) {
      CHECK(t->violations == std::vector<std::string>{});
      CHECK(t->requests > 5);
      t->release_kept();
      CHECK(t->violations == std::vector<std::string>{});
      CHECK(t->idle());
    }
    CHECK(r.sm.leftovers() == std::vector<std::string>{});
    if (r.l1) CHECK(r.l1->drained());
    CHECK(r.written(seed % 2 == 0) == stored_bytes(programs[seed % 6]));
  }
}

TEST_CASE("memory map: blocking and debug accesses, errors, and what targets take back of DMI") {
  Raw raw("raw");
  AddressRouter router("router", {{0x1000, 0x2000, 0x1000},
                                  {0x4000, 0x5000, 0x4000, ~std::uint64_t{0}, {0x100, 2, 0}},
                                  {0x4000, 0x5000, 0x4000, ~std::uint64_t{0}, {0x100, 2, 1}},
                                  {0x8000, 0x9000, 0x8000, 0xff}});
  std::vector<std::unique_ptr<Bytes>> targets;
  raw.socket.bind(router.target_socket);
  for (unsigned t = 0; t < 4; ++t) {
    targets.push_back(std::make_unique<Bytes>(("target_" + std::to_string(t)).c_str()));
    router.initiator_socket[t].bind(targets[t]->socket);
  }
  run_cycles(1);
  std::vector<unsigned char> data(0x300);
  struct Shot : tlm::tlm_generic_payload {
    Shot(std::vector<unsigned char>& bytes, tlm::tlm_command command, std::uint64_t address,
         unsigned length) {
      set_command(command);
      set_address(address);
      set_data_ptr(bytes.data());
      set_data_length(length);
      set_streaming_width(length);
    }
  };
  const auto read = [&](std::uint64_t address, unsigned bytes) {
    Shot t(data, tlm::TLM_READ_COMMAND, address, bytes);
    sc_core::sc_time delay = cycles(3);
    raw.socket->b_transport(t, delay);
    CHECK(t.get_address() == address);
    CHECK_FALSE(t.is_dmi_allowed());
    CHECK(delay == (t.is_response_ok() ? cycles(7) : cycles(3)));
    return t.get_response_status();
  };
  for (const std::uint64_t a : {0x1000, 0x1fe0, 0x4000, 0x4080, 0x4100, 0x4280, 0x4380, 0x8120})
    CHECK(read(a, 32) == tlm::TLM_OK_RESPONSE);
  using Addresses = std::vector<std::uint64_t>;
  CHECK(targets[0]->asked == Addresses{0, 0xfe0});
  CHECK(targets[1]->asked == Addresses{0, 0x80, 0x180});
  CHECK(targets[2]->asked == Addresses{0, 0x180});
  CHECK(targets[3]->asked == Addresses{0x20});
  CHECK(read(0x40f0, 32) == tlm::TLM_ADDRESS_ERROR_RESPONSE);  // crosses a granule
  CHECK(read(0x1ff0, 32) == tlm::TLM_ADDRESS_ERROR_RESPONSE);  // crosses the end of the range
  CHECK(read(0x80f0, 32) == tlm::TLM_ADDRESS_ERROR_RESPONSE);  // wraps at the mask
  CHECK(read(0x3000, 1) == tlm::TLM_ADDRESS_ERROR_RESPONSE);

  for (unsigned b = 0; b < data.size(); ++b) data[b] = static_cast<unsigned char>(b * 7 + 1);
  Shot write(data, tlm::TLM_WRITE_COMMAND, 0x40c0, 0x300);
  CHECK(raw.socket->transport_dbg(write) == 0x300);
  CHECK(write.get_address() == 0x40c0);
  CHECK(targets[1]->bytes.size() == 0x40 + 0x100);
  CHECK(targets[2]->bytes.size() == 0x300 - targets[1]->bytes.size());
  CHECK(targets[2]->bytes[0x05] == data[0x45]);
  const auto written = data;
  data.assign(data.size(), 0);
  Shot back(data, tlm::TLM_READ_COMMAND, 0x40c0, 0x300);
  CHECK(raw.socket->transport_dbg(back) == 0x300);
  CHECK(data == written);
  Shot beyond(data, tlm::TLM_READ_COMMAND, 0x1ff0, 0x300);
  CHECK(raw.socket->transport_dbg(beyond) == 0x10);

  targets[0]->socket->invalidate_direct_mem_ptr(0x10, 0x1f);
  targets[2]->socket->invalidate_direct_mem_ptr(0x110, 0x11f);
  targets[3]->socket->invalidate_direct_mem_ptr(0x10, 0x1f);      // any of its 16 copies
  targets[0]->socket->invalidate_direct_mem_ptr(0x1000, 0x2000);  // no addresses of ours
  CHECK(raw.invalidated ==
        std::vector<AddressMap::Span>{{0x1010, 0x101f}, {0x4310, 0x431f}, {0x8000, 0x8fff}});
}

TEST_CASE("memory map: one that cannot be ends in an error that names router and range") {
  const std::string text = in_child([] {
    AddressRouter router("router", {{0, 0x2000}, {0x1000, 0x3000}});
    return std::string("no error");
  });
  CHECK_THAT(text,
             Catch::Contains("/subcore/memory_map") &&
                 Catch::Contains("router: range 1 (0x1000 to 0x2fff) overlaps range 0 (0x0 to 0x1fff)"));
}

}  // namespace memory_map_test
