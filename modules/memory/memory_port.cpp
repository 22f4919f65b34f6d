#include "subcore/modules/memory/memory_port.h"

#include <sstream>

namespace subcore {

void refuse_phase(const sc_core::sc_object& socket, const char* problem, const Payload& t) {
  std::ostringstream text;
  text << socket.name() << ": the initiator broke the base protocol: " << problem << ", "
       << (t.is_write() ? "write" : "read") << " of " << t.get_data_length() << " bytes at 0x" << std::hex
       << t.get_address();
  fail("/subcore/protocol", text.str());
}

tlm::tlm_sync_enum unknown_phase(const sc_core::sc_object& socket, const tlm::tlm_phase& phase,
                                 const Payload& t) {
  if (phase <= tlm::END_RESP)
    refuse_phase(socket, "a phase on the forward path that is neither BEGIN_REQ nor END_RESP", t);
  return tlm::TLM_ACCEPTED;
}

}  // namespace subcore
