// The work of the processes that simulate runs.
#pragma once

#include <vector>

#include "subcore/program/runs/job.h"

namespace subcore {

// The exit code of a run that has run out of memory and could not report it.
inline constexpr int exit_without_memory = 4;

// The jobs of one platform, as indices in a list of jobs.
using JobGroup = std::vector<std::size_t>;

// To be called in a process of its own. Puts the platform together and runs the jobs of the group. Each job
// runs when its place is asked for over the connection, in a process that is forked with the platform ready.
// A single job is run at once, in this process, behind its first run if it needs one. In a group no job needs
// one. Sends the messages of all runs, and `ended` for each run that had a process.
[[noreturn]] void run_group(const std::vector<Job>& jobs, const JobGroup& group, int connection);

}  // namespace subcore
