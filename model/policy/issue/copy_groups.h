// Groups of asynchronous copies of one warp (cp.async): a copy (LDGSTS) belongs to the group that the next
// LDGDEPBAR ends, and DEPBAR.LE waits until only so many of the groups that have been ended are not complete.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>

#include <boost/container/small_vector.hpp>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// An instruction's part in asynchronous copies. Without an active lane it has none.
inline CopyStep copy_step(const Instruction& i) {
  return i.mask == 0 ? CopyStep::none : i.code->copies;
}

class CopyGroups {
 public:
  // An instruction of the warp issues, in program order.
  void issue(const Instruction& i) {
    const CopyStep step = copy_step(i);
    if (step == CopyStep::copy) ++open_;
    if (step != CopyStep::end_group) return;
    ended_.push_back({i.sequence, open_ + 1});
    open_ = 0;
  }
  // An instruction of the warp has retired: a copy does so when its data are in shared memory. Returns how
  // many groups are complete by that. A group is complete when its copies and what ends it have retired, and
  // so have those of the groups before it.
  unsigned retired(const Instruction& i) {
    const CopyStep step = copy_step(i);
    if (step != CopyStep::copy && step != CopyStep::end_group) return 0;
    const auto group =
        std::find_if(ended_.begin(), ended_.end(), [&](const Group& g) { return i.sequence <= g.end; });
    --(group != ended_.end() ? group->under_way : open_);
    const auto first =
        std::find_if(ended_.begin(), ended_.end(), [](const Group& g) { return g.under_way != 0; });
    const auto complete = static_cast<unsigned>(first - ended_.begin());
    ended_.erase(ended_.begin(), first);
    return complete;
  }
  // The instruction waits for groups that are not complete.
  bool hold(const Instruction& i) const {
    return copy_step(i) == CopyStep::wait && ended_.size() > i.code->open_groups;
  }
  // No copy is under way, and no group incomplete.
  bool clear() const { return open_ == 0 && ended_.empty(); }

 private:
  struct Group {
    std::uint64_t end = 0;        // sequence number of the instruction that ends it
    std::uint32_t under_way = 0;  // of its copies and that instruction, those that have not retired
  };
  boost::container::small_vector<Group, 2> ended_;  // and not complete, the oldest first
  std::uint32_t open_ = 0;                          // copies under way that no instruction has ended yet
};

}  // namespace subcore
