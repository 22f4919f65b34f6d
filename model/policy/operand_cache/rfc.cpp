#include "subcore/model/policy/operand_cache/rfc.h"

#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/trace/program_order.h"

namespace subcore {

Rfc::Rfc(unsigned warp_slots, unsigned entries, PartialWrite partial_write, Overwrite overwrite)
    : warps_(warp_slots),
      entries_(entries),
      partial_safe_(partial_write == PartialWrite::safe),
      overwrite_(overwrite) {
  for (Warp& w : warps_) w.entries.reserve(entries);
}

std::vector<Rfc::Entry>::iterator Rfc::find(unsigned warp_slot, Register reg) {
  std::vector<Entry>& all = warps_[warp_slot].entries;
  return std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.reg == reg; });
}

void Rfc::evict(unsigned warp_slot, const Entry& e) {
  if (!e.dead) dirty_.push_back({static_cast<std::uint16_t>(warp_slot), e.reg, e.version});
}

// A warpgroup's product works on the banks.
void Rfc::give_up(unsigned warp_slot, Register reg) {
  const auto e = find(warp_slot, reg);
  if (e == warps_[warp_slot].entries.end()) return;
  evict(warp_slot, *e);
  use_.gone(e->unread);
  warps_[warp_slot].entries.erase(e);
}

OperandCachePolicy::Lookup Rfc::read(const Instruction& i, unsigned source) {
  const auto e = find(i.warp_slot, i.source(source));
  if (e == warps_[i.warp_slot].entries.end()) return {};
  if (i.code->annotation != nullptr && bits::has(i.code->annotation->last_use, source)) e->dead = true;
  use_.read(e->unread);
  return {true, e->version, true};
}

// Results of a long-latency instruction bypass the cache, so the copies here end as soon as the instruction
// issues. Issue is in order, and older readers have been served, so no instruction reads the copies any more.
// If only some lanes will be written, the banks must have the other lanes by then.
void Rfc::issued(const Instruction& i) {
  for_each_accumulator(*i.code, [&](Register r) { give_up(i.warp_slot, r); });
  if (!is_long_latency(*i.code)) return;
  std::vector<Entry>& all = warps_[i.warp_slot].entries;
  for (unsigned d = 0; d < i.destination_count; ++d) {
    const auto e = find(i.warp_slot, i.destination(d));
    if (e == all.end()) continue;
    if (i.is_partial(d)) evict(i.warp_slot, *e);
    use_.gone(e->unread);
    all.erase(e);
  }
}

std::uint8_t Rfc::to_banks(const Instruction& i) const {
  const bool past = is_long_latency(*i.code) || !warps_[i.warp_slot].active;
  return past || (partial_safe_ && !i.is_whole()) ? 0xff : 0;
}

bool Rfc::written(const Instruction& i, unsigned destination) {
  if (is_long_latency(*i.code) || !warps_[i.warp_slot].active) return false;
  std::vector<Entry>& all = warps_[i.warp_slot].entries;
  const Register reg = i.destination(destination);
  const auto e = find(i.warp_slot, reg);
  if (e != all.end()) {
    use_.gone(e->unread);
    const bool whole = !partial_safe_ || i.is_whole();
    *e = {reg, whole ? i.result(destination) : merged(e->version, i, destination), false, true};
    if (overwrite_ == Overwrite::counts_as_new) std::rotate(e, e + 1, all.end());
    return true;
  }
  if (partial_safe_ && !i.is_whole()) return false;
  if (all.size() == entries_) {
    evict(i.warp_slot, all.front());
    use_.gone(all.front().unread);
    all.erase(all.begin());
  }
  all.push_back({reg, i.result(destination), false, true});
  return true;
}

void Rfc::leave(unsigned warp_slot) {
  Warp& w = warps_[warp_slot];
  for (Entry& e : w.entries) {
    evict(warp_slot, e);
    use_.gone(e.unread);
  }
  w.entries.clear();
  w.active = false;
}

void RfcChoice::describe(ParameterVisitor& v) {
  v.choice("overwrite", overwrite,
           "a result whose register is already in the cache keeps the old value's place in the order of "
           "eviction, or counts as new");
}

std::unique_ptr<OperandCachePolicy> RfcChoice::make(const OperandCacheParameters& p,
                                                    unsigned warp_slots) const {
  return std::make_unique<Rfc>(warp_slots, p.entries, p.partial_write, overwrite);
}

}  // namespace subcore
