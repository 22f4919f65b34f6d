#include "subcore/modules/load_store_unit/load_store_unit.h"

#include <algorithm>
#include <ostream>

#include "subcore/base/bits.h"
#include "subcore/model/policy/shared_memory_banks.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

LoadStoreUnit::LoadStoreUnit(const sc_core::sc_module_name& name, unsigned sub_cores,
                             const LoadStoreParameters& p, unsigned result_latches, OperandCheck& check,
                             const Conductor& conductor, const WarpgroupTiming* products, bool bulk_copies)
    : TickingModule(name),
      unit_socket("unit_socket", sub_cores),
      result_socket("result_socket", sub_cores, result_latches),
      store_socket("store_socket"),
      product_socket("product_socket", products != nullptr ? sub_cores : 0),
      copy_socket("copy_socket", bulk_copies ? 1 : 0),
      mbarrier_socket("mbarrier_socket", bulk_copies ? 1 : 0),
      memory_socket("memory_socket", *this, {bits_of(p.initiator.bus_width), "load_store.bus_width"}),
      p_(p),
      check_(check),
      queue_(sub_cores),
      finished_(sub_cores),
      room_(p.outstanding),
      target_(memory_socket, conductor, p.initiator.end_resp, "load_store",
              [this](std::ostream& out, const Payload& t) { describe(out, t); }),
      products_(products != nullptr ? *products : WarpgroupTiming{}),
      meeting_(products_.operands_ahead) {
  for (auto& s : copy_socket) s.on_status<&LoadStoreUnit::bulk_told>(this);
  for (unsigned s = 0; s < product_socket.size(); ++s)
    product_socket[s].on_receive<&LoadStoreUnit::product_told>(this, s);
  for (unsigned s = 0; s < sub_cores; ++s) {
    unit_socket[s].on_receive<&LoadStoreUnit::accept>(this, s);
    result_socket[s].on_credit<&LoadStoreUnit::result_free>(this, s);
  }
}

void LoadStoreUnit::accept(unsigned sub_core, DispatchTransfer& t) {
  check_.check(*this, *t.instruction, t.stamp);
  queue_[sub_core].put(t);
  bits::add(queued_, sub_core);
  wake(t.stamp);
}

// When the warp's last access to shared memory, or exchange between lanes, is over. Such instructions
// complete in order. An instruction without an access completes in order behind them, because a compiler puts
// a barrier on the last of a group alone, which may be predicated off.
Cycle& LoadStoreUnit::in_order(const Instruction& i) {
  const std::size_t warp = i.warp_slot * queue_.size() + i.sub_core;
  if (warp >= in_order_.size()) in_order_.resize(warp + 1);
  return in_order_[warp];
}

// The instruction enters the unit in cycle `now`. Its result can be written back in now + latency.
void LoadStoreUnit::start(Instruction& i, Cycle now) {
  const StaticInstruction& code = *i.code;
  if (code.async != AsyncStep::none && i.mask != 0 && start_async(i, now)) return;
  if (i.mask == 0 || code.memory_bytes == 0 || i.addresses == nullptr) {
    // No lane accesses memory, or the trace has no address for it (constants, fences).
    // Exchanges between lanes go through the shared memory's crossbar.
    ++counters_.other;
    std::uint32_t latency = 1;
    if (i.mask != 0 && code.space == MemorySpace::constant) latency = p_.constant_latency;
    if (i.mask != 0 && code.kind == InstructionKind::exchange) latency = p_.shared_latency;
    Cycle over = now + latency - 1;
    if (code.space != MemorySpace::constant) over = std::max(over, in_order(i));
    if (i.mask != 0 && code.kind == InstructionKind::exchange) in_order(i) = over;
    finish(&i, over);
    return;
  }
  LaneAddresses lanes;
  decode_addresses(i.addresses, i.mask, lanes);
  MemorySpace space = code.space;
  if (space == MemorySpace::generic && i.kernel != nullptr) {
    space = resolve_space(*i.kernel, space, lanes.address[bits::lowest(i.mask)]);
  }
  if (space == MemorySpace::shared) {
    ++counters_.shared;
    SharedMemoryPasses banks{1, 1};
    if (p_.shared_banks != 0) {
      banks = code.matrices != 0 ? matrix_passes(lanes, code.matrices, p_.shared_banks)
                                 : shared_memory_passes(lanes, code.memory_bytes, p_.shared_banks,
                                                        code.kind == InstructionKind::atomic);
    }
    counters_.shared_passes += banks.passes;
    counters_.shared_conflicts += banks.passes - banks.parts;
    // The banks are busy for `passes` cycles, and the last lanes wait as long.
    free_at_ = std::max(free_at_, now + banks.passes);
    const Cycle over = now + (over_when_sent(code) ? 1 : p_.shared_latency) + banks.passes - 2;
    if (!over_when_sent(code)) in_order(i) = over;
    finish(&i, over);
    return;
  }
  ++(code.kind == InstructionKind::load    ? counters_.loads
     : code.kind == InstructionKind::store ? counters_.stores
                                           : counters_.atomics);
  const std::uint32_t entry = accesses_.take();
  ranges_.clear();
  coalesce(lanes, code.memory_bytes, ranges_);
  shape_requests(ranges_, p_.initiator.requests);
  const auto requests = static_cast<std::uint32_t>(ranges_.size());
  accesses_[entry] = {&i,         requests,      over_when_sent(code) ? requests : 0, code.pc, i.warp_uid,
                      i.cta_slot, warp_number(i)};
  written_.clear();
  if (code.kind == InstructionKind::store && p_.byte_enables)
    accessed_bytes(lanes, code.memory_bytes, ranges_, written_);
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    const bool masked = !written_.empty() && !all_bytes(written_[r], ranges_[r].bytes);
    requests_.push_back({ranges_[r], entry, code.kind, masked, masked ? written_[r] : ByteMask{}});
  }
}

// A store is over once its last request has left. Its CTA is not over before memory has answered.
void LoadStoreUnit::note_left(Cycle now) {
  if (left_.at > now) return;
  left_.at = never;
  Access& a = accesses_[left_.entry];
  if (a.unsent == 0 || --a.unsent != 0) return;
  finish(a.instruction, now);
  a.instruction = nullptr;
  StoreTransfer s{now + 1, a.cta_slot};
  store_socket.send(s);
}

// The banks that a request's sectors lie in; none if banks cannot conflict.
std::uint64_t LoadStoreUnit::sector_banks(const MemoryRange& range) const {
  std::uint64_t banks = 0;
  if (p_.sector_banks == 0) return banks;
  const std::uint64_t last = (range.address + range.bytes - 1) / sector_bytes;
  for (std::uint64_t s = range.address / sector_bytes; s <= last; ++s)
    bits::add(banks, s & (p_.sector_banks - 1));
  return banks;
}

void LoadStoreUnit::send_requests(Cycle now) {
  std::uint64_t busy_banks = 0;
  for (std::uint32_t n = 0; n < p_.transactions_per_cycle && !requests_.empty(); ++n) {
    // An answer will wake this module.
    if (!target_.ready(now) || !room_.ready(now)) return;
    const std::uint64_t banks = sector_banks(requests_.front().range);
    if ((banks & busy_banks) != 0) return;  // the request goes in the next cycle
    busy_banks |= banks;
    const Request r = requests_.front();
    requests_.pop_front();
    MemoryTransaction& t =
        pool_.acquire(r.kind == InstructionKind::store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                      r.range.address, r.range.bytes);
    t.entry = r.entry;
    // A reduction is an atomic whose old value no register gets.
    if (r.kind == InstructionKind::atomic)
      t.mark_atomic(accesses_[r.entry].instruction->destination_count != 0);
    if (r.masked) {
      t.enable_bytes(r.written);
      ++counters_.masked_requests;
    }
    room_.take();
    ++counters_.requests;
    counters_.requested_bytes += r.range.bytes;
    begin(t, true, now);
  }
}

// Sends a request. `notes_leaving`: an instruction may wait for the request to leave.
void LoadStoreUnit::begin(MemoryTransaction& t, bool notes_leaving, Cycle now) {
  if (p_.keep_data && t.is_write()) keep_data_.fill(memory_socket, t);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const AtInitiator::Progress progress = target_.begin(t, delay, now);
  if (progress != AtInitiator::Progress::none && notes_leaving) left_ = {t.entry, now};
  switch (progress) {
    case AtInitiator::Progress::completed:  // early completion: the response is over after `delay`
      answers_.put({&t, due(now, delay), false, sc_core::SC_ZERO_TIME});
      break;
    case AtInitiator::Progress::request_ended:
      if (delay == sc_core::SC_ZERO_TIME) break;
      if (notes_leaving) left_.at = due(now, delay) + 1;
      target_.wait_until(due(now, delay) + 1);
      break;
    case AtInitiator::Progress::response:
      // The response begins only `delay` from now, so the response cannot end earlier.
      if (!calls_end_response()) target_.end(t, delay);
      begin_response(t, due(now, delay), delay);
      break;
    case AtInitiator::Progress::none:
      break;
  }
  note_left(now);
}

// Any process may call at any time. This cycle may not change, so all effects come in the next one.
tlm::tlm_sync_enum LoadStoreUnit::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  return target_.called(payload, phase, delay, !requests_.empty(),
                        [&](bool request_ended, bool response, Cycle at) {
                          auto& t = static_cast<MemoryTransaction&>(payload);
                          if (request_ended && !is_bulk_request(t)) left_ = {t.entry, at};
                          if (response) begin_response(t, at, delay);
                          wake(at);
                          return !calls_end_response();
                        });
}

void LoadStoreUnit::begin_response(MemoryTransaction& t, Cycle at, const sc_core::sc_time& delay) {
  answers_.put({&t, at, calls_end_response(), sc_core::sc_time_stamp() + delay});
}

void LoadStoreUnit::describe(std::ostream& out, const Payload& t) const {
  pool_.for_each_in_use([&](const MemoryTransaction& own) {
    if (&own != &t || own.entry == MemoryTransaction::answered) return;
    if (is_bulk_request(own)) {
      out << " for a bulk copy";
      return;
    }
    const Access& a = accesses_[own.entry];
    out << " for pc 0x" << std::hex << a.pc << std::dec << ", w" << a.warp;
  });
}

void LoadStoreUnit::answered(MemoryTransaction& t, Cycle at) {
  target_.check(t);
  if (is_bulk_request(t)) {
    bulk_answered(t, at);
    t.entry = MemoryTransaction::answered;
    t.release();
    return;
  }
  ++counters_.responses;
  room_.give_back(at);
  Access& a = accesses_[t.entry];
  if (--a.pending == 0) {
    if (a.instruction != nullptr && a.instruction->code->copies == CopyStep::copy) {
      write_copy(*a.instruction, at);
    } else if (a.instruction != nullptr) {
      finish(a.instruction, at);
    } else {
      StoreTransfer s{at + 1, a.cta_slot, StoreTransfer::Kind::answered};
      store_socket.send(s);
    }
    a.instruction = nullptr;
    if (left_.entry == t.entry)
      left_.at = never;  // the access is answered before its last request counts as
                         // sent
    accesses_.give_back(t.entry);
  }
  t.entry = MemoryTransaction::answered;  // the target may still hold the transaction
  t.release();
}

// The data of a copy have come by cycle `at`. The banks are written as soon as they are free. A trace does
// not have the addresses in shared memory, so the write is taken to have no conflicts.
void LoadStoreUnit::write_copy(Instruction& i, Cycle at) {
  finish(&i, pass_banks(bits::count(i.mask) * i.code->memory_bytes, at) - 1);
  if (!promises_.empty()) keep_promises(i.warp_uid, at);
}

// Bytes without conflicts take the banks of shared memory as soon as the banks are free, from cycle `at` on.
// Returns the first cycle behind the passes.
Cycle LoadStoreUnit::pass_banks(unsigned bytes, Cycle at) {
  constexpr unsigned word_bytes = 4;
  const unsigned a_pass = p_.shared_banks * word_bytes;
  const unsigned passes = a_pass == 0 ? 1 : (bytes + a_pass - 1) / a_pass;
  counters_.shared_passes += passes;
  free_at_ = std::max(free_at_, at) + passes;
  return free_at_;
}

void LoadStoreUnit::product_told(unsigned sub_core, ProductTransfer& t) {
  told_.put({t.stamp, t.instruction, t.kind, static_cast<std::uint8_t>(sub_core)});
  wake(t.stamp);
}

// Reads operands of products from shared memory, ahead of other accesses to shared memory.
void LoadStoreUnit::read_for_products(Cycle now) {
  told_.take(now, [this](const Told& t) {
    t.kind == ProductTransfer::Kind::came ? meeting_.came(*t.instruction) : meeting_.began(*t.instruction);
  });
  while (const WarpgroupMeeting::Product* p = meeting_.next()) {
    const StaticInstruction& code = *p->instructions[0]->code;
    const Cycle begins = std::max(now, free_at_);
    counters_.shared_passes += products_.wavefronts(code);
    free_at_ = begins + products_.wavefronts(code);
    for (unsigned n = 0; n < p->count; ++n) {
      Instruction& i = *p->instructions[n];
      ProductTransfer t{begins + products_.before_first_column(code), &i, ProductTransfer::Kind::granted};
      product_socket[i.sub_core].status(t);
    }
    meeting_.take();
  }
}

// Before an END_RESP returns, the target may send its next response, for a later cycle.
void LoadStoreUnit::take_answers(Cycle now) {
  answers_.take(now, [&](const Answer& a) {
    if (a.end_response) {
      const sc_core::sc_time& time = sc_core::sc_time_stamp();
      target_.end(*a.transaction, a.begins > time ? a.begins - time : sc_core::SC_ZERO_TIME);
    }
    answered(*a.transaction, now);
  });
}

Cycle LoadStoreUnit::tick(Cycle now) {
  note_left(now);
  take_answers(now);
  if (told_.due(now)) read_for_products(now);
  // One instruction enters per initiation interval, and sub-cores take turns.
  const auto sub_cores = static_cast<unsigned>(queue_.size());
  const bool waiting = queued_ != 0;
  unsigned left = waiting && free_at_ <= now ? sub_cores : 0;
  for (unsigned s = next_sub_core_; left != 0; --left, s = s + 1 == sub_cores ? 0 : s + 1) {
    if (!bits::has(queued_, s) || !queue_[s].due(now)) continue;
    DispatchTransfer t = queue_[s].front();
    queue_[s].pop();
    bits::set(queued_, s, !queue_[s].empty());
    next_sub_core_ = s + 1 == sub_cores ? 0 : s + 1;
    free_at_ = now + p_.initiation_interval;
    start(*t.instruction, now);
    t.stamp = now + 1;
    unit_socket[s].credit(t);
    break;
  }
  send_requests(now);
  if (!bulk_requests_.empty()) send_bulk_request(now);
  finishing_.take(now, [this](const Finish& f) {
    finished_[f.instruction->sub_core].push_back(f.instruction);
    bits::add(results_, f.instruction->sub_core);
  });
  Cycle next = waiting ? std::max(now + 1, free_at_) : never;
  for (const unsigned s : bits::each(results_)) {
    if (result_socket[s].ready(now)) {
      ResultTransfer r{now + 1, finished_[s].front()};
      finished_[s].pop_front();
      bits::set(results_, s, !finished_[s].empty());
      result_socket[s].send(r);
    }
    if (bits::has(results_, s)) next = std::min(next, result_socket[s].ready_at(now + 1));
  }
  next = std::min({next, finishing_.next(), told_.next()});
  if (!requests_.empty() && target_.request() == nullptr && room_.ready(now)) next = now + 1;
  if (left_.at != never) next = std::min(next, left_.at);
  if (!bulk_requests_.empty() && target_.request() == nullptr) next = std::min(next, now + 1);
  return std::min(next, answers_.next());
}

bool LoadStoreUnit::drained() const {
  return all_empty(queue_) && all_empty(finished_) && finishing_.empty() && requests_.empty() &&
         answers_.empty() && pool_.in_use() == 0 && outstanding() == 0 && told_.empty() && meeting_.empty() &&
         bulk_requests_.empty() && promises_.empty();
}

void LoadStoreUnit::report_waiting(std::ostream& out) const {
  if (outstanding() != 0) target_.report_waiting(out, name());
  for (unsigned s = 0; s < queue_.size(); ++s) {
    if (!queue_[s].empty())
      out << name() << ": " << queue_[s].size() << " instructions of sub-core " << s << " wait\n";
  }
  if (meeting_.waiting() != 0)
    out << name() << ": " << meeting_.waiting() << " products wait for warps of their warpgroups\n";
  if (!requests_.empty()) out << name() << ": " << requests_.size() << " requests not sent\n";
  if (!promises_.empty())
    out << name() << ": " << promises_.size() << " arrivals at mbarriers wait for copies of their warps\n";
  target_.report_request(out, name());
  for (std::uint32_t entry = 0; entry < accesses_.all().size(); ++entry) {
    const Access& a = accesses_[entry];
    if (a.pending == 0) continue;
    out << name() << ": pc 0x" << std::hex << a.pc << std::dec << ", w" << a.warp << ", waits for "
        << a.pending << " responses from memory";
    const char* between = ", asked at 0x";
    pool_.for_each_in_use([&](const MemoryTransaction& t) {
      if (t.entry != entry) return;
      out << between << std::hex << t.get_address() << std::dec;
      between = ", 0x";
    });
    out << '\n';
  }
}

std::vector<Signal> LoadStoreUnit::signals() {
  SignalList list("lsu_");
  for (unsigned s = 0; s < queue_.size(); ++s) {
    const std::string sub_core = "sub_core_" + std::to_string(s) + '_';
    const auto next = [this, s](Cycle) -> const Instruction* {
      return queue_[s].empty() ? nullptr : queue_[s].front().instruction;
    };
    list.key([this, s, next](Cycle c) { return SignalList::identity(next(c)) * 31 + queue_[s].size(); })
        .instruction(sub_core, next)
        .number(sub_core + "queue", 8, [this, s](Cycle) { return std::uint64_t{queue_[s].size()}; });
  }
  list.always()
      .number("requests_waiting", 16, [this](Cycle) { return std::uint64_t{requests_.size()}; })
      .number("outstanding", 16, [this](Cycle) { return outstanding(); })
      .per_cycle("requests", 8, [this](Cycle) -> std::uint64_t { return counters_.requests; })
      .per_cycle("responses", 8, [this](Cycle) { return counters_.responses; })
      .address("pending_address", [this](Cycle) {
        const Payload* request = target_.request();
        return request == nullptr ? Signal::x : request->get_address();
      });
  return list;
}

}  // namespace subcore
