// The work of the processes of runs.
#pragma once

#include <vector>

#include "subcore/program/runs/job.h"

namespace subcore {

// The exit code of a run that has run out of memory and could not report that.
inline constexpr int exit_without_memory = 4;

// Jobs of one platform, as indices in a list of jobs.
using JobGroup = std::vector<std::size_t>;

// Called in a process of its own: puts the platform together and runs the jobs of the group, each when its
// place is asked for over the connection, in a process that is forked with the platform ready. A single job
// is run at once, here, behind its first run if it needs one; in a group no job does. Sends the messages of
// all runs, and `ended` for each that had a process.
[[noreturn]] void run_group(const std::vector<Job>& jobs, const JobGroup& group, int connection);

}  // namespace subcore
