#include "subcore/model/passes/belady.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace subcore {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

// Where each operand of a warp is read next, by the operands' order: sources and then destinations of each
// instruction that touches any.
class NextReads {
 public:
  NextReads(const WarpTrace& warp, const CodeTable& code) : first_(warp.records.size() + 1) {
    number(warp, code);
    look_back(warp, code);
  }
  // The number of the first operand of a record; that of the record behind it, if it has none.
  std::uint32_t first(std::size_t record) const { return first_[record]; }
  bool has_operands(std::size_t record) const { return first_[record] != first_[record + 1]; }
  // The record that reads the operand's value next, or never.
  std::uint32_t next(std::uint32_t operand) const { return next_[operand]; }
  // Whether a result leaves lanes of an older value that is needed.
  bool completes(std::uint32_t operand) const { return completes_[operand]; }

 private:
  void number(const WarpTrace& warp, const CodeTable& code) {
    std::array<bool, 256> written{};
    std::uint32_t lanes = warp.lanes, operands = 0;
    for (std::size_t r = 0; r < warp.records.size(); ++r) {
      first_[r] = operands;
      const TraceRecord& record = warp.records[r];
      const StaticInstruction& s = code.instructions[record.code];
      if (touches_operands(s, record.mask)) {
        operands += s.source_count + s.destination_count;
        completes_.resize(operands, false);
        for (unsigned d = 0; d < s.destination_count; ++d) {
          bool& before = written[s.destinations[d]];
          completes_[first_[r] + s.source_count + d] = (lanes & ~record.mask) != 0 && before;
          before = true;
        }
      }
      lanes = lanes_left(lanes, s, record.mask);
    }
    first_.back() = operands;
  }

  void look_back(const WarpTrace& warp, const CodeTable& code) {
    next_.assign(first_.back(), never);
    std::array<std::uint32_t, 256> reads;
    reads.fill(never);
    for (auto r = static_cast<std::uint32_t>(warp.records.size()); r-- > 0;) {
      if (!has_operands(r)) continue;
      const StaticInstruction& s = code.instructions[warp.records[r].code];
      for_each_accumulator(s, [&](Register a) { reads[a] = never; });  // these stay in the banks
      for (unsigned d = s.destination_count; d-- > 0;) {
        const std::uint32_t operand = first_[r] + s.source_count + d;
        std::uint32_t& read = reads[s.destinations[d]];
        next_[operand] = read;
        // A result that completes an entry reads it, if the register is read later.
        if (!completes_[operand])
          read = never;
        else if (read != never)
          read = r;
      }
      // No register is among the sources twice.
      for (unsigned i = 0; i < s.source_count; ++i) {
        // Up to here `reads` is that behind the instruction: never, if this writes the register itself.
        next_[first_[r] + i] = reads[s.sources[i]];
        reads[s.sources[i]] = r;
      }
    }
  }

  std::vector<std::uint32_t> first_, next_;
  std::vector<bool> completes_;
};

class BeladyStore {
 public:
  BeladyStore(const WarpStore& store, const NextReads& reads,
              const std::function<void(OperandTouch, bool kept)>& on_end)
      : store_(store), reads_(reads), on_end_(on_end) {}

  // Takes the register out, if it is there; `kept`: its value was read.
  bool take(Register r, bool kept) {
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.register_number == r; });
    if (found == kept_.end()) return false;
    on_end_(found->touch, kept);
    kept_.erase(found);
    return true;
  }
  void enter(Register r, std::uint32_t operand, OperandTouch touch, bool must) {
    const std::uint32_t next = reads_.next(operand);
    if (next == never) return on_end_(touch, false);
    if (kept_.size() == store_.entries) {
      const auto farthest = std::max_element(kept_.begin(), kept_.end(),
                                             [](const Kept& a, const Kept& b) { return a.next < b.next; });
      if (!must && farthest->next <= next) return on_end_(touch, false);
      on_end_(farthest->touch, false);
      kept_.erase(farthest);
    }
    kept_.push_back({r, next, touch});
  }
  void end() {
    for (const Kept& k : kept_) on_end_(k.touch, false);
  }

 private:
  struct Kept {
    Register register_number;
    std::uint32_t next;  // the record that reads it
    OperandTouch touch;  // what brought it
  };

  const WarpStore& store_;
  const NextReads& reads_;
  const std::function<void(OperandTouch, bool kept)>& on_end_;
  std::vector<Kept> kept_;
};

}  // namespace

std::uint64_t run_belady(const WarpTrace& warp, const CodeTable& code, const WarpStore& store,
                         const std::function<void(OperandTouch, bool kept)>& on_end) {
  const NextReads reads(warp, code);
  BeladyStore kept(store, reads, on_end);
  std::uint64_t hits = 0;
  for (std::uint32_t r = 0; r < warp.records.size(); ++r) {
    if (!reads.has_operands(r)) continue;
    const StaticInstruction& s = code.instructions[warp.records[r].code];
    for (unsigned i = 0; i < s.source_count; ++i) hits += kept.take(s.sources[i], true);
    for_each_accumulator(s, [&](Register a) { kept.take(a, false); });
    for (std::uint32_t i = 0; i < s.source_count; ++i)
      kept.enter(s.sources[i], reads.first(r) + i, {r, i}, store.takes_all_sources);
    for (std::uint32_t d = 0; d < s.destination_count; ++d) {
      const std::uint32_t operand = reads.first(r) + s.source_count + d;
      const OperandTouch touch{r, max_sources + d};
      const bool was_there = kept.take(s.destinations[d], reads.completes(operand));
      if (reads.completes(operand) && !was_there)
        on_end(touch, false);
      else
        kept.enter(s.destinations[d], operand, touch, false);
    }
  }
  kept.end();
  return hits;
}

}  // namespace subcore
