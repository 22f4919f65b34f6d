// Control bits for traces that carry none, as a compiler would have told them to hardware without a
// scoreboard.
//
// Every instruction of variable latency that makes results arms a write barrier, and a read barrier, too, if
// one of its sources may be overwritten before somebody waits for the results. It takes one of the six
// barriers that nobody has armed, else one of the same pipe, else the one that is waited for soonest: a
// barrier counts, so to share one is to wait longer. Results of fixed latency are waited for by the stall
// count of the instruction in front of their reader. Both follow every path that a warp of the trace took,
// across branches and around loops.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/passes/control_program.h"

namespace subcore {

// Replaces the control bits of every node.
void synthesise_control_bits(ControlProgram& program);

}  // namespace subcore
