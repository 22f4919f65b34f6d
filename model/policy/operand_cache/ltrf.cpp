#include "subcore/model/policy/operand_cache/ltrf.h"

#include "subcore/base/bits.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/trace/program_order.h"

namespace subcore {

Ltrf::Ltrf(unsigned warp_slots, bool live_only, PartialWrite partial_write)
    : warps_(warp_slots), live_only_(live_only), partial_safe_(partial_write == PartialWrite::safe) {}

OperandCachePolicy::Lookup Ltrf::read(const Instruction& i, unsigned source) {
  Warp& w = warps_[i.warp_slot];
  const Register r = i.source(source);
  if (!w.valid[r]) return {false, {}, false};
  use_.used += w.unread[r];
  w.unread.reset(r);
  return {true, w.version[r], false};
}

// A warpgroup's product works on the banks, and its end is not known here.
void Ltrf::note_accumulators(const Instruction& i) {
  Warp& w = warps_[i.warp_slot];
  if (w.uid != i.warp_uid) w.away.reset();
  w.uid = i.warp_uid;
  for (unsigned d = 0; w.away.any() && d < i.destination_count; ++d) w.away.reset(i.destination(d));
  if (i.code->warpgroup != WarpgroupStep::product) return;
  RegisterSet leaving;
  for_each_accumulator(*i.code, [&](Register r) { leaving.set(r); });
  drop(i.warp_slot, leaving, ~RegisterSet{});
  w.away |= leaving;
}

// The registers that are live behind an instruction are among those that were live before it and those that
// it writes.
void Ltrf::issued(const Instruction& i) {
  note_accumulators(i);
  if (!live_only_ || i.code->annotation == nullptr) return;
  Warp& w = warps_[i.warp_slot];
  w.live = i.code->annotation->live_in;
  for (unsigned d = 0; d < i.code->destination_count; ++d) w.live.set(i.destination(d));
}

// The compiler knows which registers are live, and also when no reader needs the lanes that a result leaves
// out.
bool Ltrf::merges(const Instruction& i, unsigned destination) const {
  return partial_safe_ && (live_only_ ? i.is_partial(destination) : !i.is_whole());
}

std::uint8_t Ltrf::to_banks(const Instruction& i) const {
  const Warp& w = warps_[i.warp_slot];
  std::uint8_t banks = 0;
  for (unsigned d = 0; d < i.destination_count; ++d) {
    if (merges(i, d) || !w.members[i.destination(d)]) bits::add(banks, d);
  }
  return banks;
}

bool Ltrf::written(const Instruction& i, unsigned destination) {
  Warp& w = warps_[i.warp_slot];
  const Register r = i.destination(destination);
  if (!w.members[r]) return false;
  if (merges(i, destination) && !w.valid[r]) {
    // The other lanes are on their way here and may be older than what the banks are about to have. Give the
    // place up, and leave the register to the banks.
    w.members.reset(r);
    return false;
  }
  if (!partial_safe_ || i.is_whole())
    w.version[r] = i.result(destination);
  else
    w.version[r] = w.valid[r] ? merged(w.version[r], i, destination) : i.result_alone(destination);
  w.valid.set(r);
  w.dirty.set(r);
  use_.unused += w.unread[r];
  w.unread.set(r);
  return true;
}

void Ltrf::drop(unsigned warp_slot, RegisterSet leaving, const RegisterSet& live) {
  Warp& w = warps_[warp_slot];
  RegisterSet back = leaving & w.dirty;
  if (live_only_) back &= live;
  for (unsigned r = 0; r < back.size(); ++r) {
    if (back[r])
      dirty_.push_back({static_cast<std::uint16_t>(warp_slot), static_cast<Register>(r), w.version[r]});
  }
  use_.unused += (w.unread & leaving).count();
  w.unread &= ~leaving;
  w.members &= ~leaving;
  w.valid &= ~leaving;
  w.dirty &= ~leaving;
}

void Ltrf::enter(unsigned warp_slot, const Instruction& next, std::vector<Register>& missing) {
  Warp& w = warps_[warp_slot];
  const Annotation* h = next.code->annotation;
  if (h == nullptr || h->working_set == nullptr) return;
  drop(warp_slot, w.members & ~*h->working_set, h->live_in);
  w.members = *h->working_set;
  if (w.uid == next.warp_uid) w.members &= ~w.away;
  RegisterSet wanted = w.members & ~w.valid;
  if (live_only_) wanted &= h->live_in;
  for (unsigned r = 0; r < wanted.size(); ++r) {
    if (wanted[r]) missing.push_back(static_cast<Register>(r));
  }
}

// A result that came in the meantime is newer.
void Ltrf::fetched(unsigned warp_slot, Register reg, const Version& version) {
  Warp& w = warps_[warp_slot];
  if (!w.members[reg] || w.valid[reg]) return;
  w.version[reg] = version;
  w.valid.set(reg);
}

void Ltrf::leave(unsigned warp_slot) {
  drop(warp_slot, warps_[warp_slot].members, warps_[warp_slot].live);
}

std::optional<std::uint64_t> Ltrf::unread() const {
  std::uint64_t n = 0;
  for (const Warp& w : warps_) n += w.unread.count();
  return n;
}

void LtrfChoice::describe(ParameterVisitor& v) {
  v.field("live_only", live_only,
          "neither fetch nor write back registers that no instruction will read (LTRF+)");
  v.field("prefetch_port", prefetch_width, {0, 64}, "operands/cycle",
          "width of the prefetch crossbar; 0 = one operand per bank");
}

void LtrfChoice::check(Checker& c) const {
  require_active_warps(c, "ltrf");
  c.require(c.on("passes.intervals"), "passes.intervals", {"sub_core.operand_cache.kind"},
            "sub_core.operand_cache.kind 'ltrf' fetches the registers of an interval; expected "
            "passes.intervals true");
  const std::uint64_t entries = c.whole("sub_core.operand_cache.entries");
  const std::uint64_t registers = c.whole("passes.interval_registers");
  c.require(registers <= entries, "sub_core.operand_cache.entries", {"passes.interval_registers"},
            std::to_string(entries) + " entries do not hold an interval of " + std::to_string(registers) +
                " registers (passes.interval_registers); expected at least as many entries as registers");
  c.require(!live_only || c.on("passes.liveness"), "passes.liveness", {"sub_core.operand_cache.live_only"},
            "sub_core.operand_cache.live_only asks for the compiler's liveness; expected passes.liveness "
            "true");
}

std::unique_ptr<OperandCachePolicy> LtrfChoice::make(const OperandCacheParameters& p,
                                                     unsigned warp_slots) const {
  return std::make_unique<Ltrf>(warp_slots, live_only, p.partial_write);
}

}  // namespace subcore
