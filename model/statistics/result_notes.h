// The notes of several runs for somebody who reads them.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/model/statistics/results.h"

namespace subcore {

// A line for each kind of note, what its text says up to the first colon, with the runs it holds for. Where
// the runs of a kind differ in the rest, the first one's stands for all. Below the notes stands a line for
// each caution.
std::string notes_text(const std::vector<RunResult>& results);

}  // namespace subcore
