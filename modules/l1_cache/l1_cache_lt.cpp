// LT accesses. These functions have a file of their own, so that they do not change what the compiler inlines
// for AT.
#include "subcore/modules/l1_cache/l1_cache.h"
#include "subcore/modules/memory/data_access.h"

namespace subcore {

// The tags count as they are now: an LT access does not see requests under way.
void L1Cache::b_transport(Payload& t, sc_core::sc_time& delay) {
  t.set_dmi_allowed(false);
  const LineAccess a = line_access(t);
  if (!a.fits || t.get_command() == tlm::TLM_IGNORE_COMMAND) {
    t.set_response_status(a.fits ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const bool reads = t.is_read() && atomic(t) == nullptr;
  const SectoredTags::Line* line = invalidate_at_ > conductor_.now() ? tags_.find(a.line) : nullptr;
  ++(reads ? counters_.blocking_reads : counters_.blocking_writes);
  if (reads && line != nullptr && (a.sectors & ~line->valid) == 0) {
    ++counters_.blocking_hits;
    delay += hit_delay_;
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    if (memory_has_data_) move_data(interconnect_socket, t, delay);
  } else {
    delay += conductor_.period();
    interconnect_socket.b_transport(t, delay);
    delay += conductor_.period();
    if (reads) delay += static_cast<double>(miss_latency_) * conductor_.period();
  }
  t.set_dmi_allowed(false);
}

}  // namespace subcore
