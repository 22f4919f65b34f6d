#include "subcore/modules/collector/ccu.h"

#include "subcore/base/bits.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/steering/near_filter.h"
#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

Ccu::Ccu(const sc_core::sc_module_name& name, const CollectorParameters& p, const CcuChoice& own,
         const CollectorSite& site)
    : SingleCollector(name, site.index, p.slots),
      destination_socket("destination_socket"),
      write_back_(own.write_back),
      table_(p.entries, own.replacement->make(site.seed)),
      result_ports_(own.result_ports),
      partial_safe_(p.partial_write == PartialWrite::safe),
      duplicates_hit_(p.dup_source_is_hit),
      shares_(site.shares),
      keeps_beside_(own.other_operands().operands != 0),
      hears_all_results_(own.hears_all_results()),
      counters_{counter_list_, own.write_back} {
  issue_socket.on_receive<&Ccu::issued>(this);
  source_socket.on_receive<&Ccu::delivered>(this);
  destination_socket.on_receive<&Ccu::result>(this);
  dispatch_socket.on_credit<&Ccu::dispatched>(this);
}

// Parts of a CCU (Malekeh, section III-C, Fig. 4). The cache table has a port for the crossbar, a port for
// the units, and the result ports. Each entry has tag, valid, lock and reuse bit, and its place in the order
// of use. With write-back an entry also records whether the banks have the value and whether the value is
// read again. The operand collector table has valid, ready and the entry of each slot.
void Ccu::inventory(Inventory& list) const {
  const std::uint32_t order = width_of(table_.size());
  list.add("cache_table", HardwareKind::data, table_.size(), operand_bits, 2 + result_ports_);
  list.add("cache_table_tags", HardwareKind::tag, table_.size(), register_bits);
  list.add("cache_table_state", HardwareKind::state, table_.size(),
           3 + order + (write_back_.exists() ? 2 : 0));
  list.add("operand_table", HardwareKind::state, slots(), 2 + order);
  list.add("owner", HardwareKind::state, 1, 1 + warp_bits);
}

// CCU allocation (Malekeh, section III-C1). All lookups come before any replacement, and hits are locked
// first. So a miss cannot evict an operand of the same instruction.
void Ccu::issued(unsigned, IssueTransfer& t) {
  const Cycle now = t.stamp - 1;
  apply_results(now);
  Instruction& i = *t.instruction;
  check_slots(i);
  if (!holds_ || warp_uid_ != i.warp_uid) {
    if (holds_) ++counters_.flushes;
    for (const unsigned e : bits::each(only_)) leave_table(e, ended_, now);
    if (keeps_beside_ && holds_) flushed(holder(), now);
    table_.flush();
    use_.all_gone();
    holds_ = true;
    warp_uid_ = i.warp_uid;
    warp_number_ = warp_number(i);
    warp_slot_ = i.warp_slot;
    ended_ = false;
    tell_arbiter(t.stamp);
  } else if (shares_) {
    tell_arbiter(t.stamp);
  }
  ++counters_.instructions;
  counters_.source_operands += i.source_count;
  std::uint32_t misses = 0;
  unsigned missing = 0;
  for (unsigned s = 0; s < i.source_count; ++s) {
    tags.access(0, i.source(s));
    const int hit = table_.find(i.source(s));
    if (hit >= 0) {
      index_of_[s] = static_cast<std::uint8_t>(hit);
      table_.lock(static_cast<unsigned>(hit));
      use_.read(static_cast<unsigned>(hit));
      ++counters_.hits;
      counters_.incomplete_hits += (i.mask & ~table_.lanes(static_cast<unsigned>(hit))) != 0;
    } else {
      bits::add(misses, s);
      ++missing;
    }
  }
  if (keeps_beside_) {
    misses = recall_all(i, misses, now);
    missing = bits::count(misses);
  }
  if (duplicates_hit_ && touches_operands(*i.code, i.mask)) {
    counters_.source_operands += i.code->duplicate_sources;
    counters_.hits += i.code->duplicate_sources;
  }
  for (unsigned s = 0; s < i.source_count; ++s) {
    if (bits::has(misses, s)) {
      index_of_[s] = static_cast<std::uint8_t>(allocate(i.source(s), now));
      table_.lock(index_of_[s]);
    }
    table_.touch(index_of_[s], i.source_is_near(s));
    if (bits::has(only_, index_of_[s])) note_last_use(i, s);
  }
  ended_ |= !i.followed;
  begin(i, missing, t.stamp);
  tell_scheduler(t.stamp);
  ask(i, misses, t.stamp);
  move();
}

// Takes sources that are kept beside the table back into the table, before misses evict more. Each such
// source may evict another value. Returns the sources that are in neither place.
std::uint32_t Ccu::recall_all(const Instruction& i, std::uint32_t misses, Cycle now) {
  for (const unsigned s : bits::each(misses)) {
    Operand o{};
    if (!recall(holder(), i.source(s), o, now)) continue;
    const unsigned entry = allocate(o.reg, now);
    index_of_[s] = static_cast<std::uint8_t>(entry);
    table_.set_version(entry, o.version);
    table_.set_lanes(entry, o.lanes);
    table_.lock(entry);
    ++counters_.hits;
    counters_.incomplete_hits += (i.mask & ~o.lanes) != 0;
    bits::remove(misses, s);
  }
  return misses;
}

unsigned Ccu::allocate(Register r, Cycle now) {
  const unsigned entry = table_.victim();
  use_.gone(entry);
  if (bits::has(only_, entry)) leave_table(entry, ended_, now);
  if (keeps_beside_ && table_.valid(entry))
    evicted(holder(), {table_.tag(entry), table_.version(entry), table_.lanes(entry)}, now);
  table_.replace(entry, r);
  return entry;
}

// A value that is read for the last time need not go to the banks.
void Ccu::note_last_use(const Instruction& i, unsigned source) {
  if (bits::has(i.code->annotation->last_use, source)) bits::add(dead_, index_of_[source]);
}

// Takes the value out of an entry that the banks do not have. `is_outdated`: a newer value has come, or the
// warp has ended.
void Ccu::leave_table(unsigned entry, bool is_outdated, Cycle now) {
  if (is_outdated || bits::has(dead_, entry))
    ++counters_.dead_copies;
  else
    write_back_.send(table_.tag(entry), table_.version(entry), warp_slot_, now + 1);
  bits::remove(only_, entry);
  bits::remove(dead_, entry);
}

// An operand comes on port S. Its entry is locked, so nothing else can touch the entry before the stamp.
void Ccu::delivered(unsigned, OperandTransfer& t) {
  table_.set_version(index_of_[t.slot], t.version);
  came(t.stamp);
  move();
}

void Ccu::dispatched(unsigned, DispatchTransfer& t) {
  latch_left(*t.instruction, t.stamp);
  move();
}

// An instruction that moves has read its operands. Their entries are unlocked, and the table keeps its
// contents.
void Ccu::leave() {
  apply_results(complete_ - 1);
  for (unsigned s = 0; s < instruction_->source_count; ++s) {
    instruction_->operands[s].collected = table_.version(index_of_[s]);
  }
  table_.unlock_all();
  told_ = status(true);
  move_on(told_);
}

void Ccu::result(unsigned, DestinationTransfer& t) {
  if (t.kind == DestinationTransfer::Kind::announced) {
    outdated({t.warp_uid, t.warp_slot}, t.reg, t.stamp);
    return;
  }
  apply_results(t.stamp - 1);
  tags.access(0, t.reg);
  results_.put(t);
  wake(t.stamp);
}

void Ccu::apply_results(Cycle now) {
  if (!results_.due(now)) return;
  // Outdated values leave before any result makes room for itself, because no bank may get them.
  if (only_ != 0)
    results_.each_due(now, [&](const DestinationTransfer& t) {
      const int entry = holds_ && warp_uid_ == t.warp_uid ? table_.find(t.reg) : -1;
      if (entry >= 0 && bits::has(only_, static_cast<unsigned>(entry)))
        leave_table(static_cast<unsigned>(entry), true, now);
    });
  results_.take(now, [&](const DestinationTransfer& t) { apply(t, now); });
  tell_scheduler(now + 1);
}

// Write policy (Malekeh, section IV-A2). Another warp may have taken the collector while the result was on
// its way.
void Ccu::apply(const DestinationTransfer& t, Cycle now) {
  if (!holds_ || warp_uid_ != t.warp_uid) {
    ++counters_.late_results;
    if (t.only_copy) {
      ++counters_.only_copies;
      write_back_.send(t.reg, t.version, t.warp_slot, now + 1);
    }
    return;
  }
  // In a store of several collectors, a value that has just made room for another result counts a cycle
  // later.
  if (keeps_beside_) outdated(holder(), t.reg, hears_all_results_ ? now + 1 : now);
  int entry = table_.find(t.reg);
  if (entry >= 0 && table_.locked(static_cast<unsigned>(entry))) {
    fail(report_id::locked_write,
         std::string(name()) + ": a result hit an operand that is still being collected");
  }
  if (t.kind == DestinationTransfer::Kind::invalidate) {
    if (entry >= 0) {
      table_.invalidate(static_cast<unsigned>(entry));
      use_.gone(static_cast<unsigned>(entry));
      ++counters_.invalidations;
    }
    return;
  }
  if (entry < 0) {
    // A result of some lanes may complete an entry with an older value, but not make an entry.
    if (t.partial() && partial_safe_) return;
    entry = static_cast<int>(allocate(t.reg, now));
    table_.set_lanes(static_cast<unsigned>(entry), t.lanes);
    table_.set_version(static_cast<unsigned>(entry), t.version);
    ++counters_.result_allocations;
  } else {
    const auto e = static_cast<unsigned>(entry);
    table_.set_lanes(e, table_.lanes(e) | t.lanes);
    table_.set_version(e, partial_safe_ ? t.write().onto(table_.version(e)) : t.version);
  }
  table_.touch(static_cast<unsigned>(entry), t.near);
  if (t.only_copy) {
    ++counters_.only_copies;
    bits::add(only_, static_cast<unsigned>(entry));
  }
  use_.written(static_cast<unsigned>(entry));
  ++counters_.result_writes;
}

Cycle Ccu::tick(Cycle now) {
  apply_results(now);
  move();
  return never;
}

void Ccu::tell_scheduler(Cycle stamp) {
  const CollectorStatus s = status(instruction_ == nullptr);
  if (s.warp_uid == told_.warp_uid && s.holds == told_.holds && s.has_near == told_.has_near &&
      s.free == told_.free)
    return;
  told_ = s;
  IssueTransfer t{stamp, instruction_, IssueTransfer::Kind::status, s};
  issue_socket.status(t);
}

void Ccu::tell_arbiter(Cycle stamp) {
  tell_steering(destination_socket, stamp, {SteeringUpdate::Kind::holder, 0, warp_uid_, stamp, nullptr});
}

void Ccu::register_statistics(StatisticsGroup& g) {
  Module::register_statistics(g);
  register_use(g, use_.use(), [this] { return static_cast<double>(use_.unread()); });
}

std::vector<Signal> Ccu::signals() {
  SignalList list = collecting_signals();
  list.activity([this](Cycle) { return counters_.instructions + counters_.result_writes; })
      .per_cycle("hits", 6, [this](Cycle) -> std::uint64_t { return counters_.hits; })
      .per_cycle("misses", 6,
                 [this](Cycle) -> std::uint64_t { return counters_.source_operands - counters_.hits; })
      .per_cycle("results", 8, [this](Cycle) -> std::uint64_t { return counters_.result_writes; })
      .per_cycle("flush", 1, [this](Cycle) -> std::uint64_t { return counters_.flushes; })
      .text(
          "holder", [this](Cycle) { return holds_ ? std::uint64_t{warp_number_} : Signal::x; },
          [](std::uint64_t warp) { return 'w' + std::to_string(warp); })
      .aside();
  list.key([this](Cycle) { return table_.locked_mask(); }).mask("locked", table_.size(), [this](Cycle) {
    return table_.locked_mask();
  });
  list.key([this](Cycle) { return table_.fingerprint(); });
  for (unsigned e = 0; e < table_.size(); ++e) {
    list.marked("entry_" + std::to_string(e), {"near"}, [this, e](Cycle) {
      return table_.valid(e) ? marked_register(table_.tag(e), table_.near(e) ? 1u : 0u) : Signal::x;
    });
  }
  return list;
}

void CcuChoice::describe(ParameterVisitor& v) {
  v.choice("replacement", replacement, "victim among the unlocked cache table entries");
  v.field("cache_results", cache_results, "results may enter the cache table through port D");
  v.only_if(cache_results, "sub_core.collector.cache_results true", [&] {
    v.field("near_filter", near_filter, "only results with near reuse enter the cache table");
    v.field("result_ports", result_ports, {0, 16}, "results/cycle",
            "port D width per collector; 0 = unlimited");
    v.field("write_back", write_back,
            "a result that enters the cache table goes to the banks only when it leaves the table, unless it "
            "is dead by then (not in the paper)");
  });
  v.field("stale_invalidate", stale_invalidate,
          "a filtered or dropped result invalidates its old copy (off = wrong results)");
}

void CcuChoice::check(Checker& c) const {
  replacement->check(c);
  if (write_back) check_write_back(c);
  // If the instruction's sources locked every entry, a result would find no victim.
  const std::uint64_t entries = c.whole("sub_core.collector.entries"),
                      slots = c.whole("sub_core.collector.slots");
  c.require(entries > slots, "sub_core.collector.entries",
            {"sub_core.collector.slots", "sub_core.collector.kind"},
            std::to_string(entries) + " entries leave no unlocked entry beside " + std::to_string(slots) +
                " sources (sub_core.collector.slots); expected sub_core.collector.entries of at least " +
                std::to_string(slots + 1));
}

void CcuChoice::check_write_back(Checker& c) const {
  const auto require = [&](bool holds, const char* key, const std::string& problem) {
    c.require(holds, key, {"sub_core.collector.write_back"}, problem);
  };
  require(c.on("passes.dead"), "passes.dead",
          "sub_core.collector.write_back needs to know which results are dead (passes.dead); expected "
          "passes.dead true");
  require(!c.is("sub_core.scheduler.issue", "socgpu"), "sub_core.scheduler.issue",
          "'socgpu' lets a younger instruction of a warp read before an older one, but write-back needs to "
          "know the last use of a result (sub_core.collector.write_back); expected in_order");
  require(!c.is("sub_core.collector.allocation", "own_or_lru"), "sub_core.collector.allocation",
          "'own_or_lru' lets a warp have two collectors, but only one of them would have a result "
          "(sub_core.collector.write_back); expected malekeh or private");
  require(c.is("sub_core.collector.partial_write", "safe"), "sub_core.collector.partial_write",
          "'ignore' takes results of some lanes for whole ones, so the banks would lack lanes "
          "(sub_core.collector.write_back); expected safe");
  require(stale_invalidate, "sub_core.collector.stale_invalidate",
          "sub_core.collector.write_back needs the invalidation of old copies; expected true");
  require(
      other_operands().operands == 0, "sub_core.collector.kind",
      "values outside the cache table are not written back (sub_core.collector.write_back); expected ccu");
}

Collector* CcuChoice::make(const char* name, const CollectorParameters& p, const CollectorSite& site) const {
  return new Ccu(name, p, *this, site);
}

std::unique_ptr<ResultSteering> CcuChoice::make_steering(const CollectorParameters& p, unsigned) const {
  return std::make_unique<NearFilter>(
      WriteFilter::Options{cache_results, near_filter, stale_invalidate, result_ports}, p.count, write_back);
}

}  // namespace subcore
