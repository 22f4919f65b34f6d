#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "subcore/model/statistics/cautions.h"
#include "subcore/program/report/paper_numbers.h"

namespace subcore {
namespace {

using Kind = PaperFigure::Kind;

// Traces that are averaged together, as indices in the comparison.
struct TraceGroup {
  std::string name;
  bool has_rows = true;  // for each trace, which no other group has
  std::vector<std::size_t> traces{};
  std::vector<MaybeNumbers> values{};  // by series

  void add(const PaperNumbers& numbers, std::size_t n) {
    traces.push_back(numbers.traces[n]);
    values.resize(numbers.values.size());
    for (std::size_t s = 0; s < values.size(); ++s) values[s].push_back(numbers.values[s][0][n]);
  }
};

// The figure, of the same systems on a machine.
PaperFigure figure_on(const std::string& machine, PaperFigure figure) {
  const auto put = [&](std::string& platform) {
    if (!platform.empty()) platform = machine + '/' + platform.substr(platform.find('/') + 1);
  };
  put(figure.against);
  for (PaperFigure::Series& s : figure.series) {
    put(s.platform);
    put(s.against);
  }
  figure.stated.clear();
  return figure;
}

class SchemeFigureMaker {
 public:
  SchemeFigureMaker(const PaperFigure& figure, const PaperNumbers& numbers, const Comparison& comparison,
                    const std::string& results_name)
      : figure_(figure), numbers_(numbers), comparison_(comparison), results_name_(results_name) {}

  Figure made() const {
    return figure_.kind == Kind::means ? means() : figure_.kind == Kind::pareto ? pareto() : tornado();
  }

 private:
  Figure figure_with(const std::string& svg, ReportTable table, const std::string& caption = "") const {
    return {figure_.id, figure_.heading(), caption, svg, std::move(table)};
  }
  ReportTable table(std::vector<ReportTable::Column> columns) const {
    return {figure_.id + "_numbers", figure_.title, std::move(columns), {}};
  }
  ChartFrame frame(const std::string& axis) const {
    std::vector<std::size_t> series = numbers_.series, traces = numbers_.traces;
    for (const PaperFigure::Beside& b : figure_.beside)
      for (const PaperNumbers& there : numbers_of(b)) {
        series.insert(series.end(), there.series.begin(), there.series.end());
        traces.insert(traces.end(), there.traces.begin(), there.traces.end());
      }
    std::sort(traces.begin(), traces.end());
    traces.erase(std::unique(traces.begin(), traces.end()), traces.end());
    return {figure_.id, figure_.title, axis, cautions_of(comparison_, series, traces)};
  }
  const RunResult& run_of(std::size_t series, std::size_t trace) const {
    return comparison_.run(numbers_.series[series], numbers_.traces[trace])->result;
  }
  MaybeNumber mean(std::size_t series, std::size_t part) const {
    return numbers_.mean(series, part, figure_.is_mean_geometric);
  }

  // Whether the trace, an index in the comparison, has a split's value above 0.
  bool has_split(std::size_t trace) const {
    const RunResult& run = comparison_.run(numbers_.series.front(), trace)->result;
    const MaybeNumber value = figure_.split.value.of(run);
    if (!value)
      throw std::runtime_error("figure " + figure_.id + ": " + run.platform + " on " + run.trace +
                               " has no value for split; expected results with '" +
                               figure_.split.value.text() + "'");
    return *value > 0;
  }

  // The figure's numbers on each of the machines on which something ran.
  std::vector<PaperNumbers> numbers_of(const PaperFigure::Beside& beside) const {
    std::vector<PaperNumbers> numbers;
    for (const std::string& machine : beside.machines) {
      const auto is_there = [&](const std::string& p) { return p.rfind(machine + '/', 0) == 0; };
      const auto& all = comparison_.platforms();
      if (std::any_of(all.begin(), all.end(), is_there))
        numbers.push_back(paper_numbers(figure_on(machine, figure_), comparison_, results_name_));
    }
    return numbers;
  }

  // Groups of traces: where there is a split, those with it, those without and both; else all of them. Then
  // those on other machines.
  std::vector<TraceGroup> groups() const {
    std::vector<TraceGroup> groups;
    const bool is_split = figure_.split.value.is_set();
    if (is_split) groups = {{figure_.split.with}, {figure_.split.without}};
    groups.push_back({figure_.group, !is_split});
    for (std::size_t n = 0; n < numbers_.traces.size(); ++n) {
      if (is_split) groups[has_split(numbers_.traces[n]) ? 0 : 1].add(numbers_, n);
      groups.back().add(numbers_, n);
    }
    for (const PaperFigure::Beside& b : figure_.beside) {
      TraceGroup group{b.name};
      for (const PaperNumbers& there : numbers_of(b))
        for (std::size_t n = 0; n < there.traces.size(); ++n) group.add(there, n);
      if (!group.traces.empty()) groups.push_back(std::move(group));
    }
    return groups;
  }

  MaybeNumber mean_of_group(std::size_t series, const TraceGroup& group) const {
    return group.traces.empty() ? std::nullopt : mean_of(group.values[series], figure_.is_mean_geometric);
  }

  BarChart means_chart() const {
    BarChart chart{frame(figure_.axis), {}, {}, {}};
    if (!figure_.against.empty()) chart.reference = 1;
    for (const PaperFigure::Series& s : figure_.series) chart.groups.push_back(s.name);
    for (const TraceGroup& g : groups()) {
      MaybeNumbers values;
      for (std::size_t s = 0; s < figure_.series.size(); ++s) values.push_back(mean_of_group(s, g));
      chart.series.push_back({g.name + " (" + std::to_string(g.traces.size()) + ")", values});
    }
    return chart;
  }

  BarChart means_chart_with_ranges() const {
    return with_ranges(comparison_, [&](const Comparison& c) {
      const PaperNumbers numbers = paper_numbers(figure_, c, results_name_);
      return SchemeFigureMaker(figure_, numbers, c, results_name_).means_chart();
    });
  }

  Figure means() const {
    const BarChart chart = means_chart_with_ranges();
    ReportTable numbers = table({{"traces", false}});
    for (const PaperFigure::Series& s : figure_.series) numbers.columns.push_back({s.name, true});
    const auto add_row = [&](const std::string& name, const MaybeNumbers& values) {
      auto& row = numbers.rows.emplace_back();
      row.push_back(ReportCell::words(name));
      for (const MaybeNumber& v : values) row.push_back(ReportCell::number(v, 3));
    };
    const std::vector<TraceGroup> all = groups();
    for (const TraceGroup& g : all) {
      for (std::size_t n = 0; g.has_rows && n < g.traces.size(); ++n) {
        MaybeNumbers values;
        for (const MaybeNumbers& of_series : g.values) values.push_back(of_series[n]);
        add_row(comparison_.traces()[g.traces[n]], values);
      }
      const BarChart::Series& of_group = chart.series[static_cast<std::size_t>(&g - all.data())];
      add_row(of_group.name, of_group.values);
      if (of_group.ranges.empty()) continue;
      auto& row = numbers.rows.emplace_back();
      row.push_back(ReportCell::words(of_group.name + ", 95 %"));
      for (const MaybeRange& r : of_group.ranges)
        row.push_back(r ? ReportCell::range(r->low, r->high, 3) : ReportCell::number({}, 0));
    }
    return figure_with(
        svg_of(chart), std::move(numbers),
        "Means over traces; the numbers have each trace." +
            std::string(chart.series.front().ranges.empty()
                            ? ""
                            : " Lines are 95 % intervals over seeds and starts (Student's t)."));
  }

  Figure pareto() const {
    ParetoChart chart{frame(figure_.parts[1].first), figure_.parts[0].first, {}};
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      const MaybeNumber less = mean(s, 0), more = mean(s, 1);
      if (!less || !more) continue;
      chart.points.push_back(ParetoChart::with_storage(
          figure_.series[s].name, *less, *more, run_of(s, 0).operand_storage_bytes, is_limit(run_of(s, 0))));
    }
    return pareto_figure(chart, figure_.heading());
  }

  struct EndNumbers {
    std::string name, baseline;
    MaybeNumber value;
  };

  // Numbers of the next end of a change, whose series is `s`. "banks=4" is "4" beside the bar of the banks.
  EndNumbers end_of(std::size_t s, std::size_t part) const {
    const std::string& name = figure_.series[s].name;
    return {name.substr(name.find('=') + 1), comparison_.platforms()[numbers_.bases[s]], mean(s, part)};
  }

  Figure tornado() const {
    TornadoChart chart{frame(""), {}};
    ReportTable numbers = table({{"value", false},
                                 {"change", false},
                                 {"end", false},
                                 {"gain", true},
                                 {"gain as it is", true},
                                 {"against", false}});
    for (std::size_t p = 0; p < figure_.parts.size(); ++p) {
      const MaybeNumber middle = mean(0, p);
      if (!middle) continue;
      TornadoChart::Panel panel{figure_.parts[p].first, *middle, {}};
      std::size_t s = 1;
      for (const PaperFigure::Change& change : figure_.changes) {
        TornadoChart::Bar bar{change.name, {}};
        for (std::size_t e = 0; e < change.ends.size(); ++e, ++s) {
          const EndNumbers end = end_of(s, p);
          bar.ends.push_back({end.name, end.value});
          numbers.rows.push_back({ReportCell::words(panel.axis), ReportCell::words(change.name),
                                  ReportCell::words(end.name), ReportCell::number(end.value, 3),
                                  ReportCell::number(middle, 3), ReportCell::words(end.baseline)});
        }
        if (bar.width(*middle) > 0) panel.bars.push_back(std::move(bar));
      }
      std::stable_sort(panel.bars.begin(), panel.bars.end(),
                       [&](const auto& a, const auto& b) { return a.width(*middle) > b.width(*middle); });
      chart.panels.push_back(std::move(panel));
    }
    return figure_with(svg_of(chart), std::move(numbers),
                       "Against the baseline with the same change, where it has what changes. Means over "
                       "traces. A change that "
                       "does nothing has no bar.");
  }

  const PaperFigure& figure_;
  const PaperNumbers& numbers_;
  const Comparison& comparison_;
  const std::string& results_name_;
};

}  // namespace

Figure scheme_figure(const PaperFigure& figure, const PaperNumbers& numbers, const Comparison& comparison,
                     const std::string& results_name) {
  return SchemeFigureMaker(figure, numbers, comparison, results_name).made();
}

}  // namespace subcore
