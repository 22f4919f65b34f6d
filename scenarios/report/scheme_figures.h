// Figures that no paper has: schemes against each other, rather than trace by trace.
#pragma once

#include "scenarios/report/figures.h"
#include "scenarios/report/paper_numbers.h"

namespace subcore {

// Of kind means, pareto and tornado.
Figure scheme_figure(const PaperFigure& figure, const PaperNumbers& numbers, const Comparison& comparison);

}  // namespace subcore
