// Profiler: observes a whole GPU for a RunProfile. The profiler changes nothing, can be left out, and may end
// before its GPU.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>
#include <memory>
#include <string>

#include "subcore/observers/run_profile.h"
#include "subcore/observers/stall_profile.h"
#include "subcore/platforms/gpu.h"

namespace subcore {

class Profiler {
 public:
  // To be made before the simulation starts.
  explicit Profiler(Gpu& gpu);
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  // To be called when the run is over or has failed.
  RunProfile profile(const RunResult& result);

 private:
  struct Part {  // a sub-core's part
    Part(std::string part, InstructionRows& rows, unsigned warp_slots, const BankMap& map, bool duplicates,
         Cycle start)
        : name(std::move(part)), stalls(rows, warp_slots, start), operands(rows, map, duplicates) {}
    std::string name;
    StallProfile stalls;
    OperandProfile operands;
  };
  struct State {  // the GPU keeps it, too
    InstructionRows rows;
    std::deque<Part> parts;
  };
  void observe(StreamingMultiprocessor& sm, unsigned index);

  Gpu& gpu_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace subcore
