#include "subcore/model/isa/bulk_copies.h"

#include "subcore/base/bits.h"
#include "subcore/model/isa/opcodes.h"

namespace subcore {
namespace {

AsyncStep syncs_step(std::string_view opcode) {
  return has_modifier(opcode, "EXCH")       ? AsyncStep::init
         : has_modifier(opcode, "ARRIVE")   ? AsyncStep::arrive
         : has_modifier(opcode, "PHASECHK") ? AsyncStep::check
                                            : AsyncStep::none;
}

// Modifiers say what is counted. A1TR, one arrival and bytes by a register, is the default and is left out.
MbarrierCounts counts_of(std::string_view opcode) {
  MbarrierCounts c{CountBy::one, CountBy::value, false, has_modifier(opcode, "OPTOUT")};
  if (has_modifier(opcode, "A1T0")) c.bytes = CountBy::nothing;
  if (has_modifier(opcode, "ART0")) c = {CountBy::value, CountBy::nothing, false, c.drops};
  if (has_modifier(opcode, "A0TR")) c.arrivals = CountBy::nothing;
  if (has_modifier(opcode, "A0T1")) c = {CountBy::nothing, CountBy::one, false, false};
  if (has_modifier(opcode, "A0TX")) c = {CountBy::nothing, CountBy::value, true, false};
  return c;
}

}  // namespace

AsyncStep async_step_of(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  if (base == "SYNCS") return syncs_step(opcode);
  if (base == "ARRIVES") return AsyncStep::arrive_behind_copies;
  if (base == "UTMALDG") return AsyncStep::load;
  if (base == "UTMASTG") return AsyncStep::store;
  if (base == "UTMAREDG" || base == "UBLKRED") return AsyncStep::reduce;
  if (base == "UTMAPF" || base == "UBLKPF") return AsyncStep::prefetch;
  // The memory that is written comes first in the opcode.
  if (base == "UBLKCP") return opcode.substr(0, 8) == "UBLKCP.G" ? AsyncStep::store : AsyncStep::load;
  return AsyncStep::none;
}

void set_async_step(StaticInstruction& s, std::string_view opcode) {
  s.async = async_step_of(opcode);
  if (is_bulk_copy(s.async)) s.execution = ExecutionClass::load_store;
  if (s.async == AsyncStep::store || s.async == AsyncStep::reduce) s.copies = CopyStep::copy;
  if (base_of(opcode) == "UTMACMDFLUSH") s.copies = CopyStep::end_group;
  if (s.async == AsyncStep::arrive) s.counts = counts_of(opcode);
  // A copy to shared memory counts as a byte if an earlier arrival has said so (A0T1).
  if (s.async == AsyncStep::arrive_behind_copies)
    s.counts = has_modifier(opcode, "TRANSCNT")
                   ? MbarrierCounts{CountBy::nothing, CountBy::one, true, false}
                   : MbarrierCounts{CountBy::one, CountBy::nothing, false, false};
}

MbarrierEffect mbarrier_effect(const StaticInstruction& s, const AsyncRecord* record, unsigned lanes) {
  constexpr unsigned first_parity = 63;
  const bool has_value = s.async != AsyncStep::arrive_behind_copies && record->has_value;
  const std::uint64_t value = has_value ? record->value : 0;
  if (s.async == AsyncStep::init)
    return {has_value, initial_arrivals(value), 0, bits::has(value, first_parity)};
  if (s.async == AsyncStep::check) return {has_value, 0, 0, asked_parity(value)};
  const auto count = [&](CountBy by) -> std::uint32_t {
    if (by == CountBy::nothing) return 0;
    return lanes * (by == CountBy::one ? 1 : static_cast<std::uint32_t>(value));
  };
  const bool needs_value = s.counts.arrivals == CountBy::value || s.counts.bytes == CountBy::value;
  const std::int64_t bytes = count(s.counts.bytes);
  return {has_value || !needs_value, count(s.counts.arrivals), s.counts.completes ? -bytes : bytes, false};
}

}  // namespace subcore
