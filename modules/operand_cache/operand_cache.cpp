#include "subcore/modules/operand_cache/operand_cache.h"

#include <algorithm>
#include <ostream>

#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

OperandCache::OperandCache(const sc_core::sc_module_name& name, unsigned collectors, unsigned units,
                           unsigned warp_slots, const OperandCacheParameters& p, unsigned active_warps)
    : TickingModule(name),
      read_socket("read_socket", collectors),
      miss_socket("miss_socket", collectors),
      fill_socket("fill_socket", collectors),
      source_socket("source_socket", collectors),
      result_socket("result_socket", units),
      bank_socket("bank_socket", units),
      write_back_socket("write_back_socket"),
      prefetch_socket("prefetch_socket"),
      prefetched_socket("prefetched_socket"),
      warp_socket("warp_socket"),
      policy_(p.kind->make(p, warp_slots)),
      hit_latency_(p.hit_latency),
      hit_port_(p.hit_port),
      ports_(collectors),
      own_reader_(static_cast<std::uint8_t>(collectors)),
      warps_(warp_slots) {
  p.kind->inventory(inventory_, active_warps != 0 ? active_warps : warp_slots, p.entries, p.value_ports());
  for (unsigned c = 0; c < collectors; ++c) {
    read_socket[c].on_receive<&OperandCache::read>(this, c);
    fill_socket[c].on_receive<&OperandCache::filled>(this, c);
  }
  for (unsigned u = 0; u < units; ++u) {
    result_socket[u].on_receive<&OperandCache::finished>(this, u);
    bank_socket[u].on_credit<&OperandCache::result_free>(this, u);
  }
  write_back_socket.on_credit<&OperandCache::written_back>(this);
  prefetched_socket.on_receive<&OperandCache::prefetched>(this);
  warp_socket.on_receive<&OperandCache::warp_went_on>(this);
}

void OperandCache::read(unsigned c, OperandTransfer& t) {
  apply_due(t.stamp - 1);
  const OperandCachePolicy::Lookup found = policy_->read(*t.instruction, t.slot);
  if (found.searched) {
    ++counters_.searches;
    accesses.access(cache_search, t.reg);
  }
  if (!found.hit) {
    ++counters_.misses;
    miss_socket[c].send(t);
    return;
  }
  ++counters_.hits;
  if (!found.on_its_way) {
    deliver(c, t, found.version, t.stamp + hit_latency_);
    return;
  }
  ++counters_.early_hits;
  early_hits_.push_back({*found.on_its_way, t, c});
}

// Sends a hit to its collector in cycle `at`, or in the first later cycle in which the port is free.
void OperandCache::deliver(unsigned c, const OperandTransfer& read, const Version& version, Cycle at) {
  for (const unsigned access : {cache_rd, cache_out, buf_wr}) accesses.access(access, read.reg);
  OperandTransfer answer = read;  // a copy: the collector uses its transfer for the next operand, too
  answer.kind = OperandTransfer::Kind::operand;
  answer.version = version;
  answer.stamp = at;
  if (hit_port_ != 0) {
    HitPort& port = ports_[c];
    if (port.cycle < at) port = {at, 0};
    if (port.used == hit_port_) port = {port.cycle + 1, 0};
    ++port.used;
    answer.stamp = port.cycle;
    counters_.hit_waits += port.cycle - at;
  }
  source_socket[c].send(answer);
}

// A value from the banks is in the cache. Hits that waited for the value are read there.
void OperandCache::deliver_early_hits(const OperandTransfer& fill, Cycle now) {
  const auto came = [&](const EarlyHit& h) {
    const Instruction& i = *fill.instruction;
    return h.read.instruction->warp_uid == i.warp_uid && h.value.sequence == i.sequence &&
           h.value.source == fill.slot;
  };
  for (const EarlyHit& h : early_hits_)
    if (came(h)) deliver(h.collector, h.read, fill.version, now + hit_latency_);
  early_hits_.erase(std::remove_if(early_hits_.begin(), early_hits_.end(), came), early_hits_.end());
}

void OperandCache::filled(unsigned c, OperandTransfer& t) {
  if (policy_->keeps_fills()) later({t.stamp, Kind::fill, static_cast<std::uint8_t>(c), t, {}});
  source_socket[c].send(t);
}

void OperandCache::finished(unsigned u, ResultTransfer& t) {
  apply_due(t.stamp - 1);
  const Kind kind = !t.instruction->is_whole() ? Kind::partial_result : Kind::result;
  Event e{t.stamp, kind, static_cast<std::uint8_t>(u), {}, {}};
  e.warp.instruction = t.instruction;
  later(e);
  t.to_banks = policy_->to_banks(*t.instruction);
  bank_socket[u].send(t);
}

void OperandCache::prefetched(unsigned, OperandTransfer& t) {
  later({t.stamp, Kind::prefetched, 0, t, {}});
}

// Takes what has happened to a warp. An issued instruction is told after its reads. A warp that enters or
// leaves counts in the next cycle.
void OperandCache::warp_went_on(unsigned, WarpTransfer& t) {
  if (t.kind == WarpTransfer::Kind::issued) {
    apply_due(t.stamp - 1);
    policy_->issued(*t.instruction);
    write_back_dirty(t.stamp - 1);
  } else {
    later({t.stamp, Kind::warp, 0, {}, t});
  }
}

void OperandCache::later(const Event& e) {
  events_.put(e);
  wake(e.stamp);
}

void OperandCache::apply(const Event& e, Cycle now) {
  switch (e.kind) {
    case Kind::fill:
      if (policy_->filled(*e.operand.instruction, e.operand.slot, e.operand.version)) {
        ++counters_.fills;
        accesses.access(cache_wr, e.operand.reg);
      }
      if (!early_hits_.empty()) deliver_early_hits(e.operand, now);
      break;
    case Kind::prefetched:
      policy_->fetched(e.operand.warp_slot, e.operand.reg, e.operand.version);
      ++counters_.fills;
      accesses.access(cache_wr, e.operand.reg);
      if (--warps_[e.operand.warp_slot].fetching == 0) report_moved(e.operand.warp_slot, now + 1);
      break;
    case Kind::partial_result:
    case Kind::result: {
      const Instruction& i = *e.warp.instruction;
      for (unsigned d = 0; d < i.destination_count; ++d) {
        if (!policy_->written(i, d)) continue;
        ++counters_.writes;
        for (const unsigned access : {cache_wr, cache_path}) accesses.access(access, i.destination(d));
      }
      break;
    }
    case Kind::warp: {
      Warp& w = warps_[e.warp.warp_slot];
      if (e.warp.kind == WarpTransfer::Kind::leaves) {
        ++counters_.leaves;
        policy_->leave(e.warp.warp_slot);
        write_back_dirty(now);
        if (w.writing_back == 0) {
          report_moved(e.warp.warp_slot, now + 1);
        } else {
          w.leaving = true;
        }
        break;
      }
      ++counters_.enters;
      missing_.clear();
      policy_->enter(e.warp.warp_slot, *e.warp.instruction, missing_);
      w.fetching = static_cast<unsigned>(missing_.size());
      if (w.fetching == 0) report_moved(e.warp.warp_slot, now + 1);
      for (const Register r : missing_) {
        OperandTransfer t;
        t.stamp = now + 1;
        t.instruction = e.warp.instruction;
        t.warp_slot = e.warp.warp_slot;
        t.reg = r;
        t.collector = own_reader_;
        t.kind = OperandTransfer::Kind::prefetch;
        ++counters_.prefetches;
        prefetch_socket.send(t);
      }
      break;
    }
  }
  write_back_dirty(now);
}

void OperandCache::write_back_dirty(Cycle now) {
  for (const OperandCachePolicy::Dirty& d : policy_->dirty()) {
    OperandTransfer t;
    t.stamp = now + 1;
    t.version = d.version;
    t.warp_slot = d.warp_slot;
    t.reg = d.reg;
    t.kind = OperandTransfer::Kind::write_back;
    ++warps_[d.warp_slot].writing_back;
    ++counters_.write_backs;
    for (const unsigned access : {cache_rd, cache_path}) accesses.access(access, d.reg);
    write_back_socket.send(t);
  }
  policy_->clear_dirty();
}

void OperandCache::written_back(unsigned, OperandTransfer& t) {
  Warp& w = warps_[t.warp_slot];
  if (--w.writing_back != 0 || !w.leaving) return;
  w.leaving = false;
  report_moved(t.warp_slot, t.stamp);
}

void OperandCache::report_moved(unsigned warp_slot, Cycle stamp) {
  WarpTransfer t{stamp, nullptr, static_cast<std::uint16_t>(warp_slot), WarpTransfer::Kind::registers_moved};
  warp_socket.status(t);
}

Cycle OperandCache::tick(Cycle now) {
  apply_due(now);
  return never;  // every event has asked for a tick in its own cycle
}

bool OperandCache::drained() const {
  for (const Warp& w : warps_) {
    if (w.writing_back != 0 || w.fetching != 0 || w.leaving) return false;
  }
  return events_.empty() && early_hits_.empty();
}

void OperandCache::report_waiting(std::ostream& out) const {
  for (std::size_t s = 0; s < warps_.size(); ++s) {
    const Warp& w = warps_[s];
    if (w.writing_back != 0 || w.fetching != 0)
      out << name() << ": " << slot_name(static_cast<unsigned>(s)) << ": " << w.writing_back
          << " registers on their way to the banks, " << w.fetching << " on their way from them\n";
  }
  for (const EarlyHit& h : early_hits_)
    out << name() << ": R" << unsigned{h.read.reg} << " of " << warp_name(*h.read.instruction)
        << " is asked for while the banks are bringing this register to an older instruction\n";
}

void OperandCache::register_statistics(StatisticsGroup& g) {
  Module::register_statistics(g);
  if (policy_->taken_from_others())
    g.derived("taken_from_others", "entries", "entries with a value that a warp took from another one",
              [this] { return static_cast<double>(*policy_->taken_from_others()); });
  if (!policy_->unread()) return;
  register_use(g, policy_->use(), [this] { return static_cast<double>(*policy_->unread()); });
}

std::vector<Signal> OperandCache::signals() {
  SignalList list("cache_");
  list.per_cycle("hits", 8, [this](Cycle) -> std::uint64_t { return counters_.hits; })
      .per_cycle("misses", 8, [this](Cycle) -> std::uint64_t { return counters_.misses; })
      .per_cycle("results", 8, [this](Cycle) -> std::uint64_t { return counters_.writes; })
      .per_cycle("write_backs", 8, [this](Cycle) -> std::uint64_t { return counters_.write_backs; })
      .key([this](Cycle) {
        const Counters& c = counters_;
        return c.hits + c.misses + c.writes + c.fills + c.write_backs + c.enters + c.leaves;
      });
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    list.text(
        slot_name(slot),
        [this, slot](Cycle) {
          kept_.clear();
          policy_->contents(slot, kept_);
          if (kept_.empty()) return Signal::x;
          std::uint64_t hash = 0;
          for (const auto& k : kept_)
            hash = hash * 0x9e3779b97f4a7c15u + marked_register(k.reg, k.dirty ? 3u : 1u);
          return hash;
        },
        [this](std::uint64_t) {
          std::string text;
          for (const auto& k : kept_) {
            if (!text.empty()) text += ',';
            text += marked_register_text(marked_register(k.reg, k.dirty ? 1u : 0u), {"dirty"});
          }
          return text;
        });
  }
  return list;
}

}  // namespace subcore
