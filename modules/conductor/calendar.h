// Calendar: which of the conductors that share a process have a pass in which cycle. The cost of a cycle
// grows with the conductors that have a pass in it, not with all conductors: most SMs of a large GPU may be
// idle.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/base/index_set.h"
#include "subcore/modules/protocol/cycle.h"

namespace subcore {

// Each member, by number, has one cycle or none.
class Calendar {
 public:
  // Sets how many members there are, all without a cycle.
  void resize(unsigned members) {
    rows_.fill(IndexSet(members));
    occupied_ = 0;
    far_ = {};
    at_.assign(members, never);
  }
  // The member's cycle; `never` if it has none.
  Cycle at(unsigned member) const { return at_[member]; }
  // Gives the member another cycle, or none (`never`). The cycle may not lie before the last one that was
  // taken.
  void move(unsigned member, Cycle to) {
    const Cycle from = std::exchange(at_[member], to);
    if (from != never && is_near(from)) {
      IndexSet& row = rows_[from % rows];
      row.remove(member);
      if (row.empty()) bits::remove(occupied_, from % rows);
    }
    if (to == never) return;
    if (is_near(to)) {
      note(member, to);
    } else {
      far_.push({to, member});
    }
  }
  // Calls pass(member) for the members whose cycle is `now`, in the order of their numbers. A member has no
  // cycle during its call. `now` is next(), or earlier. If pass() gives a member the cycle `now`, the member
  // gets its call in this take() or in the next one.
  template <class Pass>
  void take(Cycle now, Pass pass) {
    now_ = now;
    while (!far_.empty() && is_near(far_.top().at)) {
      const Far far = far_.top();
      far_.pop();
      if (at_[far.member] == far.at) note(far.member, far.at);
    }
    IndexSet& row = rows_[now % rows];
    row.take([&](unsigned member) {
      at_[member] = never;
      pass(member);
    });
    bits::set(occupied_, now % rows, !row.empty());
  }
  // The first cycle that a member has; `never`: no member has one.
  Cycle next() {
    Cycle next = never;
    if (occupied_ != 0) {
      const unsigned shift = now_ % rows;  // rotated so that bit 0 is now_
      const std::uint64_t rotated = shift == 0 ? occupied_ : occupied_ >> shift | occupied_ << (rows - shift);
      next = now_ + bits::lowest(rotated);
    }
    while (!far_.empty() && at_[far_.top().member] != far_.top().at) far_.pop();
    return far_.empty() ? next : std::min(next, far_.top().at);
  }

 private:
  static constexpr unsigned rows = 64;  // each row has a bit in occupied_

  // Whether `cycle`, which is not before now_, has a row.
  bool is_near(Cycle cycle) const { return cycle - now_ < rows; }
  void note(unsigned member, Cycle cycle) {
    rows_[cycle % rows].add(member);
    bits::add(occupied_, cycle % rows);
  }
  struct Far {
    Cycle at;
    unsigned member;
    bool operator>(const Far& o) const { return at > o.at; }
  };

  Cycle now_ = 0;               // the last cycle that was taken
  std::uint64_t occupied_ = 0;  // a bit for each row that is not empty
  std::vector<Cycle> at_;
  std::array<IndexSet, rows> rows_;
  // Cycles without a row. An entry is outdated if the member has another cycle now.
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
};

}  // namespace subcore
