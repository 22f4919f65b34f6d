// Runs what has not been finished by an earlier command.
#pragma once

#include <string>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/program/commands/runs.h"
#include "subcore/program/runs/job.h"
#include "subcore/program/runs/results_folder.h"

namespace subcore {

// The number of runs that go on at once: as --jobs says, or one per processor.
unsigned runs_at_once(const RunRequest& request);

// Results in the order of the jobs, whose folders are in `folder`. The first failure is thrown, or, if the
// request is to keep going, that there were some, once they have been printed.
std::vector<RunResult> results_of(std::vector<Job>& jobs, const ResultsFolder& folder,
                                  const RunRequest& request);

// Words for the end of the line about a failure: how many of the jobs are kept for another command, and
// which; empty if none are.
std::string kept_words(const std::vector<Job>& jobs, ResultsFolder& folder);

}  // namespace subcore
