#include <algorithm>
#include <map>

#include "subcore/model/passes/compiler_passes.h"

namespace subcore {
namespace {

constexpr std::uint32_t no_interval = ~std::uint32_t{0};

RegisterSet named(const StaticInstruction& s) {
  RegisterSet set;
  for (unsigned k = 0; k < s.source_count; ++k) set.set(s.sources[k]);
  for (unsigned k = 0; k < s.destination_count; ++k) set.set(s.destinations[k]);
  return set;
}

// Blocks and later intervals are numbered by their first position in the program order.
class IntervalFormer {
 public:
  IntervalFormer(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order,
                 std::size_t registers)
      : code_(code), order_(order), registers_(registers) {
    find_edges(profile.instructions());
    find_blocks();
  }

  void form() {
    grow();
    merge();
  }

  // The interval of each position, and the working sets by interval.
  std::vector<std::uint32_t> numbered(std::deque<RegisterSet>& sets) const {
    std::map<std::uint32_t, std::uint32_t> numbers;
    std::vector<std::uint32_t> result(block_.size());
    for (std::size_t at = 0; at < block_.size(); ++at) {
      const std::uint32_t interval = interval_[block_[at]];
      const auto [it, added] = numbers.try_emplace(interval, static_cast<std::uint32_t>(numbers.size()));
      if (added) sets.push_back(sets_[interval]);
      result[at] = it->second;
    }
    return result;
  }

 private:
  struct Block {
    RegisterSet registers;
    std::vector<std::uint32_t> predecessors, successors;  // blocks
    bool entry = false;
  };

  static void add_once(std::vector<std::uint32_t>& list, std::uint32_t value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  }

  // The control flow of lanes. Instructions that no lane ever ran are passed in a warp's order.
  void find_edges(const std::vector<InstructionProfile>& profiles) {
    const std::size_t count = order_.instructions.size();
    predecessors_.resize(count);
    successors_.resize(count);
    entry_.resize(count);
    const auto connect = [&](std::uint32_t from, std::uint32_t to) {
      add_once(successors_[from], to);
      add_once(predecessors_[to], from);
    };
    for (std::uint32_t i = 0; i < profiles.size(); ++i) {
      const std::uint32_t at = order_.position[i];
      entry_[at] = profiles[i].lane_entry || profiles[i].warp_entry;
      for (const std::uint32_t next : profiles[i].lane_successors) connect(at, order_.position[next]);
      for (const std::uint32_t next : profiles[i].warp_successors)
        if (profiles[next].runs == 0) connect(at, order_.position[next]);
    }
  }

  // Straight-line code, cut also where it names too many registers.
  void find_blocks() {
    const auto count = static_cast<std::uint32_t>(order_.instructions.size());
    for (std::uint32_t at = 0; at < count; ++at) {
      const RegisterSet needs = named(code_.instructions[order_.instructions[at]]);
      const bool continues = at > 0 && !entry_[at] &&
                             predecessors_[at] == std::vector<std::uint32_t>{at - 1} &&
                             successors_[at - 1] == std::vector<std::uint32_t>{at} &&
                             (blocks_.back().registers | needs).count() <= registers_;
      if (!continues) blocks_.emplace_back();
      blocks_.back().registers |= needs;
      if (entry_[at]) blocks_.back().entry = true;
      block_.push_back(static_cast<std::uint32_t>(blocks_.size() - 1));
    }
    for (std::uint32_t at = 0; at < count; ++at)
      for (const std::uint32_t to : successors_[at]) {
        if (block_[to] == block_[at] && to == at + 1) continue;
        add_once(blocks_[block_[at]].successors, block_[to]);
        add_once(blocks_[block_[to]].predecessors, block_[at]);
      }
    interval_.assign(blocks_.size(), no_interval);
    sets_.resize(blocks_.size());
  }

  // Pass 1: each header, in program order, grows an interval of the blocks that are reached only from inside
  // the interval.
  void grow() {
    std::vector<bool> header(blocks_.size());
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) header[b] = blocks_[b].entry;
    for (;;) {
      std::uint32_t next = no_interval;
      for (std::uint32_t b = 0; b < blocks_.size() && next == no_interval; ++b)
        if (header[b] && interval_[b] == no_interval) next = b;
      for (std::uint32_t b = 0; b < blocks_.size() && next == no_interval; ++b)
        if (interval_[b] == no_interval) next = b;
      if (next == no_interval) return;
      grow_from(next, header);
    }
  }

  void grow_from(std::uint32_t start, std::vector<bool>& header) {
    interval_[start] = start;
    sets_[start] = blocks_[start].registers;
    std::vector<std::uint32_t> open{start};
    while (!open.empty()) {
      const std::uint32_t from = open.back();
      open.pop_back();
      for (const std::uint32_t b : blocks_[from].successors) {
        if (interval_[b] != no_interval || header[b]) continue;
        const auto& before = blocks_[b].predecessors;
        if (!std::all_of(before.begin(), before.end(),
                         [&](std::uint32_t p) { return interval_[p] == start; }))
          continue;
        if ((sets_[start] | blocks_[b].registers).count() > registers_) continue;
        interval_[b] = start;
        sets_[start] |= blocks_[b].registers;
        open.push_back(b);
      }
    }
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      if (interval_[b] != start) continue;
      for (const std::uint32_t next : blocks_[b].successors)
        if (interval_[next] == no_interval) header[next] = true;
    }
  }

  // Pass 2: an interval with a single predecessor joins that predecessor, if both fit.
  void merge() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
        if (interval_[i] != i) continue;
        const std::uint32_t into = only_predecessor(i);
        if (into == no_interval || (sets_[into] | sets_[i]).count() > registers_) continue;
        sets_[into] |= sets_[i];
        std::replace(interval_.begin(), interval_.end(), i, into);
        changed = true;
      }
    }
  }

  std::uint32_t only_predecessor(std::uint32_t interval) const {
    std::uint32_t only = no_interval;
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      if (interval_[b] != interval) continue;
      if (blocks_[b].entry) return no_interval;
      for (const std::uint32_t p : blocks_[b].predecessors) {
        if (interval_[p] == interval || interval_[p] == only) continue;
        if (only != no_interval) return no_interval;
        only = interval_[p];
      }
    }
    return only;
  }

  const CodeTable& code_;
  const ProgramOrder& order_;
  std::size_t registers_;
  std::vector<std::vector<std::uint32_t>> predecessors_, successors_;  // by position
  std::vector<bool> entry_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_;     // block of each position
  std::vector<std::uint32_t> interval_;  // header block of the interval of each block
  std::vector<RegisterSet> sets_;        // by header block
};

}  // namespace

void form_intervals(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order,
                    std::uint32_t registers, std::deque<Annotation>& annotations,
                    std::deque<RegisterSet>& working_sets) {
  IntervalFormer former(code, profile, order, registers);
  former.form();
  const std::vector<std::uint32_t> numbers = former.numbered(working_sets);
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    Annotation& h = annotations[order.instructions[at]];
    h.interval = numbers[at];
    h.working_set = &working_sets[numbers[at]];
  }
}

}  // namespace subcore
