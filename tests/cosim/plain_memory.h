// A memory that keeps bytes and answers at once, by AT, LT and the debug transport.
#pragma once

#include <cstdint>
#include <map>

#include <tlm>

#include "tests/module/kit.h"

namespace subcore::test {

struct PlainMemory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<> socket;
  std::map<std::uint64_t, unsigned char> bytes;
  unsigned writes = 0;
  explicit PlainMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  void move(tlm::tlm_generic_payload& t) {
    for (unsigned b = 0; b < t.get_data_length(); ++b) {
      unsigned char& own = bytes.emplace(t.get_address() + b, 0xa5).first->second;
      if (t.is_read()) t.get_data_ptr()[b] = own;
      const unsigned char* enables = t.get_byte_enable_ptr();
      if (t.is_write() && (enables == nullptr || enables[b] == TLM_BYTE_ENABLED)) own = t.get_data_ptr()[b];
    }
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    b_transport(t, delay);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) override {
    writes += t.is_write();
    move(t);
    delay += cycles(9);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& t) override {
    move(t);
    return t.get_data_length();
  }
};

}  // namespace subcore::test
