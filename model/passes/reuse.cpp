#include "subcore/model/passes/reuse.h"

#include <algorithm>
#include <limits>

#include "subcore/base/bits.h"

namespace subcore {
namespace {

constexpr std::uint64_t no_reuse =
    std::numeric_limits<std::uint64_t>::max();  // overwritten, or never read again

// Replays one warp's operands in program order. For every touch, finds how many instructions later the
// register is read next. `on_end(touch, distance)` is called once for each touch.
template <typename OnEnd>
void replay(const WarpTrace& warp, const CodeTable& code, OnEnd on_end) {
  std::array<OperandTouch, 256> last;
  std::array<bool, 256> touched{};
  const auto touch = [&](Register r, std::uint32_t record, std::uint32_t operand, bool reads) {
    if (touched[r]) on_end(last[r], reads ? record - last[r].record : no_reuse);
    touched[r] = true;
    last[r] = {record, operand};
  };
  // A warpgroup's product works on the banks.
  const auto end = [&](Register r) {
    if (touched[r]) on_end(last[r], no_reuse);
    touched[r] = false;
  };
  const auto count = static_cast<std::uint32_t>(warp.records.size());
  for (std::uint32_t ip = 0; ip < count; ++ip) {
    const StaticInstruction& s = code.instructions[warp.records[ip].code];
    // An instruction that is predicated off takes its place in the order, but usually touches nothing.
    if (!touches_operands(s, warp.records[ip].mask)) continue;
    for (std::uint32_t i = 0; i < s.source_count; ++i) touch(s.sources[i], ip, i, true);
    for (std::uint32_t i = 0; i < s.destination_count; ++i)
      touch(s.destinations[i], ip, max_sources + i, false);
    for_each_accumulator(s, end);
  }
  for (std::size_t r = 0; r < last.size(); ++r)
    if (touched[r]) on_end(last[r], no_reuse);
}

}  // namespace

void ReuseProfile::add(const WarpTrace& warp, const CodeTable& code) {
  votes_.resize(std::max(votes_.size(), code.instructions.size()));
  const auto vote = [&](OperandTouch t, bool is_near) {
    Vote& v = votes_[warp.records[t.record].code][t.operand];
    ++(is_near ? v.near : v.far);
  };
  if (options_.asks_store())
    run_belady(warp, code, options_.store, vote);
  else
    replay(warp, code,
           [&](OperandTouch t, std::uint64_t distance) { vote(t, distance <= options_.threshold); });
}

void ReuseProfile::put(std::string& out) const {
  put_bytes(out, votes_);
}

void ReuseProfile::take(ByteTaker& text) {
  votes_ = text.take_all<std::array<Vote, max_sources + max_destinations>>();
}

void ReuseProfile::apply(CodeTable& code) const {
  for (StaticInstruction& s : code.instructions) {
    s.source_near = s.destination_near = 0;
    for (unsigned i = 0; i < s.source_count; ++i) bits::set(s.source_near, i, vote(s, i).is_near());
    for (unsigned i = 0; i < s.destination_count; ++i)
      bits::set(s.destination_near, i, vote(s, max_sources + i).is_near());
  }
}

void annotate_dynamic(WarpTrace& warp, const CodeTable& code, const NearBitOptions& options) {
  warp.near.assign(warp.records.size(), 0);
  const auto mark = [&](OperandTouch t, bool is_near) {
    if (is_near) bits::add(warp.near[t.record], t.operand);
  };
  if (options.source == NearBitsSource::oracle)
    run_belady(warp, code, options.store, mark);
  else
    replay(warp, code,
           [&](OperandTouch t, std::uint64_t distance) { mark(t, distance <= options.threshold); });
}

std::vector<std::vector<NearBits>> shared_near_bits(const std::vector<WarpTrace>& warps,
                                                    const CodeTable& code, const KernelIssueOrder& order,
                                                    const WarpStore& store) {
  std::vector<std::vector<NearBits>> near(warps.size());
  for (std::size_t w = 0; w < warps.size(); ++w) near[w].assign(warps[w].records.size(), 0);
  constexpr std::uint32_t elsewhere = std::numeric_limits<std::uint32_t>::max();
  for (const std::vector<std::uint32_t>& issued : order.sub_cores) {
    std::vector<std::uint32_t> place(warps.size(), elsewhere), here, numbers;
    std::vector<const WarpTrace*> traces;
    here.reserve(issued.size());
    for (const std::uint32_t w : issued) {
      if (w >= warps.size()) refuse_order();
      if (place[w] == elsewhere) {
        place[w] = static_cast<std::uint32_t>(traces.size());
        traces.push_back(&warps[w]);
        numbers.push_back(w);
      }
      here.push_back(place[w]);
    }
    run_belady(traces, here, code, store, [&](std::uint32_t w, OperandTouch t, bool is_near) {
      if (is_near) bits::add(near[numbers[w]][t.record], t.operand);
    });
  }
  return near;
}

void ReuseHistogram::add(const WarpTrace& warp, const CodeTable& code) {
  replay(warp, code, [&](OperandTouch, std::uint64_t distance) {
    if (distance == no_reuse)
      ++never;
    else
      ++reuses[std::min<std::uint64_t>(distance, bins - 1)];
  });
}

std::uint64_t ReuseHistogram::total() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : reuses) sum += n;
  return sum;
}

double ReuseHistogram::share_beyond(unsigned distance) const {
  const std::uint64_t all = total();
  std::uint64_t beyond = 0;
  for (unsigned d = distance + 1; d < bins; ++d) beyond += reuses[d];
  return all == 0 ? 0.0 : static_cast<double>(beyond) / static_cast<double>(all);
}

}  // namespace subcore
