// Sums that hold within every module that counts all of their terms, checked at the end of every run.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>

#include "subcore/model/statistics/statistics.h"

namespace subcore {

// The first sum of a module in or below `root` that does not add up, on one line; empty if all do.
std::string unequal_sum(const StatisticsGroup& root);

}  // namespace subcore
