// The plan that a request for runs comes to: its platforms, its traces, and what is written of the runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "subcore/observers/pipeline_file.h"
#include "subcore/observers/waveform.h"
#include "subcore/program/commands/runs.h"
#include "subcore/program/runs/scenario.h"

namespace subcore {

struct RunPlan {
  std::filesystem::path scenario;   // empty = none
  std::string name;                 // the scenario's name
  std::vector<ScenarioPart> parts;  // a part at least
  std::filesystem::path results;
  bool fixed_traces = false;  // --trace is for other scenarios
  std::uint64_t seeds = 1;    // runs of each platform on each trace
  std::optional<WaveformOptions> waveform;
  std::optional<PipelineFileOptions> pipeline;
};

// Plans what the scenario and the options ask for. Throws what the user is to be told, as the next one does.
RunPlan plan_of(const RunRequest& request);
void check_waveform(const WaveformOptions& waveform);
// Whether the waveform stays under its own name even if the run fails: --vcd-on stale asks for that.
bool keeps_failed_run(const WaveformOptions& waveform);

}  // namespace subcore
