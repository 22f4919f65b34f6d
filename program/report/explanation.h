// Profiles of runs side by side, for reading: where issue slots went, the worst instructions, the banks.
#pragma once

#include <string>
#include <vector>

#include "subcore/observers/run_profile.h"

namespace subcore {

// Explains runs on one trace; `names` says what their columns are called. Differences are those of the second
// to the first. `top`: instructions to list.
std::string explanation_text(const std::vector<RunProfile>& runs, const std::vector<std::string>& names,
                             std::size_t top);

// The explanation as a JSON object.
std::string explanation_json(const std::vector<RunProfile>& runs, const std::vector<std::string>& names,
                             std::size_t top);

}  // namespace subcore
