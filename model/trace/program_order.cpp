#include "subcore/model/trace/program_order.h"

#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/model/trace/trace.h"

namespace subcore {
namespace {

constexpr std::uint32_t all_lanes = ~0u;
constexpr std::int64_t window = 32;  // how many writes Version::missing can name

bool is_known(const ProgramPlace& at) {
  return at.warp != nullptr && at.code != nullptr;
}

// Whether the record writes `r`, by the rule by which the trace player counts writes.
bool writes(const ProgramPlace& at, const TraceRecord& record, Register r) {
  const StaticInstruction& s = at.code->instructions[record.code];
  return touches_operands(s, record.mask) && s.writes(r);
}

// Calls use(lanes) for the writes of `r` before `at`, the newest first, until it returns false.
template <class Use>
void each_before(const ProgramPlace& at, Register r, Use use) {
  for (std::uint64_t n = at.sequence; n > 0; --n) {
    const TraceRecord& record = at.warp->records[n - 1];
    if (writes(at, record, r) && !use(record.mask)) return;
  }
}

// Calls use(lanes) for the writes of `r` from record `first` on, the oldest first, until it returns false.
template <class Use>
void each_from(const ProgramPlace& at, std::uint64_t first, Register r, Use use) {
  for (std::uint64_t n = first; n < at.warp->records.size(); ++n) {
    const TraceRecord& record = at.warp->records[n];
    if (writes(at, record, r) && !use(record.mask)) return;
  }
}

// Whether the copy lacks the write that is `newer` writes older than v.write.
bool is_missing(const Version& v, std::int64_t newer) {
  return newer > 0 && newer <= window && bits::has(v.missing, static_cast<unsigned>(newer - 1));
}

std::int64_t distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::int32_t>(to - from);
}

// The version after a result that has overtaken `ahead` - 1 older results.
Version merged_early(const Version& old, const Version& result, std::uint32_t lanes, const ProgramPlace& at,
                     std::int64_t ahead) {
  Version v{result.write, old.lost & ~lanes, result.place, 0};
  const std::uint64_t between = ahead > window ? all_lanes : bits::first(static_cast<unsigned>(ahead - 1));
  const std::uint64_t older = ahead >= window ? 0 : std::uint64_t{old.missing} << ahead;
  v.missing = static_cast<std::uint32_t>(older | between);
  if (ahead - 1 <= window && older >> 32 == 0 && (ahead < window || old.missing == 0)) return v;
  // `missing` cannot name writes more than 32 back. Their lanes are lost until a late result comes.
  std::uint32_t covered = lanes;
  std::int64_t back = 0;
  each_before(at, static_cast<Register>(result.place), [&](std::uint32_t mask) {
    ++back;
    const bool missing = back < ahead || is_missing(old, back - ahead);
    if (!missing) covered |= mask;
    if (missing && back > window) v.lost |= mask & ~covered;
    return back < ahead + window;
  });
  return v;
}

// The version after a result that came behind younger results. In lanes that the younger results have
// written, their data are lost.
Version merged_late(const Version& old, const Version& result, std::uint32_t lanes, const ProgramPlace& at,
                    std::int64_t behind) {
  std::uint32_t lost = 0;
  std::int64_t left = behind;
  each_from(at, at.sequence + 1, static_cast<Register>(result.place), [&](std::uint32_t mask) {
    if (left == 0) return false;
    --left;
    if (!is_missing(old, left)) lost |= mask;
    return left > 0;
  });
  if (left > 0) lost = all_lanes;  // the remaining younger writes are the next warp's
  Version v = old;
  v.lost = (old.lost & ~lanes) | (lanes & lost);
  if (behind > 0 && behind <= window) bits::remove(v.missing, static_cast<unsigned>(behind - 1));
  return v;
}

}  // namespace

Version merged_in_any_order(const Version& old, const Version& result, std::uint32_t lanes,
                            const ProgramPlace& at) {
  if (old.write != 0 && old.place != result.place) return {result.write, ~lanes, result.place, 0};
  const std::int64_t ahead = distance(old.write, result.write);
  if (ahead == 1 && old.missing == 0) return {result.write, old.lost & ~lanes, result.place, 0};
  if (!is_known(at))
    return {ahead > 0 ? result.write : old.write, ahead > 0 ? ~lanes : all_lanes, result.place, 0};
  return ahead > 0 ? merged_early(old, result, lanes, at, ahead)
                   : merged_late(old, result, lanes, at, -ahead);
}

std::uint32_t wrong_lanes(const Instruction& i, Register r, std::uint32_t expected, const Version& found) {
  if (found.write != 0 && found.place != i.register_id(r)) return all_lanes;
  const ProgramPlace at = i.place();
  const std::int64_t older = distance(found.write, expected);
  if (older == 0 && found.missing == 0 && (found.lost & i.mask) == 0) return 0;
  if (!is_known(at)) return older == 0 && found.missing == 0 ? found.lost & i.mask : i.mask;
  std::uint32_t wrong = 0;
  if (older < 0) {
    std::int64_t left = -older;
    each_from(at, at.sequence, r, [&](std::uint32_t mask) {
      --left;
      if (!is_missing(found, left)) wrong |= mask;
      return left > 0;
    });
    if (left > 0) wrong = all_lanes;
  }
  // The newest write of a lane decides. A lane that the warp has not written may hold any older value.
  std::uint32_t undecided = i.mask & ~wrong;
  std::int64_t back = -older;  // how many writes the last write before the reader is older than the copy's
  each_before(at, r, [&](std::uint32_t mask) {
    if (back < 0 || is_missing(found, back)) wrong |= mask & undecided;
    wrong |= mask & undecided & found.lost;
    undecided &= ~mask;
    ++back;
    return undecided != 0 && (back <= window || (found.lost & undecided) != 0);
  });
  return wrong & i.mask;
}

}  // namespace subcore
