#include "subcore/modules/control_registers/register_target.h"

#include <cstring>

namespace subcore {

RegisterTarget::RegisterTarget(const sc_core::sc_module_name& name, std::uint64_t size)
    : Module(name),
      control_socket("control_socket", [this](Payload& t, bool debug) { access(t, debug); }),
      size_(size) {}

void RegisterTarget::access(Payload& t, bool debug) {
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

}  // namespace subcore
