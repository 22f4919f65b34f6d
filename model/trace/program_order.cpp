#include "model/trace/program_order.h"

#include <algorithm>

#include "model/trace/trace.h"

namespace subcore {
namespace {

constexpr std::uint32_t all_lanes = ~0u;
constexpr std::uint32_t every_write = ~0u;

// As the trace player counts writes.
bool writes(const ProgramPlace& at, const TraceRecord& record, Register r) {
  const StaticInstruction& s = at.code->instructions[record.code];
  if (!touches_operands(s, record.mask)) return false;
  const auto end = s.destinations.begin() + s.destination_count;
  return std::find(s.destinations.begin(), end, r) != end;
}

}  // namespace

std::uint32_t lanes_written_before(const ProgramPlace& at, Register r, std::uint32_t count) {
  if (count == 0) return 0;
  if (at.warp == nullptr || at.code == nullptr) return all_lanes;
  std::uint32_t lanes = 0;
  for (std::uint64_t n = at.sequence; n > 0 && count > 0; --n) {
    const TraceRecord& record = at.warp->records[n - 1];
    if (!writes(at, record, r)) continue;
    lanes |= record.mask;
    --count;
  }
  return lanes;
}

std::uint32_t lanes_written_from(const ProgramPlace& at, Register r, std::uint32_t count) {
  if (count == 0) return 0;
  if (at.warp == nullptr || at.code == nullptr) return all_lanes;
  std::uint32_t lanes = 0;
  for (std::uint64_t n = at.sequence; n < at.warp->records.size() && count > 0; ++n) {
    const TraceRecord& record = at.warp->records[n];
    if (!writes(at, record, r)) continue;
    lanes |= record.mask;
    --count;
  }
  return count > 0 ? all_lanes : lanes;  // what is left is another warp's
}

Version merged_in_any_order(const Version& old, const Version& result, std::uint32_t lanes,
                            const ProgramPlace& at) {
  if (old.write != 0 && old.place != result.place) return {result.write, ~lanes, result.place};
  const auto r = static_cast<Register>(result.place);
  const auto newer = static_cast<std::int32_t>(result.write - old.write);
  if (newer > 0) {
    const std::uint32_t between = lanes_written_before(at, r, static_cast<std::uint32_t>(newer - 1));
    return {result.write, (old.behind | between) & ~lanes, result.place};
  }
  // It comes behind younger ones: those that had written its lanes are lost there.
  ProgramPlace behind = at;
  ++behind.sequence;
  const std::uint32_t lost = lanes_written_from(behind, r, static_cast<std::uint32_t>(-newer));
  return {old.write, (old.behind & ~lanes) | (lanes & lost), result.place};
}

std::uint32_t wrong_lanes(const Instruction& i, unsigned s) {
  const Version& found = i.operands[s].collected;
  const Register r = i.source(s);
  if (found.write != 0 && found.place != i.place_of(r)) return all_lanes;
  const auto older = static_cast<std::int32_t>(i.operands[s].expected - found.write);
  std::uint32_t wrong = found.behind & i.mask;
  if (wrong != 0) wrong &= lanes_written_before(i.place(), r, every_write);
  if (older > 0) wrong |= lanes_written_before(i.place(), r, static_cast<std::uint32_t>(older));
  if (older < 0) wrong |= lanes_written_from(i.place(), r, static_cast<std::uint32_t>(-older));
  return wrong & i.mask;
}

}  // namespace subcore
