#include "subcore/modules/l2_slice/l2_slice.h"

#include <algorithm>
#include <ostream>

#include "subcore/base/bits.h"
#include "subcore/model/policy/index_function.h"
#include "subcore/modules/memory/data_access.h"

namespace subcore {

L2Slice::L2Slice(const sc_core::sc_module_name& name, const L2Parameters& p, const Conductor& conductor,
                 bool memory_has_data)
    : TickingModule(name),
      interconnect_socket("interconnect_socket", *this, conductor, p.queue),
      dram_socket("dram_socket", *this, conductor, p.queue, p.initiator, "memory.l2", "memory.l2.bus_width"),
      p_(p),
      period_(conductor.period()),
      memory_has_data_(memory_has_data),
      tags_(std::uint64_t{p.kilobytes} * 1024 / p.slices / line_bytes / p.ways, p.ways,
            SliceMap(p.slices).bits(), p.set_index),
      mshrs_(p.mshrs, p.merges, p.mshr_unit),
      // The queue always has room for the requests of one miss and of the write-back that the miss causes.
      queue_room_(std::max(p.initiator.requests == RequestShape::single_sectors ? 2 * sectors_per_line : 4u,
                           p.queue) +
                  p.latency) {
  interconnect_socket.on_loosely_timed(*this);
}

// Answers a request. An atomic is performed when its line is there and the atomic before it is done. A
// request that already has a status was refused by the memory below.
void L2Slice::answer(Payload& t, Cycle due) {
  if (t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    if (atomic(t) != nullptr) {
      const Cycle begin = std::max(due, atomic_free_);
      atomic_free_ = begin + p_.atomic_interval;
      due = begin + p_.atomic_latency;
    }
    if (memory_has_data_ && carries_data(t)) {
      move_data_at_once(dram_socket, t);
    } else {
      t.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  }
  answers_.put({due, &t});
}

void L2Slice::take_fills(Cycle now) {
  while (Payload* t = dram_socket.front(now)) {
    dram_socket.pop(now);
    auto& own = static_cast<MemoryTransaction&>(*t);
    if (own.is_write() || own.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) dram_socket.check(own);
    if (own.is_read()) {
      const LineAccess a = line_access(own);
      const tlm::tlm_response_status status = own.get_response_status();
      SectoredTags::Line* way = tags_.find(a.line);
      // Happens only with allocation on_fill. No line is pending then, so one can be replaced.
      if (way == nullptr) {
        way = tags_.victim(a.line);
        evict(*way, now);
        tags_.install(*way, a.line);
      }
      SectoredTags::Line& line = *way;
      line.pending = static_cast<SectorMask>(line.pending & ~a.sectors);
      if (status == tlm::TLM_OK_RESPONSE) {
        line.valid = static_cast<SectorMask>(line.valid | a.sectors);
      } else {  // the answer passes the error on
        mshrs_.for_each_waiting(own.entry, a.sectors,
                                [&](Payload* waiting) { waiting->set_response_status(status); });
      }
      mshrs_.filled(own.entry, a.sectors, [&](Payload* waiting) {
        if (atomic(*waiting) != nullptr && waiting->get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
          tags_.mark_dirty(line, line_access(*waiting).sectors);
        answer(*waiting, now);
      });
    }
    own.release();
  }
}

// Writes into a line that is here. A sector that is written in part becomes valid with its last byte.
void L2Slice::write(const Payload& t, SectoredTags::Line& line, const LineAccess& a) {
  tags_.mark_dirty(line, a.sectors);
  if (t.get_byte_enable_ptr() == nullptr) line.valid = static_cast<SectorMask>(line.valid | a.whole);
  if ((a.sectors & ~line.valid) == 0) return;
  if (written_.empty()) written_.resize(std::uint64_t{p_.kilobytes} * 1024 / p_.slices / line_bytes);
  ByteMask& written = written_[tags_.index(line)];
  const ByteMask now_written = accessed_bytes(t);
  for (unsigned s = 0; s < sectors_per_line; ++s) {
    written[s] |= now_written[s];
    if (written[s] == whole_sector) bits::add(line.valid, s);
  }
}

void L2Slice::evict(SectoredTags::Line& line, Cycle now) {
  const ByteMask written = written_.empty() ? ByteMask{} : written_[tags_.index(line)];
  for_each_request(line.number, line.dirty, p_.initiator.requests,
                   [&](std::uint64_t address, unsigned bytes, SectorMask run) {
                     MemoryTransaction& t = pool_.acquire(tlm::TLM_WRITE_COMMAND, address, bytes);
                     if ((run & ~line.valid) != 0) {
                       ByteMask enabled{};
                       const auto first = bits::lowest(run);
                       for (unsigned s = 0; s < bytes / sector_bytes; ++s)
                         enabled[s] = bits::has(line.valid, first + s) ? whole_sector : written[first + s];
                       t.enable_bytes(enabled);
                       ++counters_.partial_write_backs;
                     }
                     queue(t, now);
                     counters_.written_back_sectors += bytes / sector_bytes;
                   });
  if (!written_.empty()) written_[tags_.index(line)] = {};
}

// Takes in a request. If the request must wait, returns the cause and changes nothing.
HoldCause L2Slice::accept(Payload& t, Cycle now) {
  const LineAccess a = line_access(t);
  if (!a.fits) {
    t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    answer(t, now + p_.latency - 1);
    return HoldCause::none;
  }
  const bool writes = t.is_write() && atomic(t) == nullptr;
  SectoredTags::Line* line = tags_.find(a.line);
  const unsigned present = line != nullptr ? line->valid : 0u;
  const auto missing = static_cast<SectorMask>(writes ? 0u : a.sectors & ~present);
  std::uint32_t entry = missing != 0 ? mshrs_.find(a.line) : MshrTable<Payload*>::none;
  const bool old = entry != MshrTable<Payload*>::none;
  const auto fetch = static_cast<SectorMask>(missing & ~(old ? mshrs_.pending(entry) : 0u));
  SectoredTags::Line* way = line;
  if (line == nullptr && (writes || p_.allocation == LineAllocation::on_miss)) {
    way = tags_.victim(a.line);
    if (way == nullptr) return HoldCause::line;
  }
  const RequestShape shape = p_.initiator.requests;
  const unsigned added =
      requests_for(fetch, shape) + (line == nullptr && way != nullptr ? requests_for(way->dirty, shape) : 0);
  if (added != 0 && queue_room_.available(now) < static_cast<int>(added)) return HoldCause::queue;
  if (missing != 0 && !mshrs_.room(entry, fetch)) return HoldCause::mshr;
  if (old && !mshrs_.joins(entry, missing)) return HoldCause::merge;

  // A write that the memory refuses changes nothing here.
  if (writes && memory_has_data_ && carries_data(t)) {
    move_data_at_once(dram_socket, t);
    if (!t.is_response_ok()) {
      answer(t, now + p_.latency - 1);
      return HoldCause::none;
    }
  }
  ++(writes ? counters_.writes : atomic(t) != nullptr ? counters_.atomics : counters_.reads);
  ++(missing == 0 && (line != nullptr || !writes) ? counters_.hits
     : fetch == 0 && missing != 0                 ? counters_.merges
     : line == nullptr                            ? counters_.line_misses
                                                  : counters_.sector_misses);
  if (line == nullptr && way != nullptr) {
    evict(*way, now);
    tags_.install(*way, a.line);
  } else if (way != nullptr) {
    tags_.touch(*way);
  }
  if (writes) write(t, *way, a);
  if (missing == 0) {
    if (atomic(t) != nullptr) tags_.mark_dirty(*way, a.sectors);
    answer(t, now + p_.latency - 1);
    return HoldCause::none;
  }
  if (!old) entry = mshrs_.allocate(a.line);
  mshrs_.expect(entry, fetch);
  mshrs_.add(entry, &t, missing);
  if (p_.allocation == LineAllocation::on_miss) way->pending = static_cast<SectorMask>(way->pending | fetch);
  for_each_request(a.line, fetch, shape, [&](std::uint64_t address, unsigned bytes, SectorMask) {
    MemoryTransaction& f = pool_.acquire(tlm::TLM_READ_COMMAND, address, bytes);
    f.entry = entry;
    queue(f, now);
    counters_.fetched_sectors += bytes / sector_bytes;
  });
  return HoldCause::none;
}

Cycle L2Slice::tick(Cycle now) {
  interconnect_socket.admit(now);
  dram_socket.admit(now);
  take_fills(now);
  if (queue_.due(now) && dram_socket.ready(now)) {
    MemoryTransaction& t = *queue_.front().transaction;
    if (memory_has_data_ && t.is_write()) keep_data_.fill(dram_socket, t);
    dram_socket.send(t, now);
    queue_.pop();
    queue_room_.give_back(now);
  }
  if (answers_.due(now) && interconnect_socket.ready(now)) {
    Payload& t = *answers_.front().payload;
    answers_.pop();
    interconnect_socket.respond(t, now);
  }
  Cycle next = never;
  // The slice accepts one request a cycle, and none while many answers wait to be sent. This step comes last,
  // so that a request that stalls is tried again whenever a step above has made room.
  if (Payload* t = interconnect_socket.front(now)) {
    const HoldCause cause =
        answers_.size() < std::size_t{p_.latency} + p_.queue ? accept(*t, now) : HoldCause::response;
    if (cause == HoldCause::none) {
      counters_.held.release(now);
      stalled_since_ = never;
      interconnect_socket.pop(now);
      next = std::min(next, interconnect_socket.next(now));
    } else {
      counters_.held.hold(cause, now);
      stalled_since_ = std::min(stalled_since_, now);
    }
  } else {
    next = std::min(next, interconnect_socket.next(now));
  }
  if (!queue_.empty()) next = std::min(next, dram_socket.ready_at(std::max(now + 1, queue_.next())));
  if (!answers_.empty())
    next = std::min(next, interconnect_socket.ready_at(std::max(now + 1, answers_.next())));
  return std::min(next, dram_socket.next(now));
}

bool L2Slice::drained() const {
  return interconnect_socket.empty() && dram_socket.empty() && mshrs_.empty() && queue_.empty() &&
         answers_.empty() && pool_.in_use() == 0;
}

void L2Slice::report_waiting(std::ostream& out) const {
  if (stalled_since_ != never)
    out << name() << ": no room for the next request since cycle " << stalled_since_ << "\n";
  dram_socket.report_waiting(out, name());
  if (!mshrs_.empty()) out << name() << ": " << mshrs_.lines() << " lines are being fetched\n";
  if (!queue_.empty()) out << name() << ": " << queue_.size() << " requests wait for the DRAM\n";
  if (!answers_.empty()) out << name() << ": " << answers_.size() << " responses are to be sent\n";
}

void L2Slice::register_statistics(StatisticsGroup& g) {
  TickingModule::register_statistics(g);
  g.derived("hit_rate", "", "hits / (reads + writes + atomics)", [this] {
    const std::uint64_t all = counters_.reads + counters_.writes + counters_.atomics;
    return all == 0 ? 0.0 : static_cast<double>(counters_.hits) / static_cast<double>(all);
  });
}

std::vector<Signal> L2Slice::signals() {
  SignalList list(std::string(basename()) + '_');
  list.number("mshrs", 16, [this](Cycle) { return std::uint64_t{mshrs_.lines()}; })
      .number("to_dram", 16, [this](Cycle) { return std::uint64_t{queue_.size()}; })
      .number("answers", 16, [this](Cycle) { return std::uint64_t{answers_.size()}; })
      .flag("stalled", [this](Cycle) { return std::uint64_t{stalled_since_ != never}; })
      .per_cycle("hits", 4, [this](Cycle) -> std::uint64_t { return counters_.hits; });
  return list;
}

}  // namespace subcore
