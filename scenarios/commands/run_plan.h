// What a request for runs comes to: which platforms run which traces, and what is written of it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "looking/pipeline_file.h"
#include "looking/waveform.h"
#include "model/trace/trace.h"
#include "platforms/config/platform.h"
#include "scenarios/commands/runs.h"
#include "scenarios/job.h"
#include "scenarios/scenario.h"

namespace subcore {

struct RunPlan {
  std::filesystem::path scenario;   // empty = none
  std::string name;                 // of the scenario
  std::vector<ScenarioPart> parts;  // one at least
  std::filesystem::path results;
  bool fixed_traces = false;  // --trace is for other scenarios
  std::uint64_t seeds = 1;    // runs of each platform on each trace
  std::optional<WaveformOptions> waveform;
  std::optional<PipelineFileOptions> pipeline;
};

struct PlannedRuns {
  std::vector<std::shared_ptr<const PlatformParameters>> platforms;  // each once, in the order of the parts
  std::vector<std::shared_ptr<const StaticCount>> counts;            // of these, null of what is simulated
  struct Member {
    std::size_t first;  // place of the platform that it is again
    std::uint64_t number;
  };
  std::vector<Member> members;                         // the last of the platforms: what --seeds adds
  std::vector<TraceProgram> traces;                    // likewise
  std::set<std::filesystem::path> files;               // that say what the platforms are
  std::set<std::pair<std::size_t, std::size_t>> runs;  // trace and platform, as places above

  bool has_counts() const;
  // Without further members.
  std::size_t platforms_asked_for() const { return platforms.size() - members.size(); }
  std::vector<Job> jobs() const;
};

// What the scenario says and what the options say. All of these throw what the user is to be told.
RunPlan plan_of(const RunRequest& request);
// With all that is swept. Parts may ask for the same run.
PlannedRuns runs_of(const RunPlan& plan, const std::string& kernel);
// Only those that the file names, a line PLATFORM/TRACE each.
void keep_jobs(std::vector<Job>& jobs, const std::filesystem::path& names);
void check_waveform(const WaveformOptions& waveform);
// If it is there all the same.
bool keeps_failed_run(const WaveformOptions& waveform);

}  // namespace subcore
