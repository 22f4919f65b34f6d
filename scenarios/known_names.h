// A name in a results folder stands for one platform, with all of its parameters, or for one trace.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/job.h"
#include "scenarios/results_record.h"

namespace subcore {

// Renames the platforms and traces of `jobs` that are others than those that `folder` has by their names, so
// that the results of both can stand there: by the parameters that differ if these are few (baseline,seed=2),
// by a number otherwise (baseline,2). What was renamed so before gets the same name again. Returns a line for
// the user on each. Throws std::runtime_error if what is there cannot be read.
std::vector<std::string> name_apart(std::vector<Job>& jobs, const std::filesystem::path& folder,
                                    const std::vector<RunName>& published);

}  // namespace subcore
