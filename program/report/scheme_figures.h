// Figures that no paper has: schemes against each other, rather than trace by trace.
#pragma once

#include "subcore/program/report/figures.h"
#include "subcore/program/report/paper_numbers.h"

namespace subcore {

// A figure of kind means, pareto or tornado. `results_name` is how errors call the results.
Figure scheme_figure(const PaperFigure& figure, const PaperNumbers& numbers, const Comparison& comparison,
                     const std::string& results_name);

}  // namespace subcore
