// Numbers of a paper's figure: ours, and how far they are from those that the paper states.
#pragma once

#include <string>
#include <vector>

#include "subcore/program/report/chart.h"
#include "subcore/program/report/comparison.h"
#include "subcore/program/report/figures.h"
#include "subcore/program/runs/paper_figure.h"

namespace subcore {

// The standard deviation of the values that are there, as of a sample; nothing of less than two.
MaybeNumber spread_of(const MaybeNumbers& values);

struct PaperNumbers {
  std::vector<std::size_t> traces, series;  // indices in the comparison
  std::vector<std::size_t> bases;           // by series: what its values are divided by, if they are
  // Values by series, part (one, unless the figure has parts) and trace.
  std::vector<std::vector<MaybeNumbers>> values;

  struct Stated {  // in the order of the figure's
    MaybeNumber ours, difference, spread;
    // Whether the difference is larger than the spread over traces, if there is one.
    bool exceeds() const;
  };
  std::vector<Stated> stated;

  MaybeNumber mean(std::size_t of_series, std::size_t part, bool geometric) const {
    return mean_of(values[of_series][part], geometric);
  }
};

// Throws std::runtime_error, one line with the figure's id, when a run or a value is missing. `results_name`
// is how it calls the results.
PaperNumbers paper_numbers(const PaperFigure& figure, const Comparison& comparison,
                           const std::string& results_name);

// Figures that no paper has: schemes against each other, rather than trace by trace.

// A figure of kind means, pareto or tornado. `results_name` is how errors call the results.
Figure scheme_figure(const PaperFigure& figure, const PaperNumbers& numbers, const Comparison& comparison,
                     const std::string& results_name);

}  // namespace subcore
