#include "subcore/modules/l1_cache/l1_cache.h"

#include <ostream>

#include "subcore/base/bits.h"

namespace subcore {

L1Cache::L1Cache(const sc_core::sc_module_name& name, const HierarchyParameters& p,
                 const Conductor& conductor)
    : TickingModule(name),
      memory_socket("memory_socket", *this),
      control_socket("control_socket", [this](std::uint64_t shared_bytes) { invalidate(shared_bytes); }),
      interconnect_socket("interconnect_socket", *this, conductor, 2 * p.l1.mshrs, p.l1.initiator,
                          "memory.l1", "memory.l1.bus_width"),
      write_allocate_(p.l1.write_allocate),
      memory_has_data_(p.dram.kind == DramKind::external),
      allocation_(p.l1.allocation),
      carve_out_(p.l1.kilobytes, carve_outs_of(p.l1.carve_outs).value_or(std::vector<std::uint32_t>())),
      sets_(std::uint64_t{p.l1.kilobytes} * 1024 / line_bytes / p.l1.ways),
      requests_(p.l1.initiator.requests),
      hit_delay_(sc_core::sc_time::from_value(p.hit_latency * conductor.period().value())),
      miss_latency_(p.l1.miss_latency),
      conductor_(conductor),
      tags_(sets_, p.l1.ways, 0, p.l1.set_index, p.l1.write_allocate ? p.l1.written_percent : 0),
      mshrs_(p.l1.mshrs, p.l1.merges, p.l1.mshr_unit),
      fetched_for_(p.l1.mshrs),
      queue_room_(p.l1.queue) {}

// Invalidates all lines from the next cycle on. Any process may call, because no result shows whether this
// cycle's tick came first.
void L1Cache::invalidate(std::uint64_t shared_bytes) {
  const Cycle now = conductor_.now();
  forget(now);
  shared_bytes_ = shared_bytes;
  invalidate_at_ = now + 1;
  if (initiator_.request() != nullptr) wake(now + 1);  // then lines are free
  ++counters_.invalidations;
}

// Drops every line. Fetches under way still answer the requests that wait for them, but the cache keeps none.
void L1Cache::forget(Cycle now) {
  if (invalidate_at_ > now) return;
  invalidate_at_ = never;
  ++generation_;
  tags_.clear(carve_out_.exists()
                  ? static_cast<unsigned>(std::uint64_t{carve_out_.cache_kilobytes(shared_bytes_)} * 1024 /
                                          line_bytes / sets_)
                  : tags_.ways());
}

// Takes events from before `now`, which count before all events of `now`, whether the load/store unit or this
// module ticks first.
void L1Cache::take_fills(Cycle now) {
  forget(now);
  interconnect_socket.admit(now);
  while (Payload* t = interconnect_socket.front(now)) {
    interconnect_socket.pop(now);
    if (!is_cached_read(*t)) {  // a request that was passed on for the load/store unit
      done_.put({t, now});
      continue;
    }
    auto& fetch = static_cast<MemoryTransaction&>(*t);
    const LineAccess a = line_access(fetch);
    const tlm::tlm_response_status status = fetch.get_response_status();
    if (status == tlm::TLM_INCOMPLETE_RESPONSE) interconnect_socket.check(fetch);
    if (fetched_for_[fetch.entry] == generation_) {
      SectoredTags::Line* line = tags_.find(a.line);
      if (line == nullptr) {
        // Happens only with allocation on_fill. No line is pending then, so one can be replaced.
        line = tags_.victim(a.line);
        tags_.install(*line, a.line);
      }
      line->pending = static_cast<SectorMask>(line->pending & ~a.sectors);
      if (status == tlm::TLM_OK_RESPONSE) line->valid = static_cast<SectorMask>(line->valid | a.sectors);
    }
    if (status != tlm::TLM_OK_RESPONSE) {  // the answer passes the error on
      mshrs_.for_each_waiting(fetch.entry, a.sectors,
                              [&](Payload* waiting) { waiting->set_response_status(status); });
    }
    mshrs_.filled(fetch.entry, a.sectors, [this, now](Payload* waiting) {
      if (waiting->get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) succeed(*waiting);
      done_.put({waiting, now + miss_latency_});
    });
    fetch.release();
  }
}

bool L1Cache::hit(Payload& t, const LineAccess& a) {
  SectoredTags::Line* line = tags_.find(a.line);
  if (line == nullptr || (a.sectors & ~line->valid) != 0) return false;
  tags_.touch(*line);
  ++counters_.reads;
  ++counters_.hits;
  succeed(t);
  return true;
}

// Completes a read whose sectors are here, and moves its data, if any.
void L1Cache::succeed(Payload& t) {
  if (memory_has_data_ && carries_data(t)) {
    move_data_at_once(interconnect_socket, t);
  } else {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
}

// Keeps a write in its line. A sector that this write makes whole can be read from now on.
void L1Cache::keep_written(const Payload& t, SectoredTags::Line& line) {
  const LineAccess a = line_access(t);
  SectorMask whole = a.whole;
  if (t.get_byte_enable_ptr() != nullptr) {
    const ByteMask written = accessed_bytes(t);
    for (unsigned s = 0; s < sectors_per_line; ++s) {
      if (written[s] != whole_sector) bits::remove(whole, s);
    }
  }
  tags_.touch(line);
  tags_.mark_dirty(line, a.sectors);
  line.valid = static_cast<SectorMask>(line.valid | whole);
}

// Passes writes, atomics and requests of bulk copies on to the L2 as they are.
HoldCause L1Cache::pass_on(Payload& t, Cycle now) {
  const LineAccess a = line_access(t);
  SectoredTags::Line* line = tags_.find(a.line);
  const bool bulk = is_bulk(t), writes = t.is_write() && atomic(t) == nullptr && !bulk;
  SectoredTags::Line* way = line;
  if (writes && write_allocate_ && line == nullptr) {
    way = tags_.victim(a.line);
    if (way == nullptr) return HoldCause::line;
  }
  if (!queue_room_.ready(now)) return HoldCause::queue;
  if (writes) {
    ++counters_.writes;
    if (line != nullptr && (line->valid & a.sectors) != 0) {
      ++counters_.write_hits;
      tags_.touch(*line);
    }
    if (write_allocate_) {
      if (line == nullptr) tags_.install(*way, a.line);
      keep_written(t, *way);
    }
  } else {
    ++(bulk ? counters_.bulk : counters_.atomics);
    // The L2 gets a new value, which this cache does not know.
    const bool changes = t.is_write() || atomic(t) != nullptr;
    if (changes && line != nullptr) line->valid = static_cast<SectorMask>(line->valid & ~a.sectors);
  }
  queue(t, now);
  return HoldCause::none;
}

// Takes in a request that does not hit. If the request must wait, returns the cause and changes nothing.
HoldCause L1Cache::accept(Payload& t, Cycle now) {
  if (!is_cached_read(t)) return pass_on(t, now);
  const LineAccess a = line_access(t);
  SectoredTags::Line* line = tags_.find(a.line);
  const auto missing = static_cast<SectorMask>(a.sectors & ~(line != nullptr ? line->valid : 0u));
  std::uint32_t entry = mshrs_.find(a.line);
  const unsigned pending = entry == MshrTable<Payload*>::none ? 0u : mshrs_.pending(entry);
  const auto fetch = static_cast<SectorMask>(missing & ~pending);
  const bool old = entry != MshrTable<Payload*>::none;
  // A fetch from before an invalidation may bring old data, so no other request may join it.
  if (old && fetched_for_[entry] != generation_) return HoldCause::invalidation;
  SectoredTags::Line* way = line;
  if (allocation_ == LineAllocation::on_miss && line == nullptr) {
    way = tags_.victim(a.line);
    if (way == nullptr) return HoldCause::line;
  }
  if (queue_room_.available(now) < static_cast<int>(requests_for(fetch, requests_))) return HoldCause::queue;
  if (!mshrs_.room(entry, fetch)) return HoldCause::mshr;
  if (old && !mshrs_.joins(entry, missing)) return HoldCause::merge;
  ++counters_.reads;
  ++(fetch == 0 ? counters_.merges : line == nullptr ? counters_.line_misses : counters_.sector_misses);
  if (allocation_ == LineAllocation::on_miss) {
    if (line == nullptr) tags_.install(*way, a.line);
    tags_.touch(*way);
    way->pending = static_cast<SectorMask>(way->pending | fetch);
  }
  if (entry == MshrTable<Payload*>::none) entry = mshrs_.allocate(a.line);
  fetched_for_[entry] = generation_;
  mshrs_.expect(entry, fetch);
  mshrs_.add(entry, &t, missing);
  for_each_request(a.line, fetch, requests_, [&](std::uint64_t address, unsigned bytes, SectorMask) {
    MemoryTransaction& f = pool_.acquire(tlm::TLM_READ_COMMAND, address, bytes);
    f.entry = entry;
    counters_.fetched_sectors += bytes / sector_bytes;
    queue(f, now);
  });
  return HoldCause::none;
}

tlm::tlm_sync_enum L1Cache::nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle now = conductor_.now();
  return initiator_.called(
      conductor_, t, phase, now, [&] { return take(t, now, delay); }, [&] { wake(now + 1); });
}

AtTarget<>::Answer L1Cache::take(Payload& t, Cycle now, sc_core::sc_time& delay) {
  const LineAccess a = line_access(t);
  if (!a.fits || t.get_command() == tlm::TLM_IGNORE_COMMAND) {
    t.set_response_status(a.fits ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE);
    return AtTarget<>::Answer::completed;
  }
  take_fills(now);
  if (is_cached_read(t) && hit(t, a)) {
    delay += hit_delay_;
    return AtTarget<>::Answer::completed;
  }
  const HoldCause cause = accept(t, now);
  if (cause == HoldCause::none) return AtTarget<>::Answer::accepted;
  counters_.held.hold(cause, now);
  stalled_since_ = now;
  wake(now + 1);
  return AtTarget<>::Answer::waiting;
}

Cycle L1Cache::tick(Cycle now) {
  take_fills(now);
  if (initiator_.request() != nullptr && stalled_since_ < now) {
    Payload& t = *initiator_.request();
    // The sectors may have come while the request waited.
    const bool present = is_cached_read(t) && hit(t, line_access(t));
    if (present) done_.put({&t, now});
    const HoldCause cause = present ? HoldCause::none : accept(t, now);
    if (cause != HoldCause::none) {
      counters_.held.hold(cause, now);
    } else {
      counters_.held.release(now);
      initiator_.end_request();
    }
  }
  Cycle next = never;
  if (queue_.due(now) && interconnect_socket.ready(now)) {
    Payload& t = *queue_.front().payload;
    queue_.pop();
    queue_room_.give_back(now + 1);
    interconnect_socket.send(t, now);
    if (initiator_.request() != nullptr) next = now + 1;
  }
  if (!queue_.empty()) next = std::min(next, interconnect_socket.ready_at(std::max(now + 1, queue_.next())));
  if (done_.due(now) && initiator_.ready(now)) {
    Payload& t = *done_.front().payload;
    done_.pop();
    initiator_.respond(t, now);
  }
  if (!done_.empty()) next = std::min(next, initiator_.ready_at(std::max(now + 1, done_.next())));
  return std::min(next, interconnect_socket.next(now));
}

bool L1Cache::drained() const {
  return mshrs_.empty() && queue_.empty() && done_.empty() && initiator_.request() == nullptr &&
         !initiator_.responding() && interconnect_socket.empty() && pool_.in_use() == 0;
}

void L1Cache::report_waiting(std::ostream& out) const {
  if (initiator_.request() != nullptr)
    out << name() << ": no room for the request at 0x" << std::hex << initiator_.request()->get_address()
        << std::dec << " since cycle " << stalled_since_ << "\n";
  interconnect_socket.report_waiting(out, name());
  if (!mshrs_.empty()) out << name() << ": " << mshrs_.lines() << " lines are being fetched\n";
  if (!queue_.empty()) out << name() << ": " << queue_.size() << " requests wait for the interconnect\n";
  if (initiator_.responding()) out << name() << ": an answer has had no END_RESP\n";
}

void L1Cache::register_statistics(StatisticsGroup& g) {
  TickingModule::register_statistics(g);
  g.derived("hit_rate", "", "hits / reads", [this] {
    return counters_.reads == 0 ? 0.0
                                : static_cast<double>(counters_.hits) / static_cast<double>(counters_.reads);
  });
}

std::vector<Signal> L1Cache::signals() {
  SignalList list(std::string(basename()) + '_');
  list.number("mshrs", 16, [this](Cycle) { return std::uint64_t{mshrs_.lines()}; })
      .number("queue", 16, [this](Cycle) { return std::uint64_t{queue_.size()}; })
      .flag("stalled", [this](Cycle) { return std::uint64_t{initiator_.request() != nullptr}; })
      .per_cycle("reads", 8, [this](Cycle) -> std::uint64_t { return counters_.reads; })
      .per_cycle("hits", 8, [this](Cycle) -> std::uint64_t { return counters_.hits; });
  return list;
}

}  // namespace subcore
