// Bulk copies (cp.async.bulk and TMA, of sm_90) and barriers in shared memory (mbarriers): what opcodes say
// of them.
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

// Notes the instruction's part, for a machine with a copy engine. A bulk copy goes by way of the load/store
// unit there. One that reads shared memory counts in a group like LDGSTS, which UTMACMDFLUSH ends and
// DEPBAR.LE waits for.
void set_async_step(StaticInstruction& s, std::string_view opcode);

// What SYNCS or ARRIVES does to an mbarrier.
struct MbarrierEffect {
  bool told = false;          // false: the trace does not tell the rest
  std::uint32_t threads = 0;  // init: whose arrivals a phase waits for; else those that arrive
  std::int64_t bytes = 0;     // expected; below 0: that have come
  bool parity = false;        // init: of the first phase; check: of the one that is asked for
};
// The effect by `lanes` of the instruction's lanes; `record` may be null of an arrival behind copies.
MbarrierEffect mbarrier_effect(const StaticInstruction& s, const AsyncRecord* record, unsigned lanes);

// The shared memory of a CTA is 16 MiB of addresses at most; what is above them numbers CTAs of a cluster.
constexpr std::uint32_t in_own_cta(std::uint64_t shared_address) {
  return static_cast<std::uint32_t>(shared_address & 0xffffff);
}

// The parity of the phase that SYNCS.PHASECHK asks for, by its value.
constexpr bool asked_parity(std::uint64_t value) {
  return (value >> 31 & 1) != 0;
}

// The arrivals that an mbarrier waits for, by the value that SYNCS.EXCH.64 gives it: it counts up to 0, from
// bit 1 of its lower word on.
constexpr std::uint32_t initial_arrivals(std::uint64_t value) {
  return (0x200000u - static_cast<std::uint32_t>(value & 0x1fffffu)) / 2 & 0xfffffu;
}

}  // namespace subcore
