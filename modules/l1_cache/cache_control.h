// CacheControl: the control port of a cache. A base-protocol target with one register, so that whoever starts
// kernels, our dispatcher or a user's, can have the cache forget what it holds.
#pragma once

#include <functional>

#include "modules/control_registers/control_port.h"
#include "modules/protocol/transport_socket.h"

namespace subcore {

// Byte offset of the one register, 64 bits wide, accessed whole.
namespace cache_register {
inline constexpr std::uint64_t invalidate = 0x00;  // write of any value: everything, from the next cycle on
inline constexpr std::uint64_t size = 0x08;
}  // namespace cache_register

// May stay unbound. A read gets TLM_COMMAND_ERROR_RESPONSE, anything else that is wrong what register_access
// says.
class CacheControl : public TargetSocket<sc_core::SC_ZERO_OR_MORE_BOUND>, private tlm::tlm_fw_transport_if<> {
 public:
  CacheControl(const char* name, std::function<void()> invalidate)
      : TargetSocket(name, *this), invalidate_(std::move(invalidate)) {}

 private:
  void access(tlm::tlm_generic_payload& t) {
    t.set_response_status(register_access(t, cache_register::size));
    if (t.is_response_error()) return;
    if (t.is_write()) {
      invalidate_();
    } else {
      t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    }
  }
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) override {
    if (synchronise(this->name(), t, delay)) access(t);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    if (phase == tlm::BEGIN_REQ) access(t);
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  std::function<void()> invalidate_;
};

}  // namespace subcore
