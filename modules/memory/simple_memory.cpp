#include "subcore/modules/memory/simple_memory.h"

#include <algorithm>

#include "subcore/modules/memory/memory_lines.h"

namespace subcore {

SimpleMemory::SimpleMemory(const sc_core::sc_module_name& name, const SimpleMemoryParameters& p,
                           sc_core::sc_time cycle)
    : Module(name),
      memory_socket("memory_socket", *this),
      p_(p),
      cycle_(cycle.value()),
      path_(p.bytes_per_cycle) {
  const std::uint64_t lines = std::uint64_t{p.cache_kilobytes} * 1024 / p.line_bytes;
  sets_ = lines / p.ways;
  tags_.resize(sets_ * p.ways);
}

// Whether an access hits. Bulk copies pass by the tags. Reads allocate a line, and writes only refresh one
// (write-through, no allocation).
bool SimpleMemory::access(std::uint64_t address, bool allocate) {
  if (sets_ == 0) return false;
  const std::uint64_t line = address / p_.line_bytes;
  Way* set = &tags_[line % sets_ * p_.ways];
  Way* victim = set;
  for (std::uint32_t w = 0; w < p_.ways; ++w) {
    if (set[w].line == line) {
      set[w].use = ++uses_;
      return true;
    }
    if (set[w].use < victim->use) victim = &set[w];
  }
  if (allocate) *victim = {line, ++uses_};
  return false;
}

void SimpleMemory::b_transport(Payload& t, sc_core::sc_time& delay) {
  const bool hit = !is_bulk(t) && access(t.get_address(), t.is_read());
  ++(hit ? hits_ : misses_);
  ++(t.is_read() ? reads_ : writes_);
  bytes_ += t.get_data_length();
  const std::uint64_t time = sc_core::sc_time_stamp().value() + delay.value();
  // From here on times are in fractions of a cycle. Whole cycles and the rest are converted apart, because
  // the whole time would overflow.
  const std::uint64_t now = time / cycle_ * Bandwidth::cycle + time % cycle_ * Bandwidth::cycle / cycle_;
  const std::uint64_t ready = now + std::uint64_t{hit ? p_.hit_latency : p_.miss_latency} * Bandwidth::cycle;
  const std::uint64_t occupied = path_.occupied(t.get_data_length());
  // The response leaves when it is ready and the path is free. Its transfer is part of the latency.
  path_free_ = std::max(path_free_, ready - std::min(ready, occupied)) + occupied;
  const std::uint64_t done = std::max(ready, path_free_);
  // The time is rounded up to whole cycles, because the initiator's clock sees nothing in between.
  const std::uint64_t wait = (done - now + Bandwidth::cycle - 1) / Bandwidth::cycle;
  delay += sc_core::sc_time::from_value(wait * cycle_);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum SimpleMemory::nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;  // END_RESP cannot come after early completion
  b_transport(t, delay);
  return tlm::TLM_COMPLETED;
}

std::vector<Signal> SimpleMemory::signals() {
  SignalList list(std::string(basename()) + '_');
  list.per_cycle("reads", 8, [this](Cycle) -> std::uint64_t { return reads_; })
      .per_cycle("writes", 8, [this](Cycle) -> std::uint64_t { return writes_; })
      .per_cycle("hits", 8, [this](Cycle) -> std::uint64_t { return hits_; });
  return list;
}

}  // namespace subcore
