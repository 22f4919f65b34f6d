// The runs of a plan: which platforms run which traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "subcore/model/trace/trace.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/program/commands/run_plan.h"
#include "subcore/program/runs/job.h"

namespace subcore {

struct PlannedRuns {
  // Each platform once, in the order of the parts. Behind them stand those that --seeds adds, as in
  // `members`.
  std::vector<std::shared_ptr<const PlatformParameters>> platforms;
  std::vector<std::shared_ptr<const StaticCount>> counts;  // by platform; null: it is simulated
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
PlannedRuns runs_of(const RunPlan& plan, const std::string& kernel);
// Keeps only the runs that the file names, one on each line, as PLATFORM/TRACE. Throws likewise.
void keep_jobs(std::vector<Job>& jobs, const std::filesystem::path& names);

}  // namespace subcore
