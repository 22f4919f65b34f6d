// Runs simulations as child processes, a few at a time: SystemC elaborates once per process. A platform that
// runs several traces is put together once, in a process from which its runs are forked.
#pragma once

#include <stdexcept>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/program/runs/job.h"

namespace subcore {

// A run that a signal has ended, before it could keep anything.
class RunKilled : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Results in the order of the jobs, which are run platform by platform, so that no more platforms are in
// memory than runs go on at once. The first failure stops the others and is thrown as std::runtime_error with
// its message, unless `failures` takes them, with results left empty. At most `parallel` runs at once.
// `passed`, if not null, sees each result as it comes.
std::vector<RunResult> run_jobs(const std::vector<Job>& jobs, unsigned parallel,
                                void (*passed)(const RunResult&) = nullptr,
                                std::vector<std::string>* failures = nullptr);

}  // namespace subcore
