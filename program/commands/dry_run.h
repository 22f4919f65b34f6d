// --dry-run: what would run, and what it would cost.
#pragma once

#include <vector>

#include "subcore/program/commands/runs.h"
#include "subcore/program/runs/job.h"

namespace subcore {

struct RunPlan;

// Prints the runs, as JSON if that was asked for; writes nothing else. Returns the program's exit code.
int dry_run(std::vector<Job>& jobs, const RunPlan& plan, const RunRequest& request);

}  // namespace subcore
