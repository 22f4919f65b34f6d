// Runs that were finished before, and can stand in for some of those that are asked for.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "subcore/program/runs/finished_run.h"
#include "subcore/program/runs/job.h"

namespace subcore {

// Fills in the keys, which decide each job's files: reads every trace.
void add_keys(std::vector<Job>& jobs);

class KeptRuns {
 public:
  // Adds the run in this folder; false if it has no record.
  bool add(const std::filesystem::path& run);
  // Adds all runs in and below this folder. Throws std::runtime_error if there is none.
  void add_below(const std::filesystem::path& folder);
  // Adds all runs in and below a folder that may have none. Returns how many there are.
  std::size_t add_any_below(const std::filesystem::path& folder);
  // Whether one that was added can stand in for the job's run, as far as can be said without reading it.
  bool has(const Job& job) const;

  // The result of the job's run, with the files of it in the job's folder: one that is there already, or a
  // copy of one that was added. Nothing if there is no such run; then the folder has no files.
  std::optional<RunResult> take(const Job& job);
  // Differences of runs that would have had the name of a job, as far as take() found any; empty if it found
  // none.
  std::string differences() const;

 private:
  struct Run {
    FinishedRun record;
    std::filesystem::path folder;
  };
  using Name = std::pair<std::string, std::string>;  // platform and trace, by their names

  std::map<RunKey, std::vector<Run>> by_key_;
  std::map<Name, RunKey> by_name_;
  std::map<std::string, std::size_t> differences_;
};

}  // namespace subcore
