#include "subcore/model/policy/operand_cache/near.h"

#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/trace/program_order.h"

namespace subcore {
namespace {

// Whether some lanes of a near result complete a value of the register that the cache has, or will get.
bool is_completed(const Instruction& i, Register r) {
  for (unsigned d = 0; d < i.destination_count; ++d)
    if (i.destination(d) == r) return i.is_partial(d) && i.destination_is_near(d);
  return false;
}

}  // namespace

NearOperandCache::NearOperandCache(unsigned warp_slots, unsigned entries, NearScope scope)
    : scope_(scope), stores_(scope == NearScope::pool ? 1 : warp_slots, {std::vector<Entry>(entries)}) {}

NearOperandCache::Entry* NearOperandCache::find(const Instruction& i, Register r) {
  for (Entry& e : entries_of(i.warp_slot))
    if (e.state != State::empty && e.warp_uid == i.warp_uid && e.reg == r) return &e;
  return nullptr;
}

OperandCachePolicy::Lookup NearOperandCache::read(const Instruction& i, unsigned source) {
  Entry* e = find(i, i.source(source));
  // With a scoreboard, readers of an awaited result do not issue. Otherwise they read the bank.
  if (e == nullptr || e->state == State::awaits_result) return {};
  use_.read(e->unread);
  Lookup found{true, e->version, true};
  if (e->state == State::awaits_source) found.on_its_way = OperandOnItsWay{e->sequence, e->operand};
  return found;
}

// Everything has been looked up. Entries that were found are dealt with first, so that no miss replaces them.
void NearOperandCache::issued(const Instruction& i) {
  for_each_accumulator(*i.code, [&](Register r) {  // a warpgroup's product works on the banks
    if (Entry* e = find(i, r)) empty(*e);
  });
  SourceSet missing = 0;
  for (unsigned s = 0; s < i.source_count; ++s) {
    Entry* e = find(i, i.source(s));
    if (e == nullptr)
      bits::set(missing, s, i.source_is_near(s));
    else if (i.source_is_near(s) || is_completed(i, i.source(s)))
      e->use = ++clock_;
    else
      empty(*e);
  }
  for (const unsigned s : bits::each(missing)) {
    Entry& e = take(i, i.source(s));
    e.state = State::awaits_source;
    e.operand = static_cast<std::uint8_t>(s);
  }
  for (unsigned d = 0; d < i.destination_count; ++d) await_result(i, d);
  if (!i.followed) drop_all(i);
}

// Takes an entry for the instruction's warp and replaces the least recently used one.
NearOperandCache::Entry& NearOperandCache::take(const Instruction& i, Register r) {
  std::vector<Entry>& all = entries_of(i.warp_slot);
  Entry& e =
      *std::min_element(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.use < b.use; });
  taken_from_others_ += e.state != State::empty && e.warp_uid != i.warp_uid;
  empty(e);
  e.use = ++clock_;
  e.sequence = i.sequence;
  e.warp_uid = i.warp_uid;
  e.warp_slot = i.warp_slot;
  e.reg = r;
  return e;
}

void NearOperandCache::await_result(const Instruction& i, unsigned destination) {
  const Register r = i.destination(destination);
  Entry* e = find(i, r);
  const bool partial = i.is_partial(destination);
  // A result of some lanes needs the older value, which must be here or on its way to this instruction.
  const bool complete = e != nullptr && (e->state == State::filled ||
                                         (e->state == State::awaits_source && e->sequence == i.sequence));
  if (!i.destination_is_near(destination) || (partial && !complete)) {
    if (e != nullptr) empty(*e);
    return;
  }
  if (!partial) {
    if (e != nullptr) empty(*e);
    e = &take(i, r);
  }
  use_.gone(e->unread);
  e->use = ++clock_;
  e->sequence = i.sequence;
  e->operand = static_cast<std::uint8_t>(max_sources + destination);
  e->state = State::awaits_result;
  e->completes = partial;
}

bool NearOperandCache::filled(const Instruction& i, unsigned source, const Version& version) {
  Entry* e = find(i, i.source(source));
  if (e == nullptr || e->sequence != i.sequence) return false;
  if (e->state == State::awaits_source) {
    e->state = State::filled;
    e->version = version;
    return true;
  }
  // The instruction completes its own source.
  if (e->state != State::awaits_result || !e->completes) return false;
  e->version = version;
  return true;
}

bool NearOperandCache::written(const Instruction& i, unsigned destination) {
  Entry* e = find(i, i.destination(destination));
  if (e == nullptr || e->state != State::awaits_result || e->sequence != i.sequence) return false;
  e->version = e->completes ? merged(e->version, i, destination) : i.result_alone(destination);
  e->state = State::filled;
  e->completes = false;
  use_.written(e->unread);
  return true;
}

// The warp ends, and another warp gets its entries.
void NearOperandCache::drop_all(const Instruction& i) {
  for (Entry& e : entries_of(i.warp_slot))
    if (e.state != State::empty && e.warp_uid == i.warp_uid) empty(e);
}

void NearOperandCache::contents(unsigned warp_slot, std::vector<Kept>& kept) const {
  for (const Entry& e : stores_[store_of(warp_slot)].entries)
    if (e.state == State::filled && e.warp_slot == warp_slot) kept.push_back({e.reg, false});
}

void NearOperandCacheChoice::describe(ParameterVisitor& v) {
  v.choice("scope", scope, "entries of each warp, or one pool of them for all warps of a sub-core");
}

void NearOperandCacheChoice::check(Checker& c) const {
  require_all_warps(c, "near");
}

std::unique_ptr<OperandCachePolicy> NearOperandCacheChoice::make(const OperandCacheParameters& p,
                                                                 unsigned warp_slots) const {
  return std::make_unique<NearOperandCache>(warp_slots, p.entries, scope);
}

// An entry of a pool also has its warp's number.
void NearOperandCacheChoice::inventory(Inventory& list, std::uint32_t warps, std::uint32_t entries,
                                       std::uint32_t ports) const {
  OperandCacheChoice::inventory(list, warps, entries, ports);
  if (scope == NearScope::pool) list.add("warps", HardwareKind::tag, entries, width_of(warps));
}

}  // namespace subcore
