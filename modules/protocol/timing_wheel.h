// TimingWheel: records who wants to be called in which cycle, in a ring of bit rows for the near future and a
// heap for the rest. Each wake is kept by its target cycle. So a wake from a foreign process is not lost,
// even if the pass of the same cycle is due or already over.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/modules/protocol/cycle.h"

namespace subcore {

// All members that a wake needs are in one line of a cache.
class alignas(64) TimingWheel {
 public:
  virtual ~TimingWheel() = default;

  // Asks for a call of `position` in cycle `at`, or in the first cycle that has not begun, if that is later.
  void wake(unsigned position, Cycle at) {
    if (at < soon_) {
      bits::add(next_row_[position / 64 * rows], position % 64);
    } else {
      wake_later(position, std::max(at, open_));
    }
  }
  // Takes back all that `position` has asked for. Only from within a pass, so that the plan of the next pass
  // takes account of it.
  void forget(unsigned position) {
    for (unsigned row = 0; row < rows; ++row) {
      bits::remove(ring_[position / 64 * rows + row], position % 64);
      std::uint64_t left = 0;
      for (unsigned w = 0; w < words_; ++w) left |= ring_[w * rows + row];
      if (left == 0) bits::remove(occupied_, row);
    }
    decltype(far_) kept;
    for (; !far_.empty(); far_.pop()) {
      if (far_.top().position != position) kept.push(far_.top());
    }
    far_ = std::move(kept);
  }
  // The cycle of the current simulation time.
  virtual Cycle present() const = 0;
  // Whether the pass of `cycle` has begun, or is over.
  bool begun(Cycle cycle) const { return cycle < open_; }

 protected:
  static constexpr unsigned rows = 64;  // each row has a bit in occupied_

  // Called when a wake comes while no pass is running.
  virtual void wake_outside(Cycle at) = 0;

  void resize(unsigned positions) {
    words_ = (positions + 63) / 64;
    ring_.assign(std::size_t{words_} * rows, 0);
  }
  // Opens the pass of `cycle`. take() then tells which positions are awake in it.
  void begin(Cycle cycle) {
    cycle_ = cycle;
    open_ = cycle + 1;
    while (!far_.empty() && far_.top().at - cycle_ < rows - 1) {
      mark(far_.top().position, far_.top().at);
      far_.pop();
    }
    bits::remove(occupied_, cycle_ % rows);
    soon_ = open_ + 1;
    next_row_ = &ring_[open_ % rows];
  }
  // The n-th 64 positions that are awake in this pass, taken once. No wake can ask for this row during the
  // pass.
  std::uint64_t take(unsigned n) {
    std::uint64_t& word = ring_[n * rows + cycle_ % rows];
    const std::uint64_t bits = word;
    word = 0;
    return bits;
  }
  unsigned words() const { return words_; }
  void end() {
    std::uint64_t next = 0;
    for (unsigned w = 0; w < words_; ++w) next |= next_row_[w * rows];
    if (next != 0) bits::add(occupied_, open_ % rows);
    soon_ = 0;
  }
  // First cycle after the current one that a position has asked for.
  Cycle next_work() const {
    Cycle next = never;
    if (occupied_ != 0) {
      // rotated so that bit 0 is the first cycle that has not been walked
      const unsigned shift = (cycle_ + 1) % rows;
      const std::uint64_t rotated =
          shift == 0 ? occupied_ : (occupied_ >> shift) | (occupied_ << (rows - shift));
      next = cycle_ + 1 + bits::lowest(rotated);
    }
    return far_.empty() ? next : std::min(next, far_.top().at);
  }

 private:
  void wake_later(unsigned position, Cycle at) {
    if (at - open_ >= rows - 1 || soon_ == 0) return wake_otherwise(position, at);
    mark(position, at);
  }
  // The rare case of a wake: for a cycle far off, or outside of any pass.
  [[gnu::noinline]] void wake_otherwise(unsigned position, Cycle at) {
    if (at - open_ < rows - 1) {
      mark(position, at);
    } else {
      far_.push({at, position});
    }
    if (soon_ == 0) wake_outside(at);
  }
  void mark(unsigned position, Cycle at) {
    const unsigned row = at % rows;
    bits::add(ring_[position / 64 * rows + row], position % 64);
    bits::add(occupied_, row);
  }
  struct Far {
    Cycle at;
    unsigned position;
    bool operator>(const Far& o) const { return at > o.at; }
  };

  Cycle cycle_ = 0;  // last cycle whose pass has begun
  Cycle open_ = 0;   // first cycle whose pass has not begun
  // In a pass, a wake for a cycle before soon_ counts for the next cycle and is noted in its row. 0: no pass.
  Cycle soon_ = 0;
  std::uint64_t* next_row_ = nullptr;
  std::uint64_t occupied_ = 0;       // rows that are not empty; the next cycle's only after a pass
  std::vector<std::uint64_t> ring_;  // for each 64 positions, a word per row
  unsigned words_ = 0;
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
};

}  // namespace subcore
