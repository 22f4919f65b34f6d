// The last bytes of the address space are bytes like any others.
#include <catch2/catch.hpp>
#include <tlm>

#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/memory_lines.h"
#include "subcore/modules/memory/simple_memory.h"
#include "tests/module/kit.h"

namespace address_space_test {

using namespace subcore;
using namespace subcore::test;

TEST_CASE("what a request touches, against every byte of it") {
  for (const std::uint64_t line : {std::uint64_t{0}, std::uint64_t{0x1000}, ~std::uint64_t{0} - 127}) {
    for (unsigned offset = 0; offset < 128; ++offset) {
      for (unsigned bytes = 0; bytes <= 200; ++bytes) {
        tlm::tlm_generic_payload t;
        t.set_address(line + offset);
        t.set_data_length(bytes);
        const LineAccess a = line_access(t);
        REQUIRE(a.fits == (bytes > 0 && offset + bytes <= 128));
        if (!a.fits) continue;
        unsigned touched[4] = {};
        for (unsigned b = 0; b < bytes; ++b) ++touched[(offset + b) / 32];
        REQUIRE(a.line == line / 128);
        for (unsigned s = 0; s < 4; ++s) {
          REQUIRE(((a.sectors >> s) & 1u) == (touched[s] > 0 ? 1u : 0u));
          REQUIRE(((a.whole >> s) & 1u) == (touched[s] == 32 ? 1u : 0u));
        }
      }
    }
  }
  tlm::tlm_generic_payload t;
  t.set_address(64);
  t.set_data_length(~0u);
  CHECK_FALSE(line_access(t).fits);
}

TEST_CASE("a router's range may reach to the end of the address space") {
  struct Raw : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<> socket;
    explicit Raw(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
      socket.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                       sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    tlm::tlm_response_status read(std::uint64_t address, unsigned bytes) {
      tlm::tlm_generic_payload t;
      t.set_command(tlm::TLM_READ_COMMAND);
      t.set_address(address);
      t.set_data_length(bytes);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(t, delay);
      return t.get_response_status();
    }
  };
  Raw raw("raw");
  AddressRouter router("router", {{0x1000, 0x2000}, {0x3000, 0x3000}, {0x4000, 0}});
  SimpleMemory low("low", SimpleMemoryParameters{}, cycles(1)),
      none("none", SimpleMemoryParameters{}, cycles(1)), high("high", SimpleMemoryParameters{}, cycles(1));
  raw.socket.bind(router.target_socket);
  router.initiator_socket[0].bind(low.memory_socket);
  router.initiator_socket[1].bind(none.memory_socket);
  router.initiator_socket[2].bind(high.memory_socket);
  run_cycles(1);
  const std::uint64_t last = ~std::uint64_t{0};
  CHECK(raw.read(0x1fe0, 32) == tlm::TLM_OK_RESPONSE);
  CHECK(raw.read(0x1fe0, 33) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(raw.read(0xfff, 1) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(raw.read(0x3000, 1) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(raw.read(0x4000, 128) == tlm::TLM_OK_RESPONSE);
  CHECK(raw.read(last - 31, 32) == tlm::TLM_OK_RESPONSE);
  CHECK(raw.read(last, 1) == tlm::TLM_OK_RESPONSE);
  CHECK(raw.read(last, 2) == tlm::TLM_ADDRESS_ERROR_RESPONSE);  // the read would wrap
}

}  // namespace address_space_test
