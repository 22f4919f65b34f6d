#include "subcore/model/passes/kernel_profile.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "subcore/base/bits.h"

namespace subcore {
namespace {

void add_edge(std::vector<std::uint32_t>& successors, std::uint32_t to) {
  if (std::find(successors.begin(), successors.end(), to) == successors.end()) successors.push_back(to);
}

}  // namespace

void KernelProfile::add(const WarpTrace& warp, const CodeTable& code) {
  instructions_.resize(std::max(instructions_.size(), code.instructions.size()));
  if (warp.records.empty()) return;
  follow_warp(warp);
  follow_lanes(warp);
  follow_exits(warp, code);
  look_back(warp, code);
}

void KernelProfile::follow_warp(const WarpTrace& warp) {
  std::uint32_t last = warp.records.front().code;
  instructions_[last].warp_entry = true;
  for (std::size_t i = 1; i < warp.records.size(); ++i) {
    const std::uint32_t next = warp.records[i].code;
    add_edge(instructions_[last].warp_successors, next);
    last = next;
  }
}

void KernelProfile::follow_lanes(const WarpTrace& warp) {
  groups_.clear();
  std::uint32_t started = 0;
  for (const TraceRecord& r : warp.records) {
    if (r.mask == 0) continue;
    if ((r.mask & ~started) != 0) instructions_[r.code].lane_entry = true;
    started |= r.mask;
    std::size_t kept = 0;
    for (LaneGroup& g : groups_) {
      if ((g.lanes & r.mask) != 0) add_edge(instructions_[g.at].lane_successors, r.code);
      g.lanes &= ~r.mask;
      if (g.lanes != 0) groups_[kept++] = g;
    }
    groups_.resize(kept);
    groups_.push_back({r.code, r.mask});
  }
}

void KernelProfile::follow_exits(const WarpTrace& warp, const CodeTable& code) {
  std::uint32_t live = warp.lanes;
  for (const TraceRecord& r : warp.records) {
    if (r.mask != 0 && (live & ~r.mask) != 0) instructions_[r.code].whole = false;
    live = lanes_left(live, code.instructions[r.code], r.mask);
  }
}

// Goes back from the warp's end, and knows for each register the lanes that will still read its value.
void KernelProfile::look_back(const WarpTrace& warp, const CodeTable& code) {
  std::array<std::uint32_t, 256> needed{};
  for (auto r = warp.records.rbegin(); r != warp.records.rend(); ++r) {
    InstructionProfile& p = instructions_[r->code];
    if (r->mask == 0) {
      p.off = true;
      continue;
    }
    ++p.runs;
    const StaticInstruction& s = code.instructions[r->code];
    for (unsigned k = 0; k < s.destination_count; ++k) {
      std::uint32_t& lanes = needed[s.destinations[k]];
      lanes &= ~r->mask;
      if (lanes != 0) bits::remove(p.ends_older, k);
    }
    for_each_accumulator(
        s, [&](Register a) { needed[a] = s.accumulators.read ? needed[a] | r->mask : needed[a] & ~r->mask; });
    for (unsigned k = 0; k < s.source_count; ++k) {
      std::uint32_t& lanes = needed[s.sources[k]];
      if ((lanes & ~r->mask) != 0) bits::remove(p.reads_for_all, k);
      lanes |= r->mask;
    }
  }
}

void KernelProfile::put(std::string& out) const {
  put_bytes(out, std::uint64_t{instructions_.size()});
  for (const InstructionProfile& p : instructions_) {
    put_bytes(out, p.runs);
    for (const bool flag : {p.off, p.whole, p.warp_entry, p.lane_entry}) put_bytes(out, flag);
    put_bytes(out, p.ends_older);
    put_bytes(out, p.reads_for_all);
    put_bytes(out, p.warp_successors);
    put_bytes(out, p.lane_successors);
  }
}

void KernelProfile::take(ByteTaker& text) {
  instructions_.resize(text.take_count());
  for (InstructionProfile& p : instructions_) {
    p.runs = text.take<std::uint64_t>();
    for (bool* flag : {&p.off, &p.whole, &p.warp_entry, &p.lane_entry})
      *flag = text.take<std::uint8_t>() != 0;
    p.ends_older = text.take<std::uint8_t>();
    p.reads_for_all = text.take<SourceSet>();
    p.warp_successors = text.take_all<std::uint32_t>();
    p.lane_successors = text.take_all<std::uint32_t>();
  }
}

ProgramOrder::ProgramOrder(const CodeTable& code)
    : instructions(code.instructions.size()), position(code.instructions.size()) {
  std::iota(instructions.begin(), instructions.end(), 0u);
  std::stable_sort(instructions.begin(), instructions.end(), [&](std::uint32_t a, std::uint32_t b) {
    return code.instructions[a].pc < code.instructions[b].pc;
  });
  for (std::uint32_t i = 0; i < instructions.size(); ++i) position[instructions[i]] = i;
}

}  // namespace subcore
