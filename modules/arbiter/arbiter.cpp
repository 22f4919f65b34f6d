#include "subcore/modules/arbiter/arbiter.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <ostream>
#include <tuple>
#include <utility>

#include "subcore/base/bits.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

Arbiter::Arbiter(const sc_core::sc_module_name& name, const RegisterFileParameters& p, const Ports& ports,
                 const BankMap& map, std::unique_ptr<ResultSteering> steering, bool whole_writes)
    : TickingModule(name),
      map_(map),
      steering_(std::move(steering)),
      collectors_(ports.collectors),
      collector_port_(p.collector_port_limit),
      other_reader_port_(ports.other_reader_port),
      steps_(p.steps_per_cycle),
      write_back_port_(ports.write_back_port),
      steers_at_arrival_(steering_ && steering_->steers_at_arrival()),
      steers_at_write_(steering_ && !steers_at_arrival_),
      whole_writes_(whole_writes),
      announces_(ports.announces),
      counters_{counter_list_, ports.write_backs != 0, ports.announces},
      read_socket("read_socket", ports.collectors + ports.other_readers),
      result_socket("result_socket", ports.results),
      write_back_socket("write_back_socket", ports.write_backs),
      accumulator_socket("accumulator_socket", ports.accumulators),
      bank_socket("bank_socket", map.banks()),
      destination_socket("destination_socket"),
      retire_socket("retire_socket") {
  for (unsigned c = 0; c < read_socket.size(); ++c) read_socket[c].on_receive<&Arbiter::requested>(this, c);
  for (unsigned u = 0; u < ports.results; ++u) result_socket[u].on_receive<&Arbiter::finished>(this, u);
  for (unsigned w = 0; w < ports.write_backs; ++w)
    write_back_socket[w].on_receive<&Arbiter::returned>(this, w);
  for (auto& socket : accumulator_socket) socket.on_receive<&Arbiter::accumulated>(this);
  if (steering_) destination_socket.on_status<&Arbiter::steering_changed>(this);
  steered_.reserve(64);
}

// Reads of accumulators come behind other reads of the same cycle, whichever sender ticks first.
void Arbiter::requested(unsigned, OperandTransfer& t) {
  reads_.emplace_back(t, map_.bank(t.reg, t.warp_slot));
  if (accumulator_socket.size() != 0 && t.kind != OperandTransfer::Kind::accumulator)
    for (std::size_t n = reads_.size() - 1; n != 0; --n) {
      const Read& before = reads_[n - 1];
      if (before.kind != OperandTransfer::Kind::accumulator || before.stamp < t.stamp) break;
      std::swap(reads_[n - 1], reads_[n]);
    }
  ++counters_.read_requests;
  wake(t.stamp);
}

void Arbiter::finished(unsigned source, ResultTransfer& t) {
  const auto destinations = bits::below<std::uint32_t>(t.instruction->destination_count);
  const Result r{t.stamp, t.instruction, static_cast<std::uint16_t>(source),
                 static_cast<std::uint8_t>(destinations & t.to_banks)};
  results_.push_back(r);
  const std::size_t last = results_.size() - 1;
  std::size_t n = last;
  for (; n != 0; --n) {
    const Result& before = results_[n - 1];
    if (before.stamp < r.stamp || (before.stamp == r.stamp && before.source <= r.source)) break;
    results_[n] = before;
  }
  if (n != last) results_[n] = r;
  ++counters_.results;
  wake(t.stamp);
}

void Arbiter::returned(unsigned source, OperandTransfer& t) {
  write_backs_.put({t, source});
  wake(t.stamp);
}

void Arbiter::accumulated(unsigned, OperandTransfer& t) {
  accumulators_.put(t);
  wake(t.stamp);
}

// Writes accumulators of products. Results that came no later go first, because products can wait. The write
// outdates the copies that collectors have. No collector makes another copy while the product is under way.
void Arbiter::write_accumulators(Cycle now) {
  accumulators_.take_if(now, [&](OperandTransfer& t) {
    const unsigned bank = map_.bank(t.reg, t.warp_slot);
    if (!take_bank(bank, nullptr)) return false;
    ++counters_.result_writes;
    t.stamp = now + 1;
    OperandTransfer done = t;
    bank_socket[bank].send(t);
    accumulator_socket[0].credit(done);
    if (announces_) announce(*done.instruction, done.reg, now);
    if (!steering_) return true;
    for (const unsigned c : bits::each(steering_->holders(done.instruction->warp_uid))) {
      DestinationTransfer outdated;
      outdated.stamp = now + 1;
      outdated.warp_uid = done.instruction->warp_uid;
      outdated.reg = done.reg;
      outdated.collector = static_cast<std::uint8_t>(c);
      outdated.kind = DestinationTransfer::Kind::invalidate;
      outdated.place = done.instruction->place();
      ++counters_.port_d_invalidates;
      destination_socket.send(outdated);
    }
    return true;
  });
}

// A write-back keeps its bank busy even if the way back is taken: nothing behind it may overtake it.
bool Arbiter::take_way_back(unsigned bank) {
  if (write_back_port_ == 0) return take_bank(bank, nullptr);
  if (write_backs_left_ == 0) {
    bits::add(banks_busy_, bank);
    return false;
  }
  if (!take_bank(bank, nullptr)) return false;
  --write_backs_left_;
  return true;
}

// Writes the values that caches have given back and that came no later than `up_to`.
void Arbiter::write_dirty(Cycle now, Cycle up_to) {
  write_backs_.take_if(std::min(now, up_to), [&](WriteBack& w) {
    if (w.stamp == now && is_outdated(w)) {
      ++counters_.outdated_write_backs;
      w.stamp = now + 1;
      write_back_socket[w.source].credit(w);
      return true;
    }
    const unsigned bank = map_.bank(w.reg, w.warp_slot);
    if (!take_way_back(bank)) return false;
    ++counters_.write_backs;
    w.stamp = now + 1;
    bank_socket[bank].send(w);
    write_back_socket[w.source].credit(w);
    return true;
  });
}

// Whether a newer value of the register came here in the cycle in which the collector sent this one back. The
// collector could not know of the newer value yet.
bool Arbiter::is_outdated(const WriteBack& w) const {
  return std::any_of(arrived_.begin(), arrived_.end(), [&](const Arrived& a) {
    return a.stamp + 1 == w.stamp && a.reg == w.reg && a.warp_slot == w.warp_slot;
  });
}

void Arbiter::note_arrival(const Instruction& i, Cycle now) {
  arrived_.erase(
      std::remove_if(arrived_.begin(), arrived_.end(), [&](const Arrived& a) { return a.stamp + 1 < now; }),
      arrived_.end());
  for (unsigned d = 0; d < i.destination_count; ++d)
    if (!i.is_partial(d)) arrived_.push_back({now, i.warp_slot, i.destination(d)});
}

// Tells the first collector that a newer value of the register has come.
void Arbiter::announce(const Instruction& i, Register r, Cycle now) {
  DestinationTransfer t;
  t.stamp = now + 1;
  t.warp_uid = i.warp_uid;
  t.reg = r;
  t.kind = DestinationTransfer::Kind::announced;
  t.warp_slot = i.warp_slot;
  t.place = i.place();
  ++counters_.announced;
  destination_socket.send(t);
}

// Tells collectors what the steering policy has just decided about results of `i`.
void Arbiter::send_steered(const Instruction& i, Cycle now) {
  for (const SteeredResult& s : steered_) {
    DestinationTransfer t;
    t.stamp = now + 1;
    t.warp_uid = i.warp_uid;
    // A new copy leaves out the lanes that nobody needs, as the compiler says.
    t.version = whole_writes_ || s.lanes != ~0u ? i.result(s.destination) : i.result_alone(s.destination);
    t.reg = i.destination(s.destination);
    t.collector = static_cast<std::uint8_t>(s.collector);
    if (s.invalidate) t.kind = DestinationTransfer::Kind::invalidate;
    t.near = s.near;
    t.only_copy = s.only_copy;
    t.warp_slot = i.warp_slot;
    t.lanes = s.lanes;
    t.place = i.place();
    ++(s.invalidate ? counters_.port_d_invalidates : counters_.port_d_writes);
    destination_socket.send(t);
  }
  steered_.clear();
}

// Writes go before reads, in the order in which they came. Each write takes the port of its bank if the port
// is still unused in this step. The others wait, results in the latches of their units. True: some wait.
bool Arbiter::write_back(Cycle now) {
  begin_writes(now);
  std::size_t left = 0, n = 0;
  for (; n < results_.size() && results_[n].stamp <= now; ++n) {
    Result r = results_[n];  // calls below may add results, for later cycles
    if (has_write_backs()) write_dirty(now, r.stamp);
    const Instruction& i = *r.instruction;
    // The announcement of a result comes with its steering: at arrival, or when the result is written.
    if (announces_ && !r.arrived)
      for (unsigned d = 0; d < i.destination_count; ++d)
        if (steers_at_arrival_ || !bits::has(r.unwritten, d)) announce(i, i.destination(d), now);
    if (steers_at_arrival_ && !r.arrived) {
      r.unwritten = static_cast<std::uint8_t>(r.unwritten & ~steering_->arrived(i, now, steered_));
      if (counters_.takes_write_backs) note_arrival(i, now);
      counters_.filtered += steering_->kept_out();
      send_steered(i, now);
    }
    r.arrived = true;
    if (is_held_back(r)) {
      results_[left++] = r;
      continue;
    }
    for (const unsigned d : bits::each(r.unwritten)) {
      const Register reg = i.destination(d);
      const unsigned bank = map_.bank(reg, i.warp_slot);
      if (!take_bank(bank, &r)) continue;
      bits::remove(r.unwritten, d);
      ++counters_.result_writes;
      OperandTransfer w;
      w.stamp = now + 1;
      w.instruction = r.instruction;
      w.version = i.result(d);
      w.warp_slot = i.warp_slot;
      w.reg = reg;
      w.kind = whole_writes_ || i.is_whole() ? OperandTransfer::Kind::result
                                             : OperandTransfer::Kind::partial_result;
      bank_socket[bank].send(w);
      if (announces_ && !steers_at_arrival_) announce(i, reg, now);
      if (!steers_at_write_) continue;
      counters_.filtered += steering_->written(i, d, steered_);
      send_steered(i, now);
    }
    if (r.unwritten != 0) {
      results_[left++] = r;
      continue;
    }
    RetireTransfer done{now + 1, r.instruction};
    retire_socket.send(done);
    ResultTransfer latch_free{now + 1, r.instruction};
    result_socket[r.source].credit(latch_free);
  }
  if (left == 0 && n == results_.size()) {
    results_.clear();
  } else {
    const auto nth = [this](std::size_t at) { return results_.begin() + static_cast<std::ptrdiff_t>(at); };
    results_.erase(nth(left), nth(n));
  }
  if (accumulators_.due(now)) write_accumulators(now);
  if (accumulators_.due(now)) ++left;
  if (!has_write_backs()) return left != 0;
  write_dirty(now, now);
  return left != 0 || write_backs_.due(now);
}

// A single read competes with no other read for a bank or a port S. True: the read waits.
bool Arbiter::grant_only_read(Cycle now) {
  const Read r = reads_.front();
  if (r.stamp > now) return false;
  if (bits::has(banks_busy_, r.bank)) return true;
  reads_.clear();
  bits::add(banks_busy_, r.bank);
  counters_.read_wait_cycles += now - r.stamp;
  grant(r, now);
  return false;
}

// Only the first read of each bank may be granted, and only if the bank's port and the collector's port S are
// unused. If two reads want one collector, the older request wins; papers do not say. True: some reads wait.
bool Arbiter::grant_reads(Cycle now) {
  if (reads_.size() == 1) return grant_only_read(now);
  std::array<std::size_t, 64> heads;  // first reads of the unused banks, the older before the younger
  unsigned count = 0;
  std::uint64_t passed = banks_busy_;
  for (std::size_t n = 0; n < reads_.size(); ++n) {
    const Read& r = reads_[n];
    if (bits::has(passed, r.bank)) continue;
    bits::add(passed, r.bank);
    if (r.stamp > now) continue;
    // The requests of one instruction came in one cycle, in the order of operands.
    const auto older = [](const Read& a, const Read& b) {
      return std::tie(a.stamp, a.slot, a.bank) < std::tie(b.stamp, b.slot, b.bank);
    };
    unsigned at = count++;
    for (; at > 0 && older(r, reads_[heads[at - 1]]); --at) heads[at] = heads[at - 1];
    heads[at] = n;
  }
  std::uint64_t granted = 0;                  // banks with a granted read
  std::array<std::uint8_t, 64> granted_port;  // the reader of each granted read
  unsigned grants = 0;
  for (unsigned h = 0; h < count; ++h) {
    const Read& r = reads_[heads[h]];
    std::uint32_t used = 0;
    for (unsigned g = 0; g < grants; ++g) used += granted_port[g] == r.collector;
    if (used != 0 && used == port_limit(r.collector)) continue;
    granted_port[grants++] = r.collector;
    bits::add(granted, r.bank);
    counters_.read_wait_cycles += now - r.stamp;
    grant(r, now);
  }
  banks_busy_ |= granted;
  if (grants == reads_.size()) {
    reads_.clear();
    return false;
  }
  // The granted read of a bank was the first one of that bank.
  std::size_t left = 0;
  bool waits = false;
  for (const Read& r : reads_) {
    if (bits::has(granted, r.bank)) {
      bits::remove(granted, r.bank);
    } else {
      waits |= r.stamp <= now;
      reads_[left++] = r;
    }
  }
  reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(left), reads_.end());
  return waits;
}

// Counts this cycle for every result, write-back and accumulator that still waits.
void Arbiter::count_waiting(Cycle now) {
  for (const Result& r : results_) {
    if (r.stamp <= now) counters_.write_wait_cycles += bits::count(r.unwritten);
  }
  write_backs_.each_due(now, [this](const WriteBack&) { ++counters_.write_wait_cycles; });
  accumulators_.each_due(now, [this](const OperandTransfer&) { ++counters_.write_wait_cycles; });
}

Cycle Arbiter::tick(Cycle now) {
  if (steering_) steering_->begin_cycle(now);
  bool writes_wait = false, reads_wait = false;
  for (std::uint32_t s = 0; s < steps_; ++s) {
    banks_busy_ = 0;
    write_backs_left_ = write_back_port_;
    writes_wait = (!results_.empty() || has_write_backs() || !accumulators_.empty()) && write_back(now);
    reads_wait = !reads_.empty() && grant_reads(now);
  }
  if (writes_wait) count_waiting(now);
  // A transfer for a later cycle has asked for a tick in that cycle.
  return writes_wait || reads_wait ? now + 1 : never;
}

bool Arbiter::drained() const {
  return reads_.empty() && results_.empty() && write_backs_.empty() && accumulators_.empty() &&
         counters_.read_requests == counters_.read_grants;
}

std::vector<Arbiter::Read> Arbiter::queue(unsigned bank) const {
  std::vector<Read> queue;
  std::copy_if(reads_.begin(), reads_.end(), std::back_inserter(queue),
               [bank](const Read& r) { return r.bank == bank; });
  return queue;
}

void Arbiter::report_waiting(std::ostream& out) const {
  for (unsigned b = 0; b < map_.banks(); ++b) {
    const std::vector<Read> waiting = queue(b);
    if (waiting.empty()) continue;
    out << name() << ": bank " << b << " has " << waiting.size() << " reads waiting, first R"
        << unsigned{waiting.front().reg} << " for collector " << unsigned{waiting.front().collector} << '\n';
  }
  for (const Result& r : results_) {
    const Instruction& i = *r.instruction;
    out << name() << ": result of pc 0x" << std::hex << i.code->pc << std::dec << ", " << warp_name(i)
        << ", waits for its banks\n";
  }
  if (!accumulators_.empty())
    out << name() << ": " << accumulators_.size() << " accumulators wait for their banks\n";
  if (!write_backs_.empty())
    out << name() << ": " << write_backs_.size() << " write-backs wait for their banks\n";
}

namespace {

// Numbers, for signals, of whoever has the bank: a collector, another reader, a warpgroup's product, the unit
// of a result, or a cache that writes back.
constexpr std::uint64_t other_reader = 0x100, accumulator_reader = 0x101, write = 0x200,
                        write_back_of_cache = 0x2ff;

std::uint64_t granted(const OperandTransfer& t) {
  if (t.kind == OperandTransfer::Kind::read) return t.collector;
  if (t.kind == OperandTransfer::Kind::prefetch) return other_reader;
  if (t.kind == OperandTransfer::Kind::accumulator) return accumulator_reader;
  if (t.kind == OperandTransfer::Kind::write_back) return write_back_of_cache;
  return write + static_cast<unsigned>(unit_of(t.instruction->code->execution));
}

std::string granted_text(std::uint64_t who) {
  if (who < other_reader) return "c" + std::to_string(who);
  if (who == other_reader) return "prefetch";
  if (who == accumulator_reader) return "product";
  if (who == write_back_of_cache) return "cache";
  return std::string(execution_units[who - write].name);
}

// Describes an access, for example as "read:c1:s3:R12".
std::string access_text(std::uint64_t access) {
  const std::uint64_t who = access >> 24;
  return (who < write ? "read:" : "write:") + granted_text(who) + ":s" +
         std::to_string(access >> 8 & 0xffff) + ":R" + std::to_string(access & 0xff);
}

}  // namespace

std::vector<Signal> Arbiter::signals() {
  SignalList list;
  list.in("banks").activity([this](Cycle) {
    const Counters& c = counters_;
    return c.read_requests + c.read_grants + c.results + c.result_writes + c.write_backs +
           c.write_wait_cycles + (results_.size() << 40) + (write_backs_.size() << 50);
  });
  for (unsigned b = 0; b < map_.banks(); ++b) {
    SignalProbe<OperandTransfer>& probe = probes_.watch(bank_socket[b]);
    const std::string bank = "bank_" + std::to_string(b);
    list.number(bank + "_queue", 8, [this, b](Cycle) { return std::uint64_t{queue(b).size()}; })
        .text(
            bank + "_access",
            [&probe](Cycle) {
              const OperandTransfer* t = probe.refresh();
              return t == nullptr ? Signal::x : granted(*t) << 24 | std::uint64_t{t->warp_slot} << 8 | t->reg;
            },
            access_text);
  }
  list.number("results_waiting", 8, [this](Cycle) { return std::uint64_t{results_.size()}; })
      .number("write_backs_waiting", 8, [this](Cycle) { return std::uint64_t{write_backs_.size()}; })
      .aside();
  return list;
}

}  // namespace subcore
