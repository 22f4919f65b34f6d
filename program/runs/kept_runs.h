// Finished runs of earlier commands, which can stand in for runs that are asked for.
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

// Adds the keys, which decide each job's files, to the jobs. Reads every trace.
void add_keys(std::vector<Job>& jobs);

class KeptRuns {
 public:
  // Adds the run in this folder; false if it has no record.
  bool add(const std::filesystem::path& run);
  // Adds all runs in and below this folder. Throws std::runtime_error if there is none.
  void add_below(const std::filesystem::path& folder);
  // Adds all runs in and below a folder that may have none. Returns how many there are.
  std::size_t add_any_below(const std::filesystem::path& folder);
  // Whether an added run can stand in for the job's run, as far as is known without reading the added run.
  bool has(const Job& job) const;

  // The result of the job's run, with its files in the job's folder: the run that is there already, or a copy
  // of an added run. Nothing if there is no such run; then the folder has no files.
  std::optional<RunResult> take(const Job& job);
  // How runs with the name of a job differ from it, as far as take() found such runs; empty if it found none.
  std::string differences() const;

 private:
  struct Run {
    FinishedRun record;
    std::filesystem::path folder;
  };
  using Name = std::pair<std::string, std::string>;  // names of platform and trace

  std::map<RunKey, std::vector<Run>> by_key_;
  std::map<Name, RunKey> by_name_;
  std::map<std::string, std::size_t> differences_;
};

}  // namespace subcore
