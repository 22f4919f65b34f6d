#include "model/policy/interval_partition.h"

namespace subcore {

IntervalPartition::IntervalPartition(unsigned warp_slots, bool live_only, PartialWrite partial_write)
    : warps_(warp_slots), live_only_(live_only), partial_safe_(partial_write == PartialWrite::safe) {}

OperandCachePolicy::Lookup IntervalPartition::read(const Instruction& i, unsigned source) {
  const Warp& w = warps_[i.warp_slot];
  const Register r = i.source(source);
  if (!w.valid[r]) return {false, 0, false};
  return {true, w.version[r], false};
}

// What is live before an instruction, and what it writes, is all that can be live after it.
void IntervalPartition::issued(const Instruction& i) {
  if (!live_only_ || i.code->hints == nullptr) return;
  Warp& w = warps_[i.warp_slot];
  w.live = i.code->hints->live_in;
  for (unsigned d = 0; d < i.code->destination_count; ++d) w.live.set(i.destination(d));
}

// The compiler that knows what is live also knows when nobody needs the lanes that a result leaves out.
bool IntervalPartition::merges(const Instruction& i, unsigned destination) const {
  return partial_safe_ && (live_only_ ? i.is_partial(destination) : !i.is_whole());
}

std::uint8_t IntervalPartition::to_banks(const Instruction& i) const {
  const Warp& w = warps_[i.warp_slot];
  std::uint8_t banks = 0;
  for (unsigned d = 0; d < i.destination_count; ++d) {
    if (merges(i, d) || !w.members[i.destination(d)]) banks = static_cast<std::uint8_t>(banks | 1u << d);
  }
  return banks;
}

bool IntervalPartition::written(const Instruction& i, unsigned destination) {
  Warp& w = warps_[i.warp_slot];
  const Register r = i.destination(destination);
  if (!w.members[r]) return false;
  if (merges(i, destination) && !w.valid[r]) {
    // The other lanes are on their way here and may be older than what the banks are about to have: give the
    // place up, and leave the register to the banks.
    w.members.reset(r);
    return false;
  }
  w.version[r] = i.produced[destination];
  w.valid.set(r);
  w.dirty.set(r);
  return true;
}

void IntervalPartition::drop(unsigned warp_slot, RegisterSet leaving, const RegisterSet& live) {
  Warp& w = warps_[warp_slot];
  RegisterSet back = leaving & w.dirty;
  if (live_only_) back &= live;
  for (unsigned r = 0; r < back.size(); ++r) {
    if (back[r])
      dirty_.push_back({static_cast<std::uint16_t>(warp_slot), static_cast<Register>(r), w.version[r]});
  }
  w.members &= ~leaving;
  w.valid &= ~leaving;
  w.dirty &= ~leaving;
}

void IntervalPartition::enter(unsigned warp_slot, const Instruction& next, std::vector<Register>& missing) {
  Warp& w = warps_[warp_slot];
  const CompilerHints* h = next.code->hints;
  if (h == nullptr || h->working_set == nullptr) return;
  drop(warp_slot, w.members & ~*h->working_set, h->live_in);
  w.members = *h->working_set;
  RegisterSet wanted = w.members & ~w.valid;
  if (live_only_) wanted &= h->live_in;
  for (unsigned r = 0; r < wanted.size(); ++r) {
    if (wanted[r]) missing.push_back(static_cast<Register>(r));
  }
}

// A result that came in the meantime is newer.
void IntervalPartition::fetched(unsigned warp_slot, Register reg, Version version) {
  Warp& w = warps_[warp_slot];
  if (!w.members[reg] || w.valid[reg]) return;
  w.version[reg] = version;
  w.valid.set(reg);
}

void IntervalPartition::leave(unsigned warp_slot) {
  drop(warp_slot, warps_[warp_slot].members, warps_[warp_slot].live);
}

}  // namespace subcore
