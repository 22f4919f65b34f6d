// The meaning of opcodes for bulk copies (cp.async.bulk and TMA, of sm_90) and for barriers in shared memory
// (mbarriers).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// Whether an architecture's SMs have a copy engine.
constexpr bool has_bulk_copies(unsigned architecture) {
  return architecture >= 90;
}

// The opcode's part in bulk copies and mbarriers.
AsyncStep async_step_of(std::string_view opcode);

// Notes the instruction's part, for a machine with a copy engine. On such a machine a bulk copy goes through
// the load/store unit. A bulk copy that reads shared memory counts in a group, as LDGSTS does. UTMACMDFLUSH
// ends the group, and DEPBAR.LE waits for it.
void set_async_step(StaticInstruction& s, std::string_view opcode);

// The effect of SYNCS or ARRIVES on an mbarrier.
struct MbarrierEffect {
  bool told = false;          // false: the trace does not tell the other members
  std::uint32_t threads = 0;  // init: threads whose arrivals a phase waits for; else threads that arrive
  std::int64_t bytes = 0;     // above 0: expected bytes; below 0: bytes that have come
  bool parity = false;        // init: parity of the first phase; check: of the phase that is asked for
};
// The effect by `lanes` of the instruction's lanes. `record` may be null for an arrival behind copies.
MbarrierEffect mbarrier_effect(const StaticInstruction& s, const AsyncRecord* record, unsigned lanes);

// The address within a CTA's own shared memory, which has 16 MiB of addresses at most. Higher bits number the
// CTAs of a cluster.
constexpr std::uint32_t in_own_cta(std::uint64_t shared_address) {
  return static_cast<std::uint32_t>(shared_address & 0xffffff);
}

// The parity of the phase that SYNCS.PHASECHK asks for, from the instruction's value.
constexpr bool asked_parity(std::uint64_t value) {
  return (value >> 31 & 1) != 0;
}

// The arrivals that an mbarrier waits for, from the value that SYNCS.EXCH.64 gives it. The value counts up to
// 0, from bit 1 of its lower word on.
constexpr std::uint32_t initial_arrivals(std::uint64_t value) {
  return (0x200000u - static_cast<std::uint32_t>(value & 0x1fffffu)) / 2 & 0xfffffu;
}

}  // namespace subcore
