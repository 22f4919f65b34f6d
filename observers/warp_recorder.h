// WarpRecorder: records what the warps of some sub-cores do in some cycles, and the lives of their
// instructions, for views of thousands of cycles. The recorder reads what a PipelineRecorder tells. The
// recorder itself observes launches and stall causes.
//
//   WarpRecorder recorder({"sm_0.sub_core_0", 0, 19999, {}});
//   recorder.watch(gpu);                       // before the simulation starts
//   ... a PipelineRecorder of the same scope tells `recorder` ...
//   const WarpHistory history = recorder.history(end);
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "subcore/observers/warp_history.h"
#include "subcore/platforms/gpu.h"

namespace subcore {

class WarpRecorder final : public PipelineReader {
 public:
  // The warps and cycles that are recorded.
  struct Options {
    std::string scope;           // sub-cores whose path begins so, e.g. "sm_0"; empty = all
    Cycle from = 0, to = never;  // first and last cycle
    // If given: only the sub-core of this warp of the first kernel, from the warp's first cycle to its last.
    std::optional<std::uint32_t> warp;
    std::size_t most_instructions = 1'000'000;  // a browser still opens a page with this many
  };
  explicit WarpRecorder(Options options);
  ~WarpRecorder() override;

  // Observes the sub-cores in scope. The recorder must outlive the simulation.
  void watch(Gpu& gpu);

  void begins(const InstructionRecord& record, Cycle at) override;
  void enters(const InstructionRecord& record, Cycle at) override;
  void moves(const InstructionRecord& record, unsigned source, Whereabouts before, Cycle at) override;
  void retires(const InstructionRecord& record, Cycle at) override;

  // Whether there are more instructions than `most_instructions`. The later ones are left out.
  bool is_full() const { return instructions_ > options_.most_instructions; }
  // Whether the requested warp has ended.
  bool complete() const;
  // The requested warp, and its slot; null before the warp has begun.
  const WarpHistory::Warp* warp() const;
  const WarpHistory::Slot* slot_of_warp() const { return found_ ? &history_.slots[*found_] : nullptr; }
  // Warps of the first kernel that have begun.
  std::size_t warps_of_first_kernel() const { return warps_; }
  // The history up to cycle `end`, the last one.
  WarpHistory history(Cycle end) const;

 private:
  class SubCoreTaps;
  using CodeKey =
      std::tuple<std::uint64_t, std::string, std::uint32_t, std::vector<unsigned>, std::vector<unsigned>>;
  void launched(std::size_t slot, const LaunchTransfer& t);
  void stalled(std::size_t slot, const StallEvent& e);
  bool is_wanted(std::size_t slot) const;
  std::size_t code_of(const InstructionRecord& record);

  Options options_;
  WarpHistory history_;                  // of all slots that are watched
  std::map<CodeKey, std::size_t> code_;  // indices in history_.code
  // Instructions under way, by id, with the number of their slot.
  std::map<std::uint64_t, std::pair<std::size_t, WarpHistory::Life>> under_way_;
  std::size_t instructions_ = 0, kernel_ = 0, warps_ = 0;
  std::optional<std::size_t> found_;  // the slot of the requested warp
  std::size_t found_warp_ = 0;        // its place among the warps of that slot
  std::vector<std::shared_ptr<SubCoreTaps>> taps_;
};

}  // namespace subcore
