// The copy engine's part of a platform file (keys copy_engine.*).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/model/parameters/parameter_list.h"

namespace subcore {

// Measured on an H200 (scripts/measure/gpus/h200), where no other source is named: a bulk copy of 1 KB and
// its wait take 430 to 445 cycles, one of 32 KB 742 to 749, so that bytes beyond the first KB come at 105 a
// cycle; an mbarrier's arrival and its wait take 140.
struct CopyEngineParameters {
  // The rest of a copy of 1 KB, less the way of a request to the L2 and back, and the wait.
  std::uint32_t latency = 32;
  double bytes_per_cycle = 105;
  // Assumed: more than the rate takes on a way of 300 cycles, since four copies of 32 KB keep it.
  std::uint32_t in_flight = 512;
  // From there on the mbarrier has the arrival: FlashGPU-Sim, measured on an H100.
  std::uint32_t mbarrier_arrival = 29;
  // The rest of the 140 cycles, less the loop's other instructions.
  std::uint32_t mbarrier_wait = 77;
  void describe(ParameterVisitor& v) {
    v.field("latency", latency, {1, 10000}, "cycles",
            "time from the cycle in which the copy engine takes a bulk copy to its first request");
    v.field("bytes_per_cycle", bytes_per_cycle, {0.001, 65536.0}, "bytes/cycle",
            "most bytes of bulk copies that are requested in a cycle");
    v.field("in_flight", in_flight, {1, 65536}, "requests",
            "most requests of bulk copies that are sent and not answered");
    v.field("mbarrier_arrival", mbarrier_arrival, {1, 10000}, "cycles",
            "time until an arrival, or a question, that the load/store unit has taken reaches the mbarrier");
    v.field("mbarrier_wait", mbarrier_wait, {1, 10000}, "cycles",
            "time from the end of a phase, or from a question that finds the phase complete, until the warp "
            "goes on");
  }
};

}  // namespace subcore
