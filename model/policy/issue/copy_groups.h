// Groups of asynchronous copies of one warp (cp.async). A copy (LDGSTS) belongs to the group that the next
// LDGDEPBAR ends. DEPBAR.LE waits until at most a given number of ended groups are incomplete.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include <boost/container/small_vector.hpp>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// An instruction's part in asynchronous copies. An instruction without an active lane has none.
inline CopyStep copy_step(const Instruction& i) {
  return i.mask == 0 ? CopyStep::none : i.code->copies;
}

class CopyGroups {
 public:
  // An instruction of the warp issues, in program order.
  void issue(const Instruction& i) {
    if (i.code->copies != CopyStep::none) take_part(i);
  }
  // An instruction of the warp has retired. A copy retires when its data are in shared memory. Returns the
  // number of groups that are complete by that. A group is complete when its copies and the instruction that
  // ended it have retired, and all groups before it are complete.
  unsigned retired(const Instruction& i) { return i.code->copies == CopyStep::none ? 0 : complete(i); }
  // Whether the instruction waits for groups that are not complete.
  bool hold(const Instruction& i) const {
    return i.code->copies == CopyStep::wait && i.mask != 0 && ended_.size() > i.code->open_groups;
  }
  // Whether no copy is under way and no group is incomplete.
  bool clear() const { return open_ == 0 && ended_.empty(); }

 private:
  struct Group {
    std::uint64_t end = 0;        // sequence number of the instruction that ends it
    std::uint32_t under_way = 0;  // its copies and its end, as far as they have not retired
  };
  void take_part(const Instruction& i);
  unsigned complete(const Instruction& i);

  boost::container::small_vector<Group, 2> ended_;  // ended but not complete, the oldest first
  std::uint32_t open_ = 0;                          // copies under way in a group that has not ended
};

}  // namespace subcore
