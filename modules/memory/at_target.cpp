#include "subcore/modules/memory/at_target.h"

#include <sstream>

#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

void refuse_phase(const sc_core::sc_object& socket, const char* problem, const Payload& t) {
  std::ostringstream text;
  text << socket.name() << ": the initiator broke the base protocol: " << problem << ", "
       << (t.is_write() ? "write" : "read") << " of " << t.get_data_length() << " bytes at 0x" << std::hex
       << t.get_address();
  fail(report_id::protocol, text.str());
}

}  // namespace subcore
