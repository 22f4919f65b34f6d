// A profile of a kernel's code over its whole trace: the control flow that was taken, and facts about masks.
// All passes that need more than a prefix of warps use it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <vector>

#include "subcore/base/byte_text.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// The profile of one static instruction, over all its dynamic instances. All facts here were observed: a path
// that no warp took does not exist. Results of passes therefore hold for this trace and may not hold for
// another input.
struct InstructionProfile {
  std::uint64_t runs = 0;  // instances with an active lane
  bool off = false;        // some instance was predicated off in every lane
  bool whole = true;       // every instance that ran had all the lanes that its warp had left
  // Destinations that end their register's older value. Whenever the instruction ran, no lane outside its
  // mask read that register again before writing it. A partial write that leaves lanes in need of the older
  // value does not end it.
  std::uint8_t ends_older = 0xff;
  // Sources that are read for every lane that reads the same value later.
  SourceSet reads_for_all = ~SourceSet{0};
  // The next instructions of warps, predicated off or not. The hardware sees this order.
  std::vector<std::uint32_t> warp_successors;
  // The next instructions that lanes executed. These form the program's own control flow, independent of the
  // order in which the sides of a divergent branch take turns. A lane that is predicated off goes past.
  std::vector<std::uint32_t> lane_successors;
  bool warp_entry = false;  // some warp began here
  bool lane_entry = false;  // some lane began here

  // The destinations whose older value nothing can see afterwards, on any path through here.
  std::uint8_t kills() const { return runs == 0 || off ? std::uint8_t{0} : ends_older; }
};

class KernelProfile {
 public:
  // Adds one whole warp. Warps may come in any order.
  void add(const WarpTrace& warp, const CodeTable& code);
  // put() appends the whole profile to a text; take() reads it from there.
  void put(std::string& out) const;
  void take(ByteTaker& text);
  // One entry for each static instruction met so far, by StaticInstruction::index.
  const std::vector<InstructionProfile>& instructions() const { return instructions_; }

 private:
  struct LaneGroup {
    std::uint32_t at;     // the last instruction of the lanes
    std::uint32_t lanes;  // lanes that executed it together
  };
  void follow_warp(const WarpTrace& warp);
  void follow_lanes(const WarpTrace& warp);
  void follow_exits(const WarpTrace& warp, const CodeTable& code);
  void look_back(const WarpTrace& warp, const CodeTable& code);

  std::vector<InstructionProfile> instructions_;
  std::vector<LaneGroup> groups_;
};

// Static instructions in the order of their program counters.
struct ProgramOrder {
  explicit ProgramOrder(const CodeTable& code);
  std::vector<std::uint32_t> instructions;  // by position
  std::vector<std::uint32_t> position;      // by StaticInstruction::index
};

}  // namespace subcore
