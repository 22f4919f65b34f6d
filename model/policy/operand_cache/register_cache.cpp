#include "subcore/model/policy/operand_cache/register_cache.h"

#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/trace/program_order.h"

namespace subcore {
namespace {

// The slot of a source: the first slot that names it. A source that the trace lists behind the slots is
// alone.
unsigned slot_of(const StaticInstruction& s, unsigned source) {
  return s.source_slots[source] != 0 ? bits::lowest(s.source_slots[source]) : operand_slots;
}

}  // namespace

RegisterCache::RegisterCache(unsigned warp_slots, const RegisterCacheParameters& p,
                             PartialWrite partial_write)
    : p_(p),
      ways_(p.ways_or_entries()),
      sets_(p.sets()),
      partial_safe_(partial_write == PartialWrite::safe),
      warps_(warp_slots) {
  for (Warp& w : warps_) w.entries.resize(p.entries);
}

// Another warp in the slot finds nothing, because the values of the previous warp are dead.
void RegisterCache::begin(const Instruction& i) {
  Warp& w = warps_[i.warp_slot];
  if (w.uid == i.warp_uid) return;
  w.uid = i.warp_uid;
  for (Entry& e : w.entries) empty(e);
}

unsigned RegisterCache::source_set(const Instruction& i, unsigned source) const {
  return slot_of(*i.code, source) % sets_;
}

unsigned RegisterCache::destination_set(Register r) const {
  return p_.map == DestinationMap::interleaved ? r % sets_ : r * sets_ / 256;
}

RegisterCache::Entry* RegisterCache::find(unsigned warp_slot, unsigned set, Register r) {
  Entry* first = &warps_[warp_slot].entries[std::size_t{set} * ways_];
  for (Entry* e = first; e != first + ways_; ++e) {
    if (e->age != 0 && e->tag == r) return e;
  }
  return nullptr;
}

void RegisterCache::write_back_copies(unsigned warp_slot, Register r) {
  for (Entry& e : warps_[warp_slot].entries) {
    if (e.age == 0 || e.tag != r || !e.dirty) continue;
    dirty_.push_back({static_cast<std::uint16_t>(warp_slot), r, e.version});
    e.dirty = false;
  }
}

OperandCachePolicy::Lookup RegisterCache::read(const Instruction& i, unsigned source) {
  begin(i);
  const Register r = i.source(source);
  if (Entry* e = find(i.warp_slot, source_set(i, source), r)) {
    if (p_.replacement == RegisterCacheReplacement::lru) e->age = ++clock_;
    use_.read(e->unread);
    return {true, e->version, true};
  }
  write_back_copies(i.warp_slot, r);
  return {};
}

// Some lanes of a result go to the banks, where the other lanes must be by then.
void RegisterCache::issued(const Instruction& i) {
  begin(i);
  // A warpgroup's product works on the banks.
  for_each_accumulator(*i.code, [&](Register r) {
    write_back_copies(i.warp_slot, r);
    for (Entry& e : warps_[i.warp_slot].entries)
      if (e.age != 0 && e.tag == r) empty(e);
  });
  for (unsigned d = 0; d < i.destination_count; ++d) {
    if (i.is_partial(d)) write_back_copies(i.warp_slot, i.destination(d));
  }
}

bool RegisterCache::filled(const Instruction& i, unsigned source, const Version& version) {
  if (warps_[i.warp_slot].uid != i.warp_uid) return false;
  switch (p_.allocation) {
    case RegisterCacheAllocation::read:
    case RegisterCacheAllocation::read_write:
      break;
    case RegisterCacheAllocation::compiler_aided:
      if (i.code->reused_slots(source) == 0) return false;
      break;
    case RegisterCacheAllocation::write:
    case RegisterCacheAllocation::look_ahead:
      return false;
  }
  put(i.warp_slot, source_set(i, source), i.source(source), version, false);
  return true;
}

std::uint8_t RegisterCache::to_banks(const Instruction& i) const {
  const bool through = p_.write == RegisterCacheWrite::write_through ||
                       p_.allocation == RegisterCacheAllocation::read || (partial_safe_ && !i.is_whole());
  return through ? 0xff : 0;
}

bool RegisterCache::written(const Instruction& i, unsigned destination) {
  Warp& w = warps_[i.warp_slot];
  if (w.uid != i.warp_uid) return false;  // the warp has left, and its value will not be read
  const bool through = to_banks(i) != 0;
  const Register r = i.destination(destination);
  const unsigned set = destination_set(r);
  const Entry* here = find(i.warp_slot, set, r);
  for (Entry& e : w.entries) {
    if (e.age != 0 && e.tag == r && &e != here) empty(e);
  }
  // A result of some live lanes completes an existing value, but makes no entry. Nor does any result in a
  // cache of reads.
  if (here == nullptr && (p_.allocation == RegisterCacheAllocation::read || (partial_safe_ && !i.is_whole())))
    return false;
  const bool whole = here == nullptr || !partial_safe_ || i.is_whole();
  const Version version = whole ? i.result(destination) : merged(here->version, i, destination);
  use_.written(put(i.warp_slot, set, r, version, !through).unread);
  return true;
}

RegisterCache::Entry& RegisterCache::put(unsigned warp_slot, unsigned set, Register r, const Version& version,
                                         bool dirty) {
  Entry* e = find(warp_slot, set, r);
  if (e == nullptr) {
    Entry* first = &warps_[warp_slot].entries[std::size_t{set} * ways_];
    e = std::min_element(first, first + ways_, [](const Entry& a, const Entry& b) { return a.age < b.age; });
    if (e->age != 0 && e->dirty)
      dirty_.push_back({static_cast<std::uint16_t>(warp_slot), e->tag, e->version});
    empty(*e);
    *e = {version, ++clock_, r, dirty};
    return *e;
  }
  e->version = version;
  e->dirty = dirty;
  if (p_.replacement == RegisterCacheReplacement::lru) e->age = ++clock_;
  return *e;
}

void RegisterCacheChoice::describe(ParameterVisitor& v) {
  v.field("ways", ways, {0, 64}, "ways", "associativity; 0 = full");
  v.choice("allocation", allocation,
           "operands that enter the cache: sources that miss, destinations, both, or destinations and "
           "sources with the compiler's reuse flag; look_ahead is only for cache-study");
  v.choice("destination_map", destination_map, "mapping of a destination register to a set");
  v.choice("replacement", replacement, "choice of the victim in a set");
  v.choice("write", write, "results stay in the cache until they leave it, or also go to the banks at once");
}

void RegisterCacheChoice::check(Checker& c) const {
  const std::string problem =
      problem_of(parameters(static_cast<std::uint32_t>(c.whole("sub_core.operand_cache.entries"))));
  c.require(problem.empty(), "sub_core.operand_cache.ways", {"sub_core.operand_cache.entries"}, problem);
  c.require(allocation != RegisterCacheAllocation::look_ahead, "sub_core.operand_cache.allocation", {},
            "'look_ahead' needs instructions that are not fetched yet; expected read, write, read_write or "
            "compiler_aided (only subcore cache-study has look_ahead)");
  require_all_warps(c, "register_cache");
}

RegisterCacheParameters RegisterCacheChoice::parameters(std::uint32_t entries) const {
  RegisterCacheParameters p;
  p.entries = entries;
  p.ways = ways;
  p.allocation = allocation;
  p.map = destination_map;
  p.replacement = replacement;
  p.write = write;
  return p;
}

std::unique_ptr<OperandCachePolicy> RegisterCacheChoice::make(const OperandCacheParameters& p,
                                                              unsigned warp_slots) const {
  return std::make_unique<RegisterCache>(warp_slots, parameters(p.entries), p.partial_write);
}

}  // namespace subcore
