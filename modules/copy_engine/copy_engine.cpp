#include "subcore/modules/copy_engine/copy_engine.h"

#include <algorithm>
#include <ostream>

namespace subcore {
namespace {

// Bytes of the record that lie in bounds. Bytes out of bounds are zeros, which no request asks memory for.
std::uint64_t bytes_in_bounds(const AsyncRecord& r) {
  return r.bytes - std::min(r.bytes, r.out_of_bounds);
}

}  // namespace

CopyEngine::CopyEngine(const sc_core::sc_module_name& name, const CopyEngineParameters& p, RequestShape shape)
    : TickingModule(name), copy_socket("copy_socket"), p_(p), shape_(shape), pace_(p.bytes_per_cycle) {
  copy_socket.on_receive<&CopyEngine::told>(this);
}

void CopyEngine::told(unsigned, BulkCopyTransfer& t) {
  using Kind = BulkCopyTransfer::Kind;
  if (t.kind == Kind::copy) return arrived(t);
  if (t.kind == Kind::left) return request_left(t);
  answers_.put(t);
  wake(t.stamp);
}

// A copy that is taken now makes its first request `latency` cycles later.
void CopyEngine::arrived(const BulkCopyTransfer& t) {
  ++count_;
  bytes_ += bytes_in_bounds(*t.record);
  BulkCopyTransfer later = t;
  later.stamp += p_.latency;
  arriving_.put(later);
  wake(later.stamp);
}

// When the last request of a copy from shared memory has left, all of the copy's data have been read there.
void CopyEngine::request_left(const BulkCopyTransfer& t) {
  room_.give_back(t.stamp);
  if (t.last && t.instruction != nullptr) tell_read(t.instruction, t.stamp);
  wake(t.stamp);
}

void CopyEngine::tell_read(Instruction* i, Cycle stamp) {
  BulkCopyTransfer t;
  t.stamp = stamp;
  t.instruction = i;
  t.kind = BulkCopyTransfer::Kind::read;
  copy_socket.status(t);
}

// Makes the requests of the next line. Each address stands for an equal share of the bytes in bounds.
// Addresses that follow in the same line join the same requests.
void CopyEngine::cut_line(Copy& c) {
  const AsyncRecord& r = *c.transfer.record;
  const std::uint64_t share = r.addresses == 0 ? 0 : bytes_in_bounds(r) / r.addresses;
  std::uint64_t line = 0;
  unsigned sectors = 0;
  for (;;) {
    if (c.left == 0 && share != 0 && c.next_address < r.addresses) {
      c.address = c.transfer.addresses[r.first_address + c.next_address++];
      c.left = share;
    }
    if (c.left == 0) break;
    if (sectors != 0 && c.address / line_bytes != line) break;
    line = c.address / line_bytes;
    const auto first = static_cast<unsigned>(c.address % line_bytes);
    const auto bytes = static_cast<unsigned>(std::min<std::uint64_t>(c.left, line_bytes - first));
    const unsigned last = (first + bytes - 1) / sector_bytes;
    sectors |= (2u << last) - (1u << first / sector_bytes);
    c.address += bytes;
    c.left -= bytes;
  }
  c.cut = c.left == 0 && (share == 0 || c.next_address == r.addresses);
  for_each_request(line, static_cast<SectorMask>(sectors), shape_,
                   [this](std::uint64_t address, unsigned bytes, SectorMask) {
                     requests_.push_back({address, bytes});
                   });
}

CopyEngine::Copy* CopyEngine::first_unsent() {
  const auto c = std::find_if(copies_.begin(), copies_.end(), [](const Copy& x) { return !x.sent; });
  return c == copies_.end() ? nullptr : &*c;
}

// Hands requests to the load/store unit, at the pace of their bytes. Returns the cycle in which there is more
// to do; `never`: nothing to do until a transfer comes.
Cycle CopyEngine::send(Cycle now) {
  while (Copy* const c = first_unsent()) {
    if (requests_.empty() && !c->cut) cut_line(*c);
    if (requests_.empty()) {  // a copy of no bytes
      c->sent = true;
      if (c->transfer.instruction != nullptr) tell_read(c->transfer.instruction, now + 1);
      end_if_over(static_cast<std::size_t>(c - copies_.data()), now);
      continue;
    }
    if (under_way_ >= p_.in_flight) return never;
    if (!room_.ready(now)) return room_.ready_at(now + 1);
    if (free_ >= (now + 1) * Bandwidth::cycle) return free_ / Bandwidth::cycle;
    const Request r = requests_.front();
    requests_.pop_front();
    free_ = std::max(free_, now * Bandwidth::cycle) + pace_.occupied(r.bytes);
    ++sent_;
    ++under_way_;
    ++c->unanswered;
    c->sent = requests_.empty() && c->cut;
    BulkCopyTransfer t = c->transfer;
    t.stamp = now + 1;
    t.kind = BulkCopyTransfer::Kind::request;
    t.address = r.address;
    t.bytes = r.bytes;
    t.last = c->sent;
    room_.take();
    copy_socket.status(t);
  }
  return never;
}

void CopyEngine::take_answer(const BulkCopyTransfer& t, Cycle now) {
  const auto c = std::find_if(copies_.begin(), copies_.end(),
                              [&](const Copy& x) { return x.transfer.number == t.number; });
  --under_way_;
  --c->unanswered;
  end_if_over(static_cast<std::size_t>(c - copies_.begin()), now);
}

void CopyEngine::end_if_over(std::size_t n, Cycle now) {
  const Copy& c = copies_[n];
  if (!c.sent || c.unanswered != 0) return;
  BulkCopyTransfer t = c.transfer;
  t.stamp = now + 1;
  t.kind = BulkCopyTransfer::Kind::over;
  copy_socket.status(t);
  copies_.erase(copies_.begin() + static_cast<std::ptrdiff_t>(n));
}

Cycle CopyEngine::tick(Cycle now) {
  answers_.take(now, [&](const BulkCopyTransfer& t) { take_answer(t, now); });
  arriving_.take(now, [this](const BulkCopyTransfer& t) { copies_.push_back({t}); });
  return std::min({send(now), arriving_.next(), answers_.next()});
}

void CopyEngine::report_waiting(std::ostream& out) const {
  for (const Copy& c : copies_)
    out << name() << ": bulk copy " << c.transfer.number << " of CTA slot " << c.transfer.cta_slot << ": "
        << c.unanswered << " requests not answered" << (c.sent ? "\n" : ", others not sent\n");
}

std::vector<Signal> CopyEngine::signals() {
  SignalList list("copy_engine_");
  list.number("copies", 8, [this](Cycle) { return std::uint64_t{copies_.size()}; })
      .number("outstanding", 16, [this](Cycle) { return std::uint64_t{under_way_}; })
      .per_cycle("requests", 8, [this](Cycle) -> std::uint64_t { return sent_; });
  return list;
}

}  // namespace subcore
