// Runs simulations as child processes, a few at a time: SystemC elaborates once per process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "looking/pipeline_file.h"
#include "looking/waveform.h"
#include "model/statistics/results.h"
#include "model/trace/trace.h"
#include "platforms/config/platform.h"

namespace subcore {

struct Job {
  PlatformParameters platform;
  TraceProgram trace;
  // Where the run's files go (stats.json, stats.csv, intervals.csv, power.csv, platform.yaml); empty = none.
  std::filesystem::path folder = {};
  std::optional<WaveformOptions> waveform = std::nullopt;
  std::optional<PipelineFileOptions> pipeline = std::nullopt;
  bool profile = false;  // profile.json, too
};

// Results in the order of the jobs. The first failure stops the others and is thrown as std::runtime_error
// with its message. At most `parallel` children at once. `passed`, if not null, sees each result as it comes.
std::vector<RunResult> run_jobs(const std::vector<Job>& jobs, unsigned parallel,
                                void (*passed)(const RunResult&) = nullptr);

}  // namespace subcore
