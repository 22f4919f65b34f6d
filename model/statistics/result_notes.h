// The notes of several runs, as a text for people.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/model/statistics/results.h"

namespace subcore {

// A line for each note, with the runs for which it holds. Notes that differ only in their numbers share a
// line, with the range of each number. Below the notes there is a line for each caution.
std::string notes_text(const std::vector<RunResult>& results);

}  // namespace subcore
