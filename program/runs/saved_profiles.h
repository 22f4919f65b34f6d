// Profiles that runs have left in a results folder.
#pragma once

#include <filesystem>
#include <vector>

#include "subcore/observers/run_profile.h"
#include "subcore/program/runs/results_record.h"

namespace subcore {

// The profiles of these runs in the folder. Throws std::runtime_error, one line, when one is missing or
// cannot be used.
std::vector<RunProfile> saved_profiles(const std::filesystem::path& folder, const std::vector<RunName>& runs);

// `path` is a file with a profile, which may be that of a run that failed, or a results folder. A folder
// gives the profiles of the runs in its results.json, in that order; runs that were made without a profile
// are added to `without`. Throws std::runtime_error, one line, when `path` is neither, when no run has a
// profile, and as above.
std::vector<RunProfile> saved_profiles(const std::filesystem::path& path, std::vector<RunName>& without);

}  // namespace subcore
