#include "subcore/model/passes/belady.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "subcore/model/passes/issue_order.h"

namespace subcore {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

// Where each operand of a warp is read next. Operands are numbered in order: sources and then destinations of
// each instruction that touches any.
class NextReads {
 public:
  NextReads(const WarpTrace& warp, const CodeTable& code) : first_(warp.records.size() + 1) {
    number(warp, code);
    look_back(warp, code);
  }
  // The number of a record's first operand. A record without operands has the next record's number.
  std::uint32_t first(std::size_t record) const { return first_[record]; }
  // The record that reads the operand's value next, or never.
  std::uint32_t next(std::uint32_t operand) const { return next_[operand]; }
  // Whether a result leaves lanes of an older value that is still needed.
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
      const StaticInstruction& s = code.instructions[warp.records[r].code];
      if (!touches_operands(s, warp.records[r].mask)) continue;
      for_each_accumulator(s, [&](Register a) { reads[a] = never; });  // accumulators stay in the banks
      for (unsigned d = s.destination_count; d-- > 0;) {
        const std::uint32_t operand = first_[r] + s.source_count + d;
        std::uint32_t& read = reads[s.destinations[d]];
        next_[operand] = read;
        // A result that completes an entry counts as a read of the entry, if the register is read later.
        if (!completes_[operand])
          read = never;
        else if (read != never)
          read = r;
      }
      // Each register is among the sources once at most.
      for (unsigned i = 0; i < s.source_count; ++i) {
        // Here `reads` still holds the next read behind the instruction: never, if the instruction overwrites
        // the register.
        next_[first_[r] + i] = reads[s.sources[i]];
        reads[s.sources[i]] = r;
      }
    }
  }

  std::vector<std::uint32_t> first_, next_;
  std::vector<bool> completes_;
};

// A warp among those that share a store, and the positions of its instructions in the common order.
class Sharer {
 public:
  Sharer(const WarpTrace& warp, const CodeTable& code)
      : reads(warp, code), warp_(warp), code_(code), positions_(warp.records.size(), never) {}

  // The next record that touches operands, or the number of records if there is none.
  std::uint32_t next() {
    while (next_ < positions_.size() &&
           !touches_operands(code_.instructions[warp_.records[next_].code], warp_.records[next_].mask))
      ++next_;
    return next_;
  }
  bool has_next() { return next() != positions_.size(); }
  std::uint32_t take_next() {
    const std::uint32_t record = next();
    ++next_;
    return record;
  }
  void place_next(std::uint32_t position) { positions_[take_next()] = position; }
  void begin_again() { next_ = 0; }
  // The position of the instruction that reads the operand's value next, or never.
  std::uint32_t next_position(std::uint32_t operand) const {
    const std::uint32_t record = reads.next(operand);
    return record == never ? never : positions_[record];
  }

  const NextReads reads;

 private:
  const WarpTrace& warp_;
  const CodeTable& code_;
  std::vector<std::uint32_t> positions_;  // by record
  std::uint32_t next_ = 0;
};

using OnEnd = std::function<void(std::uint32_t warp, OperandTouch, bool kept)>;

class BeladyStore {
 public:
  BeladyStore(const WarpStore& store, const OnEnd& on_end) : store_(store), on_end_(on_end) {}

  // Removes the warp's register, if it is there. `kept`: its value was read.
  bool take(std::uint32_t warp, Register r, bool kept) {
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [&](const Kept& k) { return k.register_number == r && k.warp == warp; });
    if (found == kept_.end()) return false;
    on_end_(warp, found->touch, kept);
    kept_.erase(found);
    return true;
  }
  // `next` is the position of the instruction that reads the value.
  void enter(std::uint32_t warp, Register r, std::uint32_t next, OperandTouch touch, bool must) {
    if (next == never) return on_end_(warp, touch, false);
    if (kept_.size() == store_.entries) {
      const auto farthest = std::max_element(kept_.begin(), kept_.end(),
                                             [](const Kept& a, const Kept& b) { return a.next < b.next; });
      if (!must && farthest->next <= next) return on_end_(warp, touch, false);
      on_end_(farthest->warp, farthest->touch, false);
      kept_.erase(farthest);
    }
    kept_.push_back({r, warp, next, touch});
  }
  void end() {
    for (const Kept& k : kept_) on_end_(k.warp, k.touch, false);
  }

 private:
  struct Kept {
    Register register_number;
    std::uint32_t warp;
    std::uint32_t next;  // the position of the next reader
    OperandTouch touch;  // the operand that brought the value
  };

  const WarpStore& store_;
  const OnEnd& on_end_;
  std::vector<Kept> kept_;
};

// Gives every instruction of every warp its position.
void place_all(std::vector<Sharer>& warps, const std::vector<std::uint32_t>& order) {
  for (std::uint32_t n = 0; n < order.size(); ++n) {
    if (order[n] >= warps.size() || !warps[order[n]].has_next()) refuse_order();
    warps[order[n]].place_next(n);
  }
  for (Sharer& w : warps) {
    if (w.has_next()) refuse_order();
    w.begin_again();
  }
}

}  // namespace

std::uint64_t run_belady(const std::vector<const WarpTrace*>& traces, const std::vector<std::uint32_t>& order,
                         const CodeTable& code, const WarpStore& store, const OnEnd& on_end) {
  std::vector<Sharer> warps;
  warps.reserve(traces.size());
  for (const WarpTrace* w : traces) warps.emplace_back(*w, code);
  place_all(warps, order);
  BeladyStore kept(store, on_end);
  std::uint64_t hits = 0;
  for (const std::uint32_t w : order) {
    Sharer& warp = warps[w];
    const std::uint32_t r = warp.take_next();
    const StaticInstruction& s = code.instructions[traces[w]->records[r].code];
    for (unsigned i = 0; i < s.source_count; ++i) hits += kept.take(w, s.sources[i], true);
    const std::uint32_t first = warp.reads.first(r);
    for (std::uint32_t i = 0; i < s.source_count; ++i)
      kept.enter(w, s.sources[i], warp.next_position(first + i), {r, i}, store.takes_all_sources);
    for (std::uint32_t d = 0; d < s.destination_count; ++d) {
      const std::uint32_t operand = first + s.source_count + d;
      const OperandTouch touch{r, max_sources + d};
      const bool completes = warp.reads.completes(operand);
      const bool was_there = kept.take(w, s.destinations[d], completes);
      if (completes && !was_there)
        on_end(w, touch, false);
      else
        kept.enter(w, s.destinations[d], warp.next_position(operand), touch, false);
    }
  }
  kept.end();
  return hits;
}

std::uint64_t run_belady(const WarpTrace& warp, const CodeTable& code, const WarpStore& store,
                         const std::function<void(OperandTouch, bool kept)>& on_end) {
  const auto touching = std::count_if(warp.records.begin(), warp.records.end(), [&](const TraceRecord& r) {
    return touches_operands(code.instructions[r.code], r.mask);
  });
  return run_belady({&warp}, std::vector<std::uint32_t>(static_cast<std::size_t>(touching), 0), code, store,
                    [&](std::uint32_t, OperandTouch t, bool kept) { on_end(t, kept); });
}

}  // namespace subcore
