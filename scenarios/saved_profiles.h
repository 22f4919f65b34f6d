// Profiles that runs have left in a results folder.
#pragma once

#include <filesystem>
#include <vector>

#include "looking/run_profile.h"

namespace subcore {

// Of every run that the folder's results.json records, in its order. Throws std::runtime_error, one line,
// when it is no results folder, or when a run has no profile or one that cannot be used.
std::vector<RunProfile> saved_profiles(const std::filesystem::path& folder);

}  // namespace subcore
