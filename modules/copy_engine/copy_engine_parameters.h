// Parameters of the copy engine (keys copy_engine.* of a platform file).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/model/parameters/parameter_list.h"

namespace subcore {

// Values were measured on an H200 (scripts/measure/gpus/h200), unless another source is named. A bulk copy of
// 1 KB and its wait take 430 to 445 cycles, a copy of 32 KB 742 to 749. So bytes beyond the first KB come at
// 105 a cycle. An mbarrier's arrival and its wait take 140 cycles.
struct CopyEngineParameters {
  // The time of a copy of 1 KB without a request's way to the L2 and back, and without the wait.
  std::uint32_t latency = 32;
  double bytes_per_cycle = 105;
  // Assumed: enough for the rate on a way of 300 cycles and more, since four copies of 32 KB keep the rate.
  std::uint32_t in_flight = 512;
  // When this time is over, the mbarrier has the arrival: FlashGPU-Sim, measured on an H100.
  std::uint32_t mbarrier_arrival = 29;
  // The rest of the 140 cycles, without the other instructions of the measured loop.
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
