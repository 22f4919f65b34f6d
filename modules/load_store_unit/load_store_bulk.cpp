// The load/store unit's part in bulk copies and mbarriers, on machines with a copy engine.
#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/model/isa/bulk_copies.h"
#include "subcore/model/policy/issue/issue_window.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/modules/load_store_unit/load_store_unit.h"

namespace subcore {

// Starts the part of an instruction in bulk copies and mbarriers. False: the instruction goes on as an access
// to shared memory, or as an instruction without an access.
bool LoadStoreUnit::start_async(Instruction& i, Cycle now) {
  const AsyncStep step = i.code->async;
  if (!is_bulk_copy(step)) {
    if (step == AsyncStep::arrive_behind_copies || i.async != nullptr) tell_mbarriers(i, now);
    return false;
  }
  if (i.async == nullptr) return false;  // nothing is known of the copy
  ++counters_.other;
  MbarrierTransfer t;
  t.stamp = now + 1;
  t.kind = MbarrierTransfer::Kind::copying;
  t.cta_slot = i.cta_slot;
  t.step = step;
  t.number = bulk_copies_++;
  t.mbarrier = i.async->mbarrier;
  mbarrier_socket[0].send(t);
  const bool reads_shared = step == AsyncStep::store || step == AsyncStep::reduce;
  BulkCopyTransfer copy;
  copy.stamp = now + 1;
  copy.instruction = reads_shared ? &i : nullptr;
  copy.record = i.async;
  copy.addresses = i.warp->bulk_addresses.data();
  copy.number = t.number;
  copy.cta_slot = i.cta_slot;
  copy.step = step;
  copy_socket[0].send(copy);
  if (!reads_shared) finish(&i, now);
  return true;
}

// Tells of SYNCS or ARRIVES, for each mbarrier that the instruction's lanes name.
void LoadStoreUnit::tell_mbarriers(const Instruction& i, Cycle now) {
  if (i.code->async == AsyncStep::check) {
    if (waits_at_mbarrier(i)) tell_mbarrier(i, i.async->mbarrier, 1, now);
    return;
  }
  if (i.addresses == nullptr) {
    tell_mbarrier(i, AsyncRecord::no_mbarrier, bits::count(i.mask), now);
  } else {
    LaneAddresses lanes;
    decode_addresses(i.addresses, i.mask, lanes);
    for (std::uint32_t left = i.mask, same = 0; left != 0; left &= ~same) {
      const std::uint32_t mbarrier = in_own_cta(lanes.address[bits::lowest(left)]);
      same = 0;
      for (const unsigned lane : bits::each(left))
        if (in_own_cta(lanes.address[lane]) == mbarrier) bits::add(same, lane);
      tell_mbarrier(i, mbarrier, bits::count(same), now);
    }
  }
  if (i.code->async == AsyncStep::arrive_behind_copies) keep_promises(i.warp_uid, now);
}

void LoadStoreUnit::tell_mbarrier(const Instruction& i, std::uint32_t mbarrier, unsigned lanes, Cycle now) {
  using Kind = MbarrierTransfer::Kind;
  const AsyncStep step = i.code->async;
  const MbarrierEffect effect = mbarrier_effect(*i.code, i.async, lanes);
  MbarrierTransfer t;
  t.stamp = now + 1;
  t.kind = step == AsyncStep::init     ? Kind::init
           : step == AsyncStep::arrive ? Kind::arrive
           : step == AsyncStep::check  ? Kind::ask
                                       : Kind::promised;
  t.cta_slot = i.cta_slot;
  t.warp_slot = i.warp_slot;
  t.sub_core = i.sub_core;
  t.mbarrier = mbarrier;
  t.told = effect.told;
  t.threads = effect.threads;
  t.bytes = effect.bytes;
  t.parity = effect.parity;
  t.drops = i.code->counts.drops;
  mbarrier_socket[0].send(t);
  if (t.kind != Kind::promised) return;
  t.kind = Kind::kept;
  promises_.push_back({i.warp_uid, i.sequence, t});
}

// Whether older LDGSTS of the warp are under way: older than the instruction with this number.
bool LoadStoreUnit::awaits_copies(std::uint32_t warp_uid, std::uint64_t sequence) const {
  return std::any_of(accesses_.all().begin(), accesses_.all().end(), [&](const Access& a) {
    return a.pending != 0 && a.warp_uid == warp_uid && a.instruction != nullptr &&
           a.instruction->code->copies == CopyStep::copy && a.instruction->sequence < sequence;
  });
}

// Sends the arrivals of a warp that wait for no copy any more, once the banks have been written. Called when
// data of the warp's copies have come, or when an arrival has come that may have no copy to wait for.
void LoadStoreUnit::keep_promises(std::uint32_t warp_uid, Cycle now) {
  for (std::size_t n = 0; n < promises_.size();) {
    Promise& p = promises_[n];
    if (p.warp_uid != warp_uid || awaits_copies(warp_uid, p.sequence)) {
      ++n;
      continue;
    }
    p.transfer.stamp = std::max(now, free_at_) + 1;
    mbarrier_socket[0].send(p.transfer);
    promises_.erase(promises_.begin() + static_cast<std::ptrdiff_t>(n));
  }
}

void LoadStoreUnit::bulk_told(unsigned, BulkCopyTransfer& t) {
  using Kind = BulkCopyTransfer::Kind;
  if (t.kind == Kind::over) return bulk_over(t);
  t.kind == Kind::read ? finish(t.instruction, t.stamp) : bulk_requests_.put(t);
  wake(t.stamp);
}

// Tells the CTA dispatcher at once, because an mbarrier may count the bytes. A copy that goes to several CTAs
// of a cluster counts for each CTA, as if the copies of the others came here. The others do the same.
void LoadStoreUnit::bulk_over(const BulkCopyTransfer& t) {
  MbarrierTransfer m;
  m.stamp = t.stamp;
  m.kind = MbarrierTransfer::Kind::copied;
  m.step = t.step;
  m.cta_slot = t.cta_slot;
  m.number = t.number;
  m.bytes = std::int64_t{t.record->bytes} * std::max(1u, bits::count(t.record->ctas));
  mbarrier_socket[0].send(m);
}

// Sends a request of the copy engine, behind the unit's own requests of the cycle. A request that writes
// reads shared memory.
void LoadStoreUnit::send_bulk_request(Cycle now) {
  if (!bulk_requests_.due(now) || !target_.ready(now)) return;
  BulkCopyTransfer r = bulk_requests_.front();
  bulk_requests_.pop();
  const std::uint32_t entry = bulk_under_way_.take();
  bulk_under_way_[entry] = r;
  const bool writes = r.step == AsyncStep::store;
  if (writes || r.step == AsyncStep::reduce) pass_banks(r.bytes, now);
  MemoryTransaction& t =
      pool_.acquire(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, r.address, r.bytes);
  t.entry = entry | of_bulk;
  t.mark_bulk();
  if (r.step == AsyncStep::reduce) t.mark_atomic(false);
  begin(t, false, now);
  r.stamp = now + 1;
  r.kind = BulkCopyTransfer::Kind::left;
  copy_socket[0].send(r);
}

// The answer has come by cycle `at`. The data of a load go to shared memory.
void LoadStoreUnit::bulk_answered(MemoryTransaction& t, Cycle at) {
  const std::uint32_t entry = t.entry & ~of_bulk;
  BulkCopyTransfer r = bulk_under_way_[entry];
  bulk_under_way_.give_back(entry);
  ++bulk_responses_;
  r.stamp = at + 1;
  if (r.step == AsyncStep::load) r.stamp = pass_banks(r.bytes, at);
  r.kind = BulkCopyTransfer::Kind::answered;
  copy_socket[0].send(r);
}

}  // namespace subcore
