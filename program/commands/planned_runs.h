// The plan that a request for runs comes to; its runs, which platforms on which traces; and how they are run,
// or priced.
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

struct PlannedRuns {
  // Each platform once, in the order of the parts. Behind them stand those that --seeds adds, as in
  // `members`.
  std::vector<std::shared_ptr<const PlatformParameters>> platforms;
  std::vector<std::shared_ptr<const StaticCount>> counts;  // by platform; null: it is simulated
  struct Origin {                                          // what the platform is a form of, as in RunResult
    std::string system;
    ByName<std::string> swept;
  };
  std::vector<Origin> origins;  // by platform
  struct Member {
    std::size_t first;     // index of the platform that runs again
    std::uint64_t number;  // the run's number, from 1
  };
  std::vector<Member> members;
  std::vector<TraceProgram> traces;                    // each once
  std::set<std::filesystem::path> files;               // files that say what the platforms are
  std::set<std::pair<std::size_t, std::size_t>> runs;  // index of the trace, index of the platform

  bool has_counts() const;
  // How many platforms there are without those that --seeds adds.
  std::size_t platforms_asked_for() const { return platforms.size() - members.size(); }
  std::vector<Job> jobs() const;
};

// All runs of the plan, those of sweeps, variations and --seeds among them. Parts may ask for the same run.
// Throws what the user is to be told.
PlannedRuns runs_of(const RunPlan& plan, const RunRequest& request);
// Leaves out of the jobs' traces what --sample leaves out: of a trace the same CTAs for all of its platforms.
// Reads the traces. Throws likewise.
void sample_jobs(std::vector<Job>& jobs, const std::string& sample);
// Keeps only the runs that the file names, one on each line, as PLATFORM/TRACE. Throws likewise.
void keep_jobs(std::vector<Job>& jobs, const std::filesystem::path& names);

// The number of runs that go on at once: as --jobs says, or one per processor.
unsigned runs_at_once(const RunRequest& request);

// Runs what has not been finished by an earlier command. Results in the order of the jobs, whose folders are
// in `folder`. The first failure is thrown, or, if the request is to keep going, that there were some, once
// they have been printed.
std::vector<RunResult> results_of(std::vector<Job>& jobs, const ResultsFolder& folder,
                                  const RunRequest& request);

// Words for the end of the line about a failure: how many of the jobs are kept for another command, and
// which; empty if none are.
std::string kept_words(const std::vector<Job>& jobs, ResultsFolder& folder);

// --dry-run: prints what would run and what it would cost, as JSON if that was asked for; writes nothing
// else. Returns the program's exit code.
int dry_run(std::vector<Job>& jobs, const RunPlan& plan, const RunRequest& request);

}  // namespace subcore
