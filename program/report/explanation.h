// Profiles of runs side by side, for reading: what issue slots were spent on, the worst instructions, and the
// banks.
#pragma once

#include <string>
#include <vector>

#include "subcore/observers/run_profile.h"

namespace subcore {

// Explains runs on one trace. `names`: headings of the runs' columns. Differences are those of the second run
// to the first. `top`: how many instructions are listed.
std::string explanation_text(const std::vector<RunProfile>& runs, const std::vector<std::string>& names,
                             std::size_t top);

// The explanation as a JSON object.
std::string explanation_json(const std::vector<RunProfile>& runs, const std::vector<std::string>& names,
                             std::size_t top);

}  // namespace subcore
