// The history that a WarpRecorder records: the states of warps cycle by cycle, and the lives of instructions.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "subcore/model/stall/stall_cause.h"
#include "subcore/modules/protocol/cycle.h"
#include "subcore/observers/pipeline.h"

namespace subcore {

// The history of some sub-cores in a window of cycles.
struct WarpHistory {
  // A static instruction, with the lanes in which it ran.
  struct Code {
    std::uint64_t pc = 0;
    std::string opcode, unit;
    std::uint32_t mask = 0;
    std::vector<unsigned> destinations, sources;  // registers
  };
  // A source operand changes its place: it waits, is read, or is here.
  struct Move {
    unsigned source = 0, bank = 0;
    Whereabouts whereabouts = Whereabouts::here;
    Cycle at = 0;
  };
  // A warp instruction. The cycle of a stage that it has not had is `never`.
  struct Life {
    std::uint64_t id = 0;
    std::size_t code = 0;  // index in WarpHistory::code
    unsigned collector = 0;
    std::array<Cycle, 7> stages{};  // first cycle of each PipelineStage
    Cycle begin = 0, end = never;   // the cycles [begin, end) in which it is known
    std::vector<Move> moves;        // in order of cycles
  };
  // A warp that occupies a slot in the cycles [begin, end).
  struct Warp {
    std::uint32_t number = 0;  // in its kernel
    std::size_t kernel = 0;    // index in WarpHistory::kernels
    unsigned cta_slot = 0;
    Cycle begin = 0, end = never;
  };
  // A run of cycles that the warp of a slot spends on one cause. The next run begins where it ends.
  struct Run {
    Cycle begin = 0;
    StallCause cause = StallCause::no_warp;
  };
  // A warp slot of a sub-core.
  struct Slot {
    std::string sub_core;
    unsigned slot = 0;
    std::vector<Warp> warps;
    std::vector<Run> runs;
    std::vector<Life> instructions;  // in the order in which they begin
  };
  Cycle begin = 0, end = 0;          // [begin, end)
  std::vector<std::string> kernels;  // names, in the order in which they run
  std::vector<Code> code;
  std::vector<Slot> slots;
  std::optional<std::size_t> slot;  // index in `slots`, of the slot of the requested warp
};

}  // namespace subcore
