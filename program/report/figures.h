// The figures of a report, each with its numbers as a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "subcore/program/report/chart.h"
#include "subcore/program/report/comparison.h"
#include "subcore/program/report/table.h"

namespace subcore {

struct Figure {
  std::string id;       // letters, digits and _; its file is called so
  std::string heading;  // the heading of its place in the page
  std::string caption;
  std::string svg;
  ReportTable numbers;
};

// Figures of IPC, hits, energy, stalls and traffic by trace, and their means; and the fronts of IPC with
// energy and with area. There is none of energies, areas, stall causes or traffic that no run has.
std::vector<Figure> comparison_figures(const Comparison& comparison);

// The bar chart that make(comparison) gives. With --seeds each bar is the mean of make() over the members,
// with its interval.
template <class MakeChart>
BarChart with_ranges(const Comparison& comparison, const MakeChart& make) {
  std::vector<BarChart> members;
  for (const Comparison& m : comparison.members()) members.push_back(make(m));
  return members.empty() ? make(comparison) : BarChart::of_members(members);
}

// A bar chart, with its numbers in a table.
Figure bars_figure(const BarChart& chart, const std::string& heading);

// Points of schemes whose third is their storage, with who beats each in a table.
Figure pareto_figure(const ParetoChart& chart, const std::string& heading);
// Fronts of IPC with energy and with area, against the first platform; none that has one point or no value.
std::vector<Figure> front_figures(const Comparison& comparison, const std::vector<std::string>& cautions);

// Figures of what happened over time, one for each trace of which some run has intervals.
std::vector<Figure> interval_figures(const Comparison& comparison);

// A figure over time of one trace and some platforms, by names of one's own. Nothing if none of these has
// intervals.
struct IntervalCourse {
  std::string name;
  std::size_t platform;
};
std::optional<Figure> interval_figure(const Comparison& comparison, std::size_t trace, const std::string& id,
                                      const std::vector<IntervalCourse>& shown);

// Words under a figure: the cautions of these platforms' runs on these traces, each with the platforms whose
// runs have it. Empty if there are none.
std::vector<std::string> cautions_of(const Comparison& comparison, const std::vector<std::size_t>& platforms,
                                     const std::vector<std::size_t>& traces);

// Tables of all runs, and of the platforms' means over traces.
ReportTable table_of_runs(const Comparison& comparison);
ReportTable table_of_means(const Comparison& comparison);

// Merges neighbouring rows, so that there are `most` at most, of the same time.
std::vector<IntervalRow> merged(const std::vector<IntervalRow>& rows, std::size_t most);

// A stack's parts that are less than `share` of every bar become one, the last, which is called after them.
StackChart without_small_parts(StackChart chart, double share);

}  // namespace subcore
