// Runs simulations as child processes, a few at a time, because SystemC elaborates once per process. A
// platform with several traces is put together once, in a process from which its runs are forked.
#pragma once

#include <stdexcept>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/program/runs/job.h"

namespace subcore {

// A run that was ended by a signal before it could keep anything.
class RunKilled : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs the jobs, at most `parallel` at once. Returns results in the order of the jobs. The jobs are run
// platform by platform, so that no more platforms are in memory than runs go on at once.
//
// The first failure stops the other runs and is thrown as std::runtime_error with its message. If `failures`
// is given, it takes failures instead, and their results are empty. `passed`, if not null, sees each result
// when it comes.
std::vector<RunResult> run_jobs(const std::vector<Job>& jobs, unsigned parallel,
                                void (*passed)(const RunResult&) = nullptr,
                                std::vector<std::string>* failures = nullptr);

}  // namespace subcore
