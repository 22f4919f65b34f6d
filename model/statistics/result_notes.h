// The notes of several runs for somebody who reads them.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/model/statistics/results.h"

namespace subcore {

// A line for each note, with the runs it holds for. Notes that differ only in their numbers are one line,
// with the range of each number. Below the notes stands a line for each caution.
std::string notes_text(const std::vector<RunResult>& results);

}  // namespace subcore
