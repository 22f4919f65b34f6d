// Groups of asynchronous copies of one warp (cp.async): a copy (LDGSTS) belongs to the group that the next
// LDGDEPBAR ends, and DEPBAR.LE waits until only so many of the groups that have been ended are not complete.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

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
    if (i.code->copies != CopyStep::none) take_part(i);
  }
  // An instruction of the warp has retired: a copy does so when its data are in shared memory. Returns how
  // many groups are complete by that. A group is complete when its copies and what ends it have retired, and
  // so have those of the groups before it.
  unsigned retired(const Instruction& i) { return i.code->copies == CopyStep::none ? 0 : complete(i); }
  // The instruction waits for groups that are not complete.
  bool hold(const Instruction& i) const {
    return i.code->copies == CopyStep::wait && i.mask != 0 && ended_.size() > i.code->open_groups;
  }
  // No copy is under way, and no group incomplete.
  bool clear() const { return open_ == 0 && ended_.empty(); }

 private:
  struct Group {
    std::uint64_t end = 0;        // sequence number of the instruction that ends it
    std::uint32_t under_way = 0;  // of its copies and that instruction, those that have not retired
  };
  void take_part(const Instruction& i);
  unsigned complete(const Instruction& i);

  boost::container::small_vector<Group, 2> ended_;  // and not complete, the oldest first
  std::uint32_t open_ = 0;                          // copies under way that no instruction has ended yet
};

}  // namespace subcore
