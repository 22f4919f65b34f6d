#include "subcore/model/policy/operand_cache/reuse.h"

#include "subcore/base/bits.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"

namespace subcore {

OperandCachePolicy::Lookup ReuseOperandCache::read(const Instruction& i, unsigned source) {
  if (!uses_reuse_cache(i.code->execution)) return {false, {}, false};
  const Register r = i.source(source);
  Lookup found{false, {}, false};
  for (const unsigned slot : bits::each(i.code->source_slots[source])) {
    if (slot >= cache_.slots()) continue;
    const bool flagged = bits::has(i.code->reuse_mask, slot);
    const auto entry = cache_.read(slot, ReuseCache::Filler::of(i, source), r, flagged);
    found.searched = true;
    if (!entry || !entry->filled) continue;
    found.hit = true;
    found.version = entry->version;
  }
  return found;
}

bool ReuseOperandCache::filled(const Instruction& i, unsigned source, const Version& version) {
  return cache_.fill(ReuseCache::Filler::of(i, source), version);
}

void ReuseOperandCache::contents(unsigned warp_slot, std::vector<Kept>& kept) const {
  for (const ReuseCache::Entry& e : cache_.entries())
    if (e.filled && e.filler.warp_slot == warp_slot) kept.push_back({e.reg, false});
}

std::unique_ptr<OperandCachePolicy> ReuseOperandCacheChoice::make(const OperandCacheParameters&,
                                                                  unsigned) const {
  return std::make_unique<ReuseOperandCache>(parameters);
}

}  // namespace subcore
