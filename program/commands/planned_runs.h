// The plan of a request for runs. Its runs, which are platforms on traces. How the runs are made, or priced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "subcore/program/commands/runs.h"
#include "subcore/program/runs/job.h"
#include "subcore/program/runs/results_folder.h"
#include "subcore/program/runs/scenario.h"

namespace subcore {

struct RunPlan {
  std::filesystem::path scenario;   // empty = none
  std::string name;                 // the scenario's name
  std::vector<ScenarioPart> parts;  // at least one part
  std::filesystem::path results;
  bool fixed_traces = false;  // --trace belongs to other scenarios
  std::uint64_t seeds = 1;    // runs of each platform on each trace
  std::optional<WaveformOptions> waveform;
  std::optional<PipelineFileOptions> pipeline;
};

// Plans what the scenario and the options ask for. Throws errors that are for the user, as runs_of() does.
RunPlan plan_of(const RunRequest& request);
void check_waveform(const WaveformOptions& waveform);
// Whether the waveform stays under its own name even if the run fails, as with --vcd-on stale.
bool keeps_failed_run(const WaveformOptions& waveform);

struct PlannedRuns {
  // Each platform once, in the order of the parts. The platforms that --seeds adds follow, in the order of
  // `members`.
  std::vector<std::shared_ptr<const PlatformParameters>> platforms;
  std::vector<std::shared_ptr<const StaticCount>> counts;  // by platform; null: the platform is simulated
  struct Origin {                                          // the system and point that a platform comes from
    std::string system;
    ByName<std::string> swept;
  };
  std::vector<Origin> origins;  // by platform
  struct Member {
    std::size_t first;     // index of the platform that is run again
    std::uint64_t number;  // the run's number, from 1
  };
  std::vector<Member> members;
  std::vector<TraceProgram> traces;                    // each once
  std::set<std::filesystem::path> files;               // files that define the platforms
  std::set<std::pair<std::size_t, std::size_t>> runs;  // index of the trace, then of the platform

  bool has_counts() const;
  // The number of platforms, without those that --seeds adds.
  std::size_t platforms_asked_for() const { return platforms.size() - members.size(); }
  std::vector<Job> jobs() const;
};

// All runs of the plan, with those of sweeps, variations and --seeds. Parts may ask for the same run. Throws
// errors that are for the user.
PlannedRuns runs_of(const RunPlan& plan, const RunRequest& request);
// Leaves out of the jobs' traces what --sample leaves out. All platforms of a trace run the same CTAs. Reads
// the traces. Throws errors that are for the user.
void sample_jobs(std::vector<Job>& jobs, const std::string& sample);
// Keeps only the runs that the file names, one on each line, as PLATFORM/TRACE. Throws errors that are for
// the user.
void keep_jobs(std::vector<Job>& jobs, const std::filesystem::path& names);

// How many runs go on at once: as --jobs says, or one per processor.
unsigned runs_at_once(const RunRequest& request);

// Runs the jobs that no earlier command has finished. The results are in the order of the jobs, whose folders
// are in `folder`. Throws the first failure. If the request is to keep going, prints failures, and throws at
// the end that there were some.
std::vector<RunResult> results_of(std::vector<Job>& jobs, const ResultsFolder& folder,
                                  const RunRequest& request);

// Words for the end of the line about a failure: how many jobs, and which, are kept for another command.
// Empty if none is.
std::string kept_words(const std::vector<Job>& jobs, ResultsFolder& folder);

// --dry-run: prints what would run and its cost, as JSON if asked for, and writes no files. Returns the
// program's exit code.
int dry_run(std::vector<Job>& jobs, const RunPlan& plan, const RunRequest& request);

}  // namespace subcore
