// A run that is asked for: a platform on a trace, and what is to be kept of the run.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "subcore/model/statistics/results.h"
#include "subcore/model/trace/trace.h"
#include "subcore/observers/pipeline_file.h"
#include "subcore/observers/waveform.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/program/analysis/static_count.h"
#include "subcore/program/runs/run_key.h"

namespace subcore {

struct Job {
  // The platform. Jobs that share one are run on a platform that is put together once.
  std::shared_ptr<const PlatformParameters> platform;
  TraceProgram trace;
  // Folder of the run's files (stats.json, stats.csv, intervals.csv, power.csv, platform.yaml); empty = none.
  std::filesystem::path folder = {};
  // Whether the folder gets a record (run.json), by which another command can take the run for its own. And
  // the key in the record, if it is known.
  bool is_recorded = false;
  std::optional<RunKey> key = std::nullopt;
  std::optional<WaveformOptions> waveform = std::nullopt;
  std::optional<PipelineFileOptions> pipeline = std::nullopt;
  bool profile = false;  // whether there is a profile.json, too
  // The count that is made of the trace instead of a run, under the platform's name; null: the platform runs
  // the trace.
  std::shared_ptr<const StaticCount> count = nullptr;

  // The register system and the swept values of the platform, as in RunResult.
  std::string system = {};
  ByName<std::string> swept = {};

  // The part that a sampled run leaves out. The amounts come from the run. Null: all is simulated.
  std::shared_ptr<const Sample> sample = nullptr;

  // With --seeds: the number of this run among those of a platform on the trace, from 0. Runs from 1 on also
  // have the platform's name.
  std::uint64_t member = 0;
  std::string member_of = {};

  // Whether an earlier run of the same job has to record the order of issue.
  bool needs_first_run() const { return count == nullptr && platform->passes.near_bits.asks_order(); }
  // Whether the platform has to be put together for this job alone.
  bool is_alone() const { return waveform || pipeline || needs_first_run(); }

  std::string name() const { return platform->name + " on " + trace.name; }
  // Hash of all that decides the run, without the trace and the program.
  std::string settings_hash() const {
    PlatformHashes hashes;
    return settings_hash(hashes);
  }
  // The same hash, for one of many jobs, which share `platforms`.
  std::string settings_hash(PlatformHashes& platforms) const {
    return count ? Hash().add(count->settings(*platform)).text() : platforms.of(*platform);
  }
  // The folder of the run's files, below the folders of results and of unfinished runs.
  std::filesystem::path subfolder() const { return std::filesystem::path(platform->name) / trace.name; }
};

}  // namespace subcore
