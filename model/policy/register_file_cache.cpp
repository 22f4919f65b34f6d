#include "model/policy/register_file_cache.h"

#include <algorithm>

#include "model/hints/compiler_hints.h"

namespace subcore {

RegisterFileCache::RegisterFileCache(unsigned warp_slots, unsigned entries, PartialWrite partial_write)
    : warps_(warp_slots), entries_(entries), partial_safe_(partial_write == PartialWrite::safe) {
  for (Warp& w : warps_) w.reserve(entries);
}

RegisterFileCache::Entry* RegisterFileCache::find(unsigned warp_slot, Register reg) {
  for (Entry& e : warps_[warp_slot]) {
    if (e.reg == reg) return &e;
  }
  return nullptr;
}

void RegisterFileCache::evict(unsigned warp_slot, const Entry& e) {
  if (!e.dead) dirty_.push_back({static_cast<std::uint16_t>(warp_slot), e.reg, e.version});
}

OperandCachePolicy::Lookup RegisterFileCache::read(const Instruction& i, unsigned source) {
  Entry* e = find(i.warp_slot, i.source(source));
  if (e == nullptr) return {};
  if (i.code->hints != nullptr && (i.code->hints->last_use >> source & 1u) != 0) e->dead = true;
  return {true, e->version, true};
}

// What a long-latency instruction will write goes past the cache, so the copy here is over as soon as it
// issues: in order, and with its older readers served, nobody reads it any more. Where only some lanes will
// be written, the others have to be in the banks by then.
void RegisterFileCache::issued(const Instruction& i) {
  if (!is_long_latency(*i.code)) return;
  Warp& w = warps_[i.warp_slot];
  for (unsigned d = 0; d < i.destination_count; ++d) {
    const auto e =
        std::find_if(w.begin(), w.end(), [&](const Entry& x) { return x.reg == i.destination(d); });
    if (e == w.end()) continue;
    if (i.is_partial(d)) evict(i.warp_slot, *e);
    w.erase(e);
  }
}

std::uint8_t RegisterFileCache::to_banks(const Instruction& i) const {
  return is_long_latency(*i.code) || (partial_safe_ && i.mask != ~0u) ? 0xff : 0;
}

bool RegisterFileCache::written(const Instruction& i, unsigned destination) {
  if (is_long_latency(*i.code)) return false;
  Warp& w = warps_[i.warp_slot];
  const Register reg = i.destination(destination);
  if (Entry* e = find(i.warp_slot, reg)) {  // keeps its place in the queue
    e->version = i.produced[destination];
    e->dead = false;
    return true;
  }
  if (partial_safe_ && i.mask != ~0u) return false;
  if (w.size() == entries_) {
    evict(i.warp_slot, w.front());
    w.erase(w.begin());
  }
  w.push_back({reg, i.produced[destination], false});
  return true;
}

void RegisterFileCache::leave(unsigned warp_slot) {
  for (const Entry& e : warps_[warp_slot]) evict(warp_slot, e);
  warps_[warp_slot].clear();
}

}  // namespace subcore
