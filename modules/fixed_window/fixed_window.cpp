#include "subcore/modules/fixed_window/fixed_window.h"

#include <algorithm>
#include <ostream>

#include "subcore/model/policy/fixed_window/memory_pipe.h"
#include "subcore/model/policy/fixed_window/near_cache.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {
namespace {

// Most memory instructions between the reading of their registers and the load/store unit.
constexpr unsigned memory_latches = 4;

}  // namespace

FixedWindow::FixedWindow(const sc_core::sc_module_name& name, unsigned slots, const FixedWindowParameters& p,
                         const CollectorSite& site)
    : OperandPath(name, site.index, slots),
      p_(p),
      site_(site),
      execution_(*site.execution),
      ports_(site.banks.banks(), p.read_ports),
      results_(p.result_queue) {
  if (p.reuse == OperandReuse::flags) cache_ = std::make_unique<FlagCache>(p.flags);
  if (p.reuse == OperandReuse::near_bits) {
    cache_ = std::make_unique<NearCache>(p.reuse_entries, site.seed);
    destination_socket.emplace("destination_socket");
    destination_socket->on_receive<&FixedWindow::result>(this);
  }
  overlays_.reserve(max_sources);
  for (std::size_t u = 0; u < queues_.size(); ++u) {
    queues_[u].room = Credits(p.unit_queue);
    queues_[u].latches =
        Credits(static_cast<ExecutionUnitKind>(u) == ExecutionUnitKind::load_store ? memory_latches : 1);
  }
  issue_socket.on_receive<&FixedWindow::issued>(this);
  source_socket.on_receive<&FixedWindow::delivered>(this);
  dispatch_socket.on_credit<&FixedWindow::dispatched>(this);
}

// The cache of operands, and the queue in which results of fixed latency wait for a port of their bank.
void FixedWindow::inventory(Inventory& list) const {
  if (p_.reuse == OperandReuse::flags) p_.flags.inventory(list);
  if (p_.reuse == OperandReuse::near_bits) NearCache::inventory(list, p_.reuse_entries, p_.result_ports);
  list.add("result_queue", HardwareKind::data, p_.result_queue, operand_bits, 2);
}

// Heads of queues that may begin to read in this cycle come before `i`, even if this module has not ticked
// yet.
void FixedWindow::issued(unsigned, IssueTransfer& t) {
  const Cycle now = t.stamp - 1;
  read_at_heads(now);
  take_results(now);
  Instruction& i = *t.instruction;
  i.bypassed = i.reused = 0;
  ++counters_.instructions;
  counters_.source_operands += i.source_count;
  if (has_fixed_latency(*i.code)) {
    let_through(i, t.stamp);
    return;
  }
  const Wanted wanted = look_up(i, t.stamp + 1 + read_delay(*i.code));
  pass(i, never);
  const Queue::Waiting w{&i, 0, wanted.reads, wanted.earliest};
  Queue& q = queue_of(i);
  if (q.room.ready(now)) {
    enqueue(q, w, t.stamp + 1);
    tell_free(t.stamp);
    if (stages_) show({&i, t.stamp, t.stamp + 1, t.stamp, t.stamp + 1});
  } else {
    control_ = w;
    tell_cause(t.stamp, StallCause::unit_queue);
    if (stages_) stages_->waits(&i, t.stamp);
    wake(t.stamp);
  }
}

void FixedWindow::tell_cause(Cycle stamp, StallCause cause) {
  IssueTransfer t{stamp, nullptr, IssueTransfer::Kind::waits, {}, cause};
  issue_socket.status(t);
}

void FixedWindow::tell_free(Cycle stamp) {
  IssueTransfer t{stamp, nullptr, IssueTransfer::Kind::status};
  issue_socket.status(t);
}

FixedWindow::Wanted FixedWindow::look_up(Instruction& i, Cycle execution) {
  Wanted wanted{static_cast<SourceSet>(bits::below(i.source_count)), 0, 0, 0};
  if (cache_ == nullptr || !uses_reuse_cache(i.code->execution)) return wanted;
  cache_->look_up(i, execution, answers_);
  for (unsigned s = 0; s < i.source_count; ++s) {
    const WindowCache::Answer& a = answers_[s];
    ++counters_.lookups;
    for (unsigned n = 0; n < a.searches; ++n) accesses.access(tag_search, i.source(s));
    counters_.fills += a.fills;
    for (unsigned n = 0; n < a.fills; ++n) accesses.access(reuse_wr, i.source(s));
    bits::set(wanted.fills, s, a.fills != 0);
    if (!a.hit) continue;
    bits::remove(wanted.reads, s);
    bits::add(i.reused, s);
    ++counters_.hits;
    accesses.access(reuse_rd, i.source(s));
    if (a.filled) {
      i.operands[s].collected = a.version;
      bits::add(wanted.here, s);
      continue;
    }
    finders_.push_back({a.filler, &i, static_cast<std::uint8_t>(s)});
    for (const Fill& f : fills_)
      if (f.filler == a.filler) wanted.earliest = std::max(wanted.earliest, f.read + 1);
  }
  return wanted;
}

void FixedWindow::pass(const Instruction& i, Cycle ready) {
  if (cache_ == nullptr) return;
  const WindowCache::Results results = cache_->passed(i, ready);
  for (const unsigned d : bits::each(results.entered | results.updated))
    accesses.access(reuse_wr, i.destination(d));
  count(results);
}

void FixedWindow::count(const WindowCache::Results& results) {
  counters_.result_writes += bits::count(results.entered | results.updated);
  counters_.result_allocations += bits::count(results.entered);
  counters_.invalidations += bits::count(results.dropped);
}

void FixedWindow::result(unsigned, DestinationTransfer& t) {
  accesses.access(tag_search, t.reg);
  late_results_.put(t);
  wake(t.stamp);
}

// A lookup in this cycle finds the results of this cycle, even if this module has not ticked yet.
void FixedWindow::take_results(Cycle now) {
  late_results_.take(now, [this](const DestinationTransfer& t) {
    count(cache_->arrived({t.warp_uid, t.reg, t.version, t.near, t.partial(),
                           t.kind == DestinationTransfer::Kind::invalidate}));
  });
}

PortTable::Reads FixedWindow::reads_of(const Instruction& i, std::uint32_t wanted) const {
  PortTable::Reads reads;
  for (const unsigned s : bits::each(wanted)) reads.add(bank(i, s));
  return reads;
}

// Cycles of the read window. Tensor instructions that have four registers in one slot take longer. If an
// architecture's table times them, they take the cycles that the ports need for all their registers: the
// table's latencies count from there, and the compiler counts on them. So a register that the cache has makes
// no window shorter.
unsigned FixedWindow::window_of(const Instruction& i) const {
  if (unit_of(i.code->execution) != ExecutionUnitKind::tensor) return p_.read_window;
  if (i.code->latency != 0)
    return ports_.window_for(reads_of(i, bits::first<std::uint32_t>(i.code->source_count)), p_.read_window);
  std::array<unsigned, operand_slots> registers{};
  for (unsigned s = 0; s < i.code->source_count; ++s)
    for (const unsigned slot : bits::each(i.code->source_slots[s])) ++registers[slot];
  return *std::max_element(registers.begin(), registers.end()) >= 4 ? p_.tensor_window : p_.read_window;
}

// Cycles in which the ports of the banks write an instruction's results.
unsigned FixedWindow::write_cycles(const Instruction& i) const {
  if (p_.write_ports == 0 || i.destination_count <= 2) return 1;
  std::array<unsigned, 64> of_bank{};
  for (unsigned d = 0; d < i.destination_count; ++d)
    ++of_bank[site_.banks.bank(i.destination(d), i.warp_slot)];
  const unsigned most = *std::max_element(of_bank.begin(), of_bank.end());
  return (most + p_.write_ports - 1) / p_.write_ports;
}

void FixedWindow::let_through(Instruction& i, Cycle control) {
  const Cycle enters = std::max(control + 1, allocate_free_);
  const unsigned shortest = window_of(i);
  const Wanted wanted = look_up(i, enters + shortest + 1);
  PortTable::Reads reads = reads_of(i, wanted.reads);
  const unsigned window = ports_.window_for(reads, shortest);
  const UnitTiming timing = execution_.of(*i.code);
  Cycle& unit_free = unit_free_[static_cast<std::size_t>(unit_of(i.code->execution))];
  const Cycle earliest = std::max(wanted.earliest, unit_free);
  const bool queues_result = i.destination_count != 0 && has_counted_result(*i.code);
  Cycle leaves = enters;
  for (;; ++leaves) {
    const Cycle execution = leaves + window + 1;
    if (execution >= earliest &&
        (!queues_result || results_.has_room(control - 1, execution + timing.latency)) &&
        ports_.reserve(reads, leaves + 1, window))
      break;
  }
  const Cycle execution = leaves + window + 1;
  allocate_free_ = leaves + 1;
  unit_free = execution + timing.initiation_interval;
  for (unsigned s = 0; s < i.source_count; ++s) {
    counters_.bypassed += bypass(i, s, leaves + 1, execution + i.code->late, bits::has(wanted.here, s));
  }
  if (queues_result) results_.put(i, execution + timing.latency, write_cycles(i));
  read(i, wanted, reads);
  pass(i, execution + timing.latency);
  ++under_way_;
  DispatchTransfer go{execution - 1, &i};
  dispatch_socket.send(go);
  tell_free(enters - 1);
  counters_.hold_cycles += leaves - enters;
  tell_cause(enters, StallCause::port_hold);
  if (leaves != enters) {
    IssueTransfer t{enters, nullptr, IssueTransfer::Kind::held};
    t.until = leaves;
    issue_socket.status(t);
  }
  if (queues_result) {  // an instruction executes window + 3 cycles after its issue at the earliest
    IssueTransfer t{execution + timing.latency - p_.read_window - 3, &i, IssueTransfer::Kind::bypassable};
    issue_socket.status(t);
  }
  if (stages_) show({&i, control, enters, leaves, execution});
}

// Merges results that the bank does not have in cycle `read` with the value that source s gets from
// elsewhere. `here`: source s has got that value already. A result of all lanes replaces the value. A result
// of some lanes waits until the value has come. Returns whether a result has lanes that are read.
bool FixedWindow::bypass(Instruction& i, unsigned s, Cycle read, Cycle execution, bool here) {
  Version& collected = i.operands[s].collected;
  bool taken = false;
  const std::size_t others = overlays_.size();
  results_.each(i.warp_uid, i.source(s), read, execution, [&](const RegisterWrite& w) {
    taken |= w.lanes == ~0u || (w.lanes & i.mask) != 0;
    if (w.lanes == ~0u) {
      overlays_.erase(overlays_.begin() + static_cast<std::ptrdiff_t>(others), overlays_.end());
      collected = w.version;
      here = true;
      bits::add(i.bypassed, s);
    } else if (here) {
      collected = w.onto(collected);
      bits::add(i.bypassed, s);
    } else {
      overlays_.push_back({w, &i, static_cast<std::uint8_t>(s)});
    }
  });
  return taken;
}

// Source s gets its value, from a bank or out of the cache. A bypassed value is newer and stays.
void FixedWindow::came(Instruction& i, unsigned s, const Version& version) {
  if (bits::has(i.bypassed, s)) return;
  Version& collected = i.operands[s].collected;
  collected = version;
  if (overlays_.empty()) return;
  const auto put = [&](const Overlay& o) {
    if (o.instruction != &i || o.source != s) return false;
    collected = o.write.onto(collected);
    bits::add(i.bypassed, s);
    return true;
  };
  overlays_.erase(std::remove_if(overlays_.begin(), overlays_.end(), put), overlays_.end());
}

// Asks for a tick in each cycle of the plan, because signals are asked only in cycles that have work.
void FixedWindow::show(const WindowStages::Plan& plan) {
  stages_->put(plan);
  for (Cycle c = plan.control; c <= plan.execution; ++c) wake(c);
}

// `reads`: the cycles of the reads in `wanted`.
void FixedWindow::read(Instruction& i, const Wanted& wanted, const PortTable::Reads& reads) {
  OperandTransfer t;
  t.instruction = &i;
  t.warp_slot = i.warp_slot;
  t.collector = index_;
  unsigned n = 0;
  for (const unsigned s : bits::each(wanted.reads)) {
    const Cycle cycle = reads.cycle[n++];
    if (bits::has(wanted.fills, s)) fills_.push_back({WindowCache::Filler::of(i, s), cycle});
    t.slot = static_cast<std::uint8_t>(s);
    t.reg = i.source(s);
    t.stamp = cycle - 1;
    read_socket.send(t);
  }
}

void FixedWindow::delivered(unsigned, OperandTransfer& t) {
  Instruction& i = *t.instruction;
  came(i, t.slot, t.version);
  const Version& collected = i.operands[t.slot].collected;
  const WindowCache::Filler filled = WindowCache::Filler::of(i, t.slot);
  const auto f =
      std::find_if(fills_.begin(), fills_.end(), [&](const Fill& x) { return x.filler == filled; });
  if (f == fills_.end()) return;
  fills_.erase(f);
  const auto found = [&](const Finder& x) {
    if (!(x.filler == filled)) return false;
    came(*x.instruction, x.source, collected);
    return true;
  };
  finders_.erase(std::remove_if(finders_.begin(), finders_.end(), found), finders_.end());
  cache_->fill(filled, collected);
}

// Puts an instruction at the end of the queue, from cycle `at` on.
void FixedWindow::enqueue(Queue& q, Queue::Waiting w, Cycle at) {
  q.room.take();
  w.from = at + read_delay(*w.instruction->code);
  q.waiting.push_back(w);
  wake(w.from - 1);
}

// A head of a queue that can begin in the cycle after `now` asks for ports. Its reads come from the next
// cycle on.
void FixedWindow::read_at_heads(Cycle now) {
  if (heads_looked_at_ == now) return;
  heads_looked_at_ = now;
  for (Queue& q : queues_) {
    if (q.waiting.empty()) continue;
    const Cycle from = std::max(q.waiting.front().from, q.head_from);
    if (now + 1 < from) {
      wake(from - 1);
    } else if (q.latches.ready(now)) {  // an instruction that leaves a latch wakes this module
      if (!read_at_head(q, now) || !q.waiting.empty()) wake(now + 1);
    }
  }
}

// Returns false if no ports are free.
bool FixedWindow::read_at_head(Queue& q, Cycle now) {
  const Queue::Waiting head = q.waiting.front();
  Instruction& i = *head.instruction;
  PortTable::Reads reads = reads_of(i, head.wanted);
  const Cycle first = now + 2;
  if (!ports_.reserve(reads, first, ports_.window_for(reads, p_.read_window))) return false;
  q.waiting.pop_front();
  q.room.give_back(now + 1);
  q.latches.take();
  ++q.in_latches;
  Cycle last = first;
  for (unsigned n = 0; n < reads.count; ++n) last = std::max(last, reads.cycle[n]);
  q.head_from = last;
  Cycle dispatch = std::max(last, head.earliest);
  if (i.code->execution == ExecutionClass::load_store) {
    q.address_until = std::max(first, q.address_until) + address_cycles(*i.code);
    dispatch = std::max(last, q.address_until) + data_cycles(*i.code) + p_.memory_pipe;
  }
  q.dispatch_until = std::max(dispatch, q.dispatch_until + 1);
  if (i.code->late != 0) {
    // A source that was found in the cache may still be on its way into the cache.
    const auto comes = [&](unsigned s) {
      return bits::has(head.wanted, s) || std::any_of(finders_.begin(), finders_.end(), [&](const Finder& f) {
               return f.instruction == &i && f.source == s;
             });
    };
    for (unsigned s = 0; s < i.source_count; ++s)
      counters_.bypassed += bypass(i, s, first, first + i.code->late, !comes(s));
  }
  read(i, {head.wanted, 0, 0, 0}, reads);
  DispatchTransfer go{q.dispatch_until, &i};
  dispatch_socket.send(go);
  return true;
}

void FixedWindow::dispatched(unsigned, DispatchTransfer& t) {
  IssueTransfer left{t.stamp, t.instruction, IssueTransfer::Kind::read};
  issue_socket.credit(left);
  if (has_fixed_latency(*t.instruction->code)) {
    --under_way_;
    return;
  }
  Queue& q = queue_of(*t.instruction);
  --q.in_latches;
  q.latches.give_back(t.stamp);
  wake(t.stamp);
}

Cycle FixedWindow::tick(Cycle now) {
  read_at_heads(now);
  take_results(now);
  if (control_.instruction == nullptr) return never;
  Queue& q = queue_of(*control_.instruction);
  if (!q.room.ready(now)) return q.room.ready_at(now);
  enqueue(q, control_, now + 1);
  if (stages_) {
    stages_->waits(nullptr, now);
    show({control_.instruction, now, now + 1, now, now + 1});
  }
  control_ = {};
  tell_free(now + 1);
  return never;
}

bool FixedWindow::drained() const {
  if (control_.instruction != nullptr || under_way_ != 0 || !fills_.empty() || !finders_.empty() ||
      !overlays_.empty() || !late_results_.empty())
    return false;
  return std::all_of(queues_.begin(), queues_.end(),
                     [](const Queue& q) { return q.waiting.empty() && q.in_latches == 0; });
}

void FixedWindow::report_waiting(std::ostream& out) const {
  if (const Instruction* i = control_.instruction; i != nullptr)
    out << name() << ": " << warp_name(*i) << ", pc 0x" << std::hex << i->code->pc << std::dec
        << " waits for room in the queue of its unit\n";
  for (const Queue& q : queues_)
    for (std::size_t n = 0; n < q.waiting.size(); ++n) report_collecting(out, *q.waiting[n].instruction, 0);
}

void FixedWindow::register_statistics(StatisticsGroup& g) {
  Module::register_statistics(g);
  const EntryUse* use = cache_ == nullptr ? nullptr : cache_->result_use();
  if (use != nullptr) register_use(g, use->use(), [use] { return static_cast<double>(use->unread()); });
}

std::vector<std::string> FixedWindow::stages() const {
  std::vector<std::string> names{"Control", "Allocate"};
  for (std::uint32_t n = 1; n <= p_.read_window; ++n) names.push_back("Read " + std::to_string(n));
  return names;
}

std::vector<Signal> FixedWindow::signals() {
  SignalList list(signal_prefix());
  stages_ = std::make_unique<WindowStages>();
  list.always();
  stages_->add_rows(list, std::max(p_.read_window, p_.tensor_window));
  for (std::size_t u = 0; u < queues_.size(); ++u) {
    const auto unit = static_cast<ExecutionUnitKind>(u);
    if (has_queue(unit))
      list.number("queue_" + std::string(subcore::name(unit)), 5,
                  [this, u](Cycle) -> std::uint64_t { return queues_[u].waiting.size(); });
  }
  list.activity([this](Cycle) -> std::uint64_t { return counters_.instructions + counters_.hits; });
  if (p_.reuse != OperandReuse::none)
    list.per_cycle("reuse_hits", 8, [this](Cycle) -> std::uint64_t { return counters_.hits; });
  list.per_cycle("bypassed", 8, [this](Cycle) -> std::uint64_t { return counters_.bypassed; });
  return list;
}

}  // namespace subcore
