// LT accesses. These functions have a file of their own, so that they do not change what the compiler inlines
// for AT.
#include <algorithm>

#include "subcore/modules/l2_slice/l2_slice.h"
#include "subcore/modules/memory/data_access.h"

namespace subcore {

void L2Slice::access(Payload& t, sc_core::sc_time& delay) {
  const LineAccess a = line_access(t);
  // A request that is accepted in one cycle goes on in the next cycle at the earliest.
  delay += static_cast<double>(std::max(2u, p_.latency)) * period_;
  if (!a.fits) {
    t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const bool writes = t.is_write() && atomic(t) == nullptr;
  const SectoredTags::Line* line = tags_.find(a.line);
  const bool hit = line != nullptr && (a.sectors & ~line->valid) == 0;
  ++(writes ? counters_.blocking_writes : counters_.blocking_reads);
  if (!writes && hit) ++counters_.blocking_hits;
  if (!writes && !hit) {
    dram_socket.b_transport(t, delay);
    delay += period_;  // the answer goes on in the next cycle
  } else if (memory_has_data_) {
    move_data(dram_socket, t, delay);
  } else {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  if (atomic(t) != nullptr) delay += static_cast<double>(p_.atomic_latency) * period_;
}

}  // namespace subcore
