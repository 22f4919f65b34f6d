#include "subcore/modules/memory/data_access.h"

#include <string>

#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

void KeepData::mask(const sc_core::sc_object& socket, MemoryTransaction& t, unsigned known) {
  t.enable_first(known);
  if (warned_) return;
  warned_ = true;
  SC_REPORT_WARNING(
      report_id::memory,
      (std::string(socket.name()) + ": transport_dbg of the memory gave " + std::to_string(known) + " of " +
       std::to_string(t.get_data_length()) +
       " bytes; what it does not give is not written (byte enables), so that the memory keeps it")
          .c_str());
}

}  // namespace subcore
