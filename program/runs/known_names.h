// In a results folder each platform, with all of its parameters, and each trace has a name of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "subcore/program/runs/job.h"
#include "subcore/program/runs/results_record.h"

namespace subcore {

// Renames platforms and traces of `jobs` whose names stand for another platform or trace in `folder`, so that
// the results of both can be there. A name gets the parameters that differ if they are few (baseline,seed=2),
// or else a number (baseline,2). Whatever has been renamed before gets the same name again. Returns a line
// for the user on each that is renamed. Throws std::runtime_error if `folder` cannot be read.
std::vector<std::string> name_apart(std::vector<Job>& jobs, const std::filesystem::path& folder,
                                    const std::vector<RunName>& published);

}  // namespace subcore
