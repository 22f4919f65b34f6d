#include "subcore/model/policy/operand_cache/software_rfc.h"

#include "subcore/base/bits.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/trace/program_order.h"

namespace subcore {

SoftwareRfc::SoftwareRfc(unsigned warp_slots, unsigned orf_entries, unsigned lrf_entries,
                         PartialWrite partial_write)
    : orf_entries_(orf_entries),
      lrf_entries_(lrf_entries),
      partial_safe_(partial_write == PartialWrite::safe),
      warps_(warp_slots) {
  for (Warp& w : warps_) w.entries.resize(orf_entries + lrf_entries);
}

// Called for each instruction. Another warp in the slot, or a new strand, finds no values.
void SoftwareRfc::begin(const Instruction& i) {
  Warp& w = warps_[i.warp_slot];
  const bool strand_start = i.code->annotation != nullptr && i.code->annotation->strand_start;
  if (w.uid == i.warp_uid && (!strand_start || w.strand_of == i.sequence)) return;
  leave(i.warp_slot);
  w.uid = i.warp_uid;
  w.strand_of = i.sequence;
}

SoftwareRfc::Entry* SoftwareRfc::entry(unsigned warp_slot, OperandPlace place) {
  if (place.level == OperandLevel::mrf) return nullptr;
  const bool orf = place.level == OperandLevel::orf;
  if (place.entry >= (orf ? orf_entries_ : lrf_entries_)) return nullptr;
  return &warps_[warp_slot].entries[orf ? place.entry : orf_entries_ + place.entry];
}

OperandCachePolicy::Lookup SoftwareRfc::read(const Instruction& i, unsigned source) {
  begin(i);
  if (i.code->annotation == nullptr) return {false, {}, false};
  const OperandPlace place = i.code->annotation->read_from[source];
  if (place.level == OperandLevel::mrf) return {false, {}, false};
  Entry* e = entry(i.warp_slot, place);
  if (e == nullptr || !e->valid || e->reg != i.source(source)) {
    ++fallbacks_;
    return {false, {}, false};
  }
  use_.read(e->unread);
  return {true, e->version, false};
}

// From now on the entry belongs to this instruction. An older instruction that is still under way must not
// fill it.
void SoftwareRfc::claim(const Instruction& i, OperandPlace place, Register reg) {
  Entry* e = entry(i.warp_slot, place);
  if (e == nullptr) return;
  const Version kept = e->version;  // for lanes that are not written
  empty(*e);
  e->version = kept;
  e->reg = reg;
  e->owner = i.sequence;
}

void SoftwareRfc::issued(const Instruction& i) {
  begin(i);
  // A warpgroup's product works on the banks, where the compiler has left its accumulators.
  for_each_accumulator(*i.code, [&](Register r) {
    for (Entry& e : warps_[i.warp_slot].entries)
      if (e.reg == r) empty(e);
  });
  if (i.code->annotation == nullptr) return;
  const Annotation& h = *i.code->annotation;
  for (unsigned s = 0; s < i.source_count; ++s) {
    if (bits::has(h.keep_source, s)) claim(i, {OperandLevel::orf, h.keep_entry[s]}, i.source(s));
  }
  for (unsigned d = 0; d < i.destination_count; ++d) {
    const Entry* e = entry(i.warp_slot, h.write_to[d]);
    // Copies in other entries are outdated, and no later result may be merged with them.
    for (Entry& other : warps_[i.warp_slot].entries) {
      if (&other != e && other.reg == i.destination(d)) empty(other);
    }
    if (e == nullptr) continue;
    // Some lanes make an operand only if the entry already has the others.
    const bool holds = e->valid && e->reg == i.destination(d);
    if (partial_safe_ && !i.is_whole() && !holds) continue;
    claim(i, h.write_to[d], i.destination(d));
  }
}

bool SoftwareRfc::filled(const Instruction& i, unsigned source, const Version& version) {
  if (i.code->annotation == nullptr || !bits::has(i.code->annotation->keep_source, source)) return false;
  Entry* e = entry(i.warp_slot, {OperandLevel::orf, i.code->annotation->keep_entry[source]});
  if (e == nullptr || e->owner != i.sequence || warps_[i.warp_slot].uid != i.warp_uid) return false;
  e->version = version;
  e->valid = true;
  return true;
}

std::uint8_t SoftwareRfc::to_banks(const Instruction& i) const {
  if (i.code->annotation == nullptr || (partial_safe_ && !i.is_whole())) return 0xff;
  const Annotation& h = *i.code->annotation;
  std::uint8_t banks = h.write_banks;
  for (unsigned d = 0; d < i.destination_count; ++d) {
    const OperandPlace p = h.write_to[d];
    const unsigned entries = p.level == OperandLevel::orf ? orf_entries_ : lrf_entries_;
    if (p.level == OperandLevel::mrf || p.entry >= entries) bits::add(banks, d);
  }
  return banks;
}

bool SoftwareRfc::written(const Instruction& i, unsigned destination) {
  if (i.code->annotation == nullptr) return false;
  Entry* e = entry(i.warp_slot, i.code->annotation->write_to[destination]);
  if (e == nullptr || e->owner != i.sequence || warps_[i.warp_slot].uid != i.warp_uid) return false;
  e->version = !partial_safe_ || i.is_whole() ? i.result(destination) : merged(e->version, i, destination);
  e->valid = true;
  use_.written(e->unread);
  return true;
}

void SoftwareRfc::leave(unsigned warp_slot) {
  for (Entry& e : warps_[warp_slot].entries) empty(e);
}

void SoftwareRfcChoice::describe(ParameterVisitor& v) {
  v.field("lrf_entries", lrf_entries, {0, 8}, "entries", "entries of the last-result file per active warp");
}

void SoftwareRfcChoice::check(Checker& c) const {
  require_active_warps(c, "software_rfc");
  c.require(c.on("passes.strands"), "passes.strands", {"sub_core.operand_cache.kind"},
            "sub_core.operand_cache.kind 'software_rfc' keeps what the compiler has planned; expected "
            "passes.strands true");
  const std::uint64_t planned = c.whole("passes.orf_entries"), planned_lrf = c.whole("passes.lrf_entries");
  const std::uint64_t entries = c.whole("sub_core.operand_cache.entries");
  c.require(planned == entries && planned_lrf == lrf_entries, "sub_core.operand_cache.entries",
            {"sub_core.operand_cache.lrf_entries", "passes.orf_entries", "passes.lrf_entries"},
            "the compiler plans with " + std::to_string(planned) + " ORF and " + std::to_string(planned_lrf) +
                " LRF entries (passes.orf_entries, passes.lrf_entries), the cache has " +
                std::to_string(entries) + " and " + std::to_string(lrf_entries) +
                "; expected the same numbers");
  c.require(c.is("sub_core.scheduler.two_level.demotion", "strand_end"),
            "sub_core.scheduler.two_level.demotion", {"sub_core.operand_cache.kind"},
            "a warp that leaves inside a strand loses what sub_core.operand_cache.kind 'software_rfc' holds; "
            "expected strand_end");
}

std::unique_ptr<OperandCachePolicy> SoftwareRfcChoice::make(const OperandCacheParameters& p,
                                                            unsigned warp_slots) const {
  return std::make_unique<SoftwareRfc>(warp_slots, p.entries, lrf_entries, p.partial_write);
}

}  // namespace subcore
