// RegisterTarget: a module with registers for others to read and write. The target's end of a control path:
// TLM-2.0 base protocol, 64-bit registers at 0, 8, ..., little endian, accessed whole (8 bytes, aligned).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstring>

#include "subcore/modules/control_registers/control_target.h"
#include "subcore/modules/protocol/module.h"

namespace subcore {

// An access to an unknown offset gets TLM_ADDRESS_ERROR_RESPONSE, one of another size or streaming width
// TLM_BURST_ERROR_RESPONSE, byte enables TLM_BYTE_ENABLE_ERROR_RESPONSE, one that the register does not take
// TLM_COMMAND_ERROR_RESPONSE. An access that gets an error changes nothing. An annotated delay is waited for:
// the access sees and changes what is there then.
class RegisterTarget : public Module {
 public:
  // May stay unbound.
  ControlTarget control_socket;

 protected:
  // Registers below `size`.
  RegisterTarget(const sc_core::sc_module_name& name, std::uint64_t size)
      : Module(name),
        control_socket("control_socket", [this](Payload& t, bool debug) { access(t, debug); }),
        size_(size) {}

  // Reads the register at `offset` into `value`; a status other than TLM_OK_RESPONSE is the answer.
  virtual tlm::tlm_response_status read_register(std::uint64_t offset, std::uint64_t& value) = 0;
  // Writes `value` into the register at `offset`, with such an answer. `debug`: through the debug transport.
  virtual tlm::tlm_response_status write_register(std::uint64_t offset, std::uint64_t value, bool debug) = 0;

 private:
  void access(Payload& t, bool debug) {
    t.set_response_status(register_access(t, size_, debug));
    if (t.is_response_error()) return;
    std::uint64_t value = 0;
    if (t.is_write()) {
      std::memcpy(&value, t.get_data_ptr(), 8);
      t.set_response_status(write_register(t.get_address(), value, debug));
    } else if (t.is_read()) {
      t.set_response_status(read_register(t.get_address(), value));
      if (t.is_response_ok()) std::memcpy(t.get_data_ptr(), &value, 8);
    }
  }

  std::uint64_t size_;
};

}  // namespace subcore
