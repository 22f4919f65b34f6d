#include "model/policy/operand_cache/reuse.h"

#include "model/bits.h"
#include "model/policy/operand_cache/operand_cache_parameters.h"

namespace subcore {

OperandCachePolicy::Lookup ReuseOperandCache::read(const Instruction& i, unsigned source) {
  if (!uses_reuse_cache(i.code->execution)) return {false, 0, false};
  const Register r = i.source(source);
  Lookup found{false, 0, false};
  for (const unsigned slot : bits::each(i.code->source_slots[source])) {
    if (slot >= slots_) continue;
    const bool flagged = bits::has(i.code->reuse_mask, slot);
    const auto entry = cache_.read(slot, r % banks_, ReuseCache::Filler::of(i, source), r, flagged);
    found.searched = true;
    if (!entry || !entry->filled) continue;
    found.hit = true;
    found.version = entry->version;
  }
  return found;
}

// What is predicated off reads nothing, but takes away what was in its slots.
void ReuseOperandCache::issued(const Instruction& i) {
  if (uses_reuse_cache(i.code->execution) ? i.source_count != 0 : !memory_evicts_) return;
  for (unsigned s = 0; s < i.code->source_count; ++s)
    for (const unsigned slot : bits::each(i.code->source_slots[s]))
      if (slot < slots_) cache_.evict(slot, i.source(s) % banks_);
}

bool ReuseOperandCache::filled(const Instruction& i, unsigned source, Version version) {
  return cache_.fill(ReuseCache::Filler::of(i, source), version);
}

void ReuseOperandCache::contents(unsigned warp_slot, std::vector<Kept>& kept) const {
  for (const ReuseCache::Entry& e : cache_.entries())
    if (e.filled && e.filler.warp_slot == warp_slot) kept.push_back({e.reg, false});
}

void ReuseOperandCacheChoice::describe(ParameterVisitor& v) {
  v.field("reuse_slots", slots, {3, 4}, "slots", "operand slots that have an entry for each bank");
  v.field("reuse_banks", banks, {1, 64}, "banks", "entries of a slot, to which registers belong in turn");
  v.field("memory_evicts", memory_evicts,
          "an instruction that does not look into the cache takes away what is in its slots, too");
}

std::unique_ptr<OperandCachePolicy> ReuseOperandCacheChoice::make(const OperandCacheParameters&,
                                                                  unsigned) const {
  return std::make_unique<ReuseOperandCache>(slots, banks, memory_evicts);
}

}  // namespace subcore
