// What a request for runs comes to: which platforms run which traces, and what is written of it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "looking/pipeline_file.h"
#include "looking/waveform.h"
#include "model/trace/trace.h"
#include "platforms/config/platform.h"
#include "scenarios/commands/runs.h"

namespace subcore {

struct RunPlan {
  std::filesystem::path scenario;  // empty = none
  std::vector<std::filesystem::path> platforms, traces;
  std::vector<std::string> overrides;
  std::filesystem::path results;
  std::optional<WaveformOptions> waveform;
  std::optional<PipelineFileOptions> pipeline;
};

struct Platforms {
  std::vector<std::shared_ptr<const PlatformParameters>> parameters;
  std::set<std::filesystem::path> files;  // that say what they are
};

// What the scenario says and what the options say. All of these throw what the user is to be told.
RunPlan plan_of(const RunRequest& request);
Platforms platforms_of(const RunPlan& plan);
std::vector<TraceProgram> traces_of(const RunPlan& plan, const std::string& kernel);
void check_waveform(const WaveformOptions& waveform);
// If it is there all the same.
bool keeps_failed_run(const WaveformOptions& waveform);

}  // namespace subcore
