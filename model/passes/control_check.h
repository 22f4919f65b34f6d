// A check that control bits keep their promise to hardware without a scoreboard. No instruction may read a
// result before it is there, or overwrite a register that another has yet to read or write.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <vector>

#include "subcore/model/passes/control_program.h"

namespace subcore {

enum class ControlBreach : std::uint8_t {
  none,    // the instruction has no control bits
  result,  // the instruction reads a result that is not there yet
  order,   // the instruction writes a register before the earlier instruction does
  source,  // the instruction overwrites a source that the earlier instruction has yet to read
};

// A pair of instructions that the control bits let run in the wrong order, by index in
// ControlProgram::nodes.
struct ControlViolation {
  ControlBreach breach = ControlBreach::none;
  std::uint32_t node = 0, earlier = 0;
  unsigned resource = 0;                // a register or predicate that both use
  unsigned distance = 0, required = 0;  // cycles; required 0 = a wait for a barrier is required
};

// Follows every path of the program. An instruction of fixed latency is complete after its required_distance.
// An instruction of variable latency is complete when a later instruction has waited for its barrier, two
// cycles or more behind the instruction that armed the barrier. A wait for the barrier of a following
// instruction that completes in order will do, too. Instructions under opposite guards, P0 and not P0, run in
// no lane together. Such instructions need not wait for each other as long as nothing writes the predicate.
// Sources of fixed latency are read soon enough, and so are uniform registers. There is at most one violation
// for each pair of instructions and kind of breach.
std::vector<ControlViolation> check_control(const ControlProgram& program);

// "0120: reads R4 of 00f0 2 cycles behind it; expected 4"
std::string violation_text(const ControlProgram& program, const ControlViolation& violation);

}  // namespace subcore
