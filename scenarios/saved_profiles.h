// Profiles that runs have left in a results folder.
#pragma once

#include <filesystem>
#include <vector>

#include "looking/run_profile.h"
#include "scenarios/results_record.h"

namespace subcore {

// Of these runs in the folder. Throws std::runtime_error, one line, when one has no profile or one that
// cannot be used.
std::vector<RunProfile> saved_profiles(const std::filesystem::path& folder, const std::vector<RunName>& runs);

// Of a file, the profile in it, also that of a run that failed. Of every run that the folder's results.json
// lists, in its order, but those that were made without a profile; these are added to `without`. Throws
// std::runtime_error, one line, when it is no results folder, when none has a profile, and as above.
std::vector<RunProfile> saved_profiles(const std::filesystem::path& folder, std::vector<RunName>& without);

}  // namespace subcore
