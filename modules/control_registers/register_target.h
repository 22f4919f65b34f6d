// RegisterTarget: a module with registers for others to read and write. The target's end of a control path:
// TLM-2.0 base protocol, 64-bit registers at 0, 8, ..., little endian, accessed whole (8 bytes, aligned).
#pragma once

#include <tlm>

#include "modules/conductor/method_process.h"
#include "modules/protocol/module.h"
#include "modules/protocol/transport_socket.h"

namespace subcore {

// An access to an unknown offset gets TLM_ADDRESS_ERROR_RESPONSE, one of another size or streaming width
// TLM_BURST_ERROR_RESPONSE, byte enables TLM_BYTE_ENABLE_ERROR_RESPONSE, one that the register does not take
// TLM_COMMAND_ERROR_RESPONSE. What gets an error changes nothing. An annotated delay is waited for: the
// access sees and changes what is there then.
class RegisterTarget : public Module, private tlm::tlm_fw_transport_if<> {
 public:
  // May stay unbound.
  TargetSocket<sc_core::SC_ZERO_OR_MORE_BOUND> control_socket;

 protected:
  // Registers below `size`.
  RegisterTarget(const sc_core::sc_module_name& name, std::uint64_t size);

  // Of a register's offset; what is not TLM_OK_RESPONSE is the answer. `debug`: through the debug transport.
  virtual tlm::tlm_response_status read_register(std::uint64_t offset, std::uint64_t& value) = 0;
  virtual tlm::tlm_response_status write_register(std::uint64_t offset, std::uint64_t value, bool debug) = 0;

 private:
  void access(tlm::tlm_generic_payload& t, bool debug = false);
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void answer();
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& t) override {
    access(t, true);
    return t.is_response_ok() ? t.get_data_length() : 0;
  }

  std::uint64_t size_;
  // Requests that came through nb_transport_fw with a delay. A response ends its request, so one at a time is
  // asked.
  tlm::tlm_generic_payload* asked_ = nullptr;       // BEGIN_REQ seen, BEGIN_RESP not sent
  tlm::tlm_generic_payload* responding_ = nullptr;  // BEGIN_RESP sent, END_RESP not seen
  bool held_ = false;                               // asked_ is due, but responding_ comes first
  sc_core::sc_event due_;
  MethodProcess process_;
};

}  // namespace subcore
