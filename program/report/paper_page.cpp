#include "subcore/program/report/paper_page.h"

#include <algorithm>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "subcore/model/statistics/cautions.h"
#include "subcore/program/report/figures.h"
#include "subcore/program/report/markup.h"
#include "subcore/program/report/page.h"
#include "subcore/program/report/paper_numbers.h"

namespace subcore {
namespace {

constexpr const char* no_reason = "no reason is given for a difference that is larger than the spread";

using Kind = PaperFigure::Kind;

std::string range_of(std::vector<std::uint64_t> values, const std::string& one, const std::string& many) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return std::to_string(*most) + ' ' + (*most == 1 ? one : many);
  return std::to_string(*least) + " to " + std::to_string(*most) + ' ' + many;
}

class FigureMaker {
 public:
  FigureMaker(const PaperFigure& figure, const Comparison& comparison, const std::string& results_name)
      : figure_(figure),
        comparison_(comparison),
        results_name_(results_name),
        numbers_(paper_numbers(figure, comparison, results_name)) {
    for (const std::size_t t : numbers_.traces) traces_.push_back(comparison.traces()[t]);
  }

  MadeFigure made() {
    if (traces_.empty())
      return {
          figure_,
          section_html(figure_.id, figure_.heading(),
                       "<p>" + escaped(figure_.note) +
                           " <strong>None of the traces here is one that this figure is of.</strong></p>\n" +
                           stated_html()),
          "", std::move(numbers_)};
    Figure drawn = is_of_schemes() ? scheme_figure(figure_, numbers_, comparison_, results_name_)
                   : figure_.kind == Kind::intervals ? over_time()
                                                     : drawn_figure();
    if (!figure_.note.empty())
      drawn.caption = figure_.note + (drawn.caption.empty() ? "" : " ") + drawn.caption;
    const std::string section = section_html(
        figure_.id, figure_.heading(),
        figure_html(drawn, figure_.kind == Kind::intervals ? zoom_tools : "") + transitions_html() +
            energies_html() + stated_html() + reasons_html() + basis_html());
    return {figure_, section, drawn.svg, std::move(numbers_)};
  }

 private:
  bool is_of_schemes() const {
    return figure_.kind == Kind::means || figure_.kind == Kind::pareto || figure_.kind == Kind::tornado;
  }
  ChartFrame frame() const {
    return {figure_.id, figure_.title, figure_.axis,
            cautions_of(comparison_, numbers_.series, numbers_.traces)};
  }
  const char* mean_name() const { return figure_.is_mean_geometric ? "geo. mean" : "mean"; }
  bool has_mean() const { return traces_.size() > 1; }
  MaybeNumber reference() const { return figure_.against.empty() ? MaybeNumber() : 1.0; }

  // Values by trace, and the mean behind them.
  MaybeNumbers with_mean(std::size_t series, std::size_t part) const {
    MaybeNumbers values = numbers_.values[series][part];
    if (has_mean()) values.push_back(numbers_.mean(series, part, figure_.is_mean_geometric));
    return values;
  }

  std::vector<std::string> groups() const {
    std::vector<std::string> all = traces_;
    if (has_mean()) all.emplace_back(mean_name());
    return all;
  }

  Figure drawn_figure() const {
    if (figure_.kind == Kind::bars && !comparison_.members().empty())
      return bars_figure(bars_with_ranges(), figure_.heading());
    ReportTable table{figure_.id + "_numbers", figure_.title, {{"trace", false}}, {}};
    std::vector<std::vector<std::string>> names;  // names of columns, by series and part
    for (const PaperFigure::Series& s : figure_.series) {
      auto& of_series = names.emplace_back();
      if (figure_.parts.empty()) of_series.push_back(s.name);
      for (const auto& part : figure_.parts) of_series.push_back(s.name + ": " + part.first);
      for (const std::string& n : of_series) table.columns.push_back({n, true});
    }
    const std::vector<std::string> rows = groups();
    for (std::size_t g = 0; g < rows.size(); ++g) {
      auto& row = table.rows.emplace_back();
      row.push_back(ReportCell::words(rows[g]));
      for (std::size_t s = 0; s < names.size(); ++s)
        for (std::size_t p = 0; p < names[s].size(); ++p)
          row.push_back(ReportCell::number(with_mean(s, p)[g], 3));
    }
    const std::string svg = figure_.kind == Kind::bars     ? svg_of(bars())
                            : figure_.kind == Kind::stacks ? stacks()
                                                           : lines();
    return {figure_.id, figure_.heading(), "", svg, std::move(table)};
  }

  BarChart bars() const {
    BarChart chart{frame(), groups(), {}, reference()};
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      chart.series.push_back({figure_.series[s].name, with_mean(s, 0)});
    return chart;
  }

  BarChart bars_with_ranges() const {
    return with_ranges(comparison_,
                       [&](const Comparison& c) { return FigureMaker(figure_, c, results_name_).bars(); });
  }

  std::string stacks() const {
    StackChart chart{frame(), groups(), {}, {}, {}, reference()};
    for (const PaperFigure::Series& s : figure_.series) chart.bars.push_back(s.name);
    for (const auto& part : figure_.parts) chart.parts.push_back(part.first);
    chart.values.assign(chart.groups.size(), std::vector<std::vector<double>>(figure_.series.size()));
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      for (std::size_t p = 0; p < figure_.parts.size(); ++p) {
        const MaybeNumbers values = with_mean(s, p);
        for (std::size_t g = 0; g < values.size(); ++g)
          if (values[g]) chart.values[g][s].push_back(*values[g]);
      }
    return svg_of(chart);
  }

  std::string lines() const {
    LineChart chart{frame(), {}, {}, reference()};
    for (const PaperFigure::Series& s : figure_.series) chart.points.push_back(s.name);
    const std::vector<std::string> names = groups();
    for (std::size_t g = 0; g < names.size(); ++g) {
      chart.lines.push_back({names[g], {}});
      for (std::size_t s = 0; s < figure_.series.size(); ++s)
        chart.lines.back().values.push_back(with_mean(s, 0)[g]);
    }
    return svg_of(chart);
  }

  // The course of the trace that has most to show, whatever it is.
  Figure over_time() const {
    std::size_t longest = 0, most = 0;
    for (const std::size_t t : numbers_.traces)
      for (const std::size_t p : numbers_.series) {
        const std::size_t rows = comparison_.run(p, t)->intervals.size();
        if (rows > most) most = rows, longest = t;
      }
    std::vector<IntervalCourse> courses;
    for (std::size_t s = 0; s < figure_.series.size(); ++s)
      courses.push_back({figure_.series[s].name, numbers_.series[s]});
    std::optional<Figure> f;
    if (most > 0) f = interval_figure(comparison_, longest, figure_.id, courses);
    if (!f)
      throw std::runtime_error("figure " + figure_.id + ": " + results_name_ +
                               ": no intervals of its platforms; expected a folder of --results");
    f->caption = "The longest trace, " + comparison_.traces()[longest] + ". " + f->caption;
    return std::move(*f);
  }

  // Transitions of the STHLD machine of the first platform, if it has one.
  std::string transitions_html() const {
    const SavedRun& run = *comparison_.run(numbers_.series.front(), numbers_.traces.front());
    if (figure_.kind != Kind::intervals || !run.sthld_table) return "";
    ReportTable t{figure_.id + "_transitions",
                  "The machine's transitions: to which state, and by how many steps STHLD moves",
                  {{"state", true}, {"small change of IPC", false}, {"large change", false}},
                  {}};
    const auto words = [](const SthldTransition& e) {
      const std::string steps =
          e.undo ? "the last decrement taken back" : (e.steps > 0 ? "+" : "") + std::to_string(e.steps);
      return ReportCell::words("to " + std::to_string(e.next) + ", " + steps);
    };
    for (unsigned s = 0; s < sthld_states; ++s) {
      const SthldState& state = (*run.sthld_table)[s];
      t.rows.push_back({ReportCell::count(s + 1), words(state.small), words(state.large)});
    }
    const SthldTransition& expired = (*run.sthld_table)[sthld_hold - 1].expired;
    t.rows.push_back(
        {ReportCell::words(std::to_string(sthld_hold) + ", held for sthld.hold_expiry intervals"),
         words(expired), words(expired)});
    return html_of(t);
  }

  // The means of the energies by each shipped table, if the figure compares platforms.
  std::string energies_html() const {
    if (figure_.against.empty()) return "";
    const std::vector<std::string> tables = tables_of_all();
    if (tables.size() < 2) return "";
    ReportTable t{figure_.id + "_by_table", "The means of energy by each shipped table", {{"of", false}}, {}};
    for (const std::string& name : tables) t.columns.push_back({name, true});
    t.columns.push_back({"range", false});
    const std::size_t parts = std::max<std::size_t>(figure_.parts.size(), 1);
    for (std::size_t part = 0; part < parts; ++part)
      if (figure_.kind != Kind::stacks && is_energy(value_of_part(part).text()))
        add_energies(t, part, tables);
    return t.rows.empty() ? "" : html_of(t);
  }

  static bool is_energy(const std::string& value) {
    return value == "energy_pj.total" || value.rfind("energy_by_preset_pj.", 0) == 0;
  }
  const ResultValue& value_of_part(std::size_t part) const {
    return figure_.parts.empty() ? figure_.value : figure_.parts[part].second;
  }

  // The energy tables by which every run was counted.
  std::vector<std::string> tables_of_all() const {
    std::vector<std::string> tables;
    const RunResult& first = comparison_.run(numbers_.series.front(), numbers_.traces.front())->result;
    for (const auto& [name, pj] : first.energy_by_preset_pj) {
      const auto has = [&, preset = name](const SavedRun& r) {
        return value_of(r.result.energy_by_preset_pj, preset).value_or(0) > 0;
      };
      if (std::all_of(comparison_.runs().begin(), comparison_.runs().end(), has)) tables.push_back(name);
    }
    return tables;
  }

  void add_energies(ReportTable& t, std::size_t part, const std::vector<std::string>& tables) const {
    std::vector<PaperNumbers> by_table;
    for (const std::string& name : tables) {
      PaperFigure figure = figure_;
      figure.stated.clear();
      (figure.parts.empty() ? figure.value : figure.parts[part].second) =
          ResultValue("energy_by_preset_pj." + name);
      by_table.push_back(paper_numbers(figure, comparison_, results_name_));
    }
    for (std::size_t s = 0; s < figure_.series.size(); ++s) {
      auto& row = t.rows.emplace_back();
      row.push_back(ReportCell::words(figure_.series[s].name));
      std::vector<double> means;
      for (const PaperNumbers& n : by_table) {
        const MaybeNumber mean = n.mean(s, part, figure_.is_mean_geometric);
        row.push_back(ReportCell::number(mean, 3));
        if (mean) means.push_back(*mean);
      }
      const auto [least, most] = std::minmax_element(means.begin(), means.end());
      row.push_back(means.empty() ? ReportCell::number({}, 0) : ReportCell::range(*least, *most, 3));
    }
  }

  std::string stated_html() const {
    if (figure_.stated.empty() && figure_.paper.empty())
      return figure_.because.empty() ? "" : "<p>" + escaped(figure_.because) + "</p>\n";
    if (figure_.stated.empty()) return "<p>The paper states no number of this figure in its text.</p>\n";
    ReportTable t{figure_.id + "_stated",
                  "What the paper states, and what we have",
                  {{"what", false},
                   {"paper", true},
                   {"ours", true},
                   {"difference", true},
                   {"spread over traces", true},
                   {"larger than it", false}},
                  {}};
    for (std::size_t i = 0; i < figure_.stated.size(); ++i) {
      const StatedNumber& n = figure_.stated[i];
      const PaperNumbers::Stated& s = numbers_.stated[i];
      const std::string verdict = !s.ours       ? "no such trace"
                                  : !s.spread   ? "one trace"
                                  : s.exceeds() ? "yes"
                                                : "no";
      t.rows.push_back({ReportCell::words(n.says), ReportCell::number(n.value, 3),
                        ReportCell::number(s.ours, 3), ReportCell::number(s.difference, 3),
                        ReportCell::number(s.spread, 3), ReportCell::words(verdict)});
    }
    return html_of(t);
  }

  std::string reasons_html() const {
    std::string out;
    for (std::size_t i = 0; i < figure_.stated.size(); ++i) {
      if (!numbers_.stated[i].exceeds()) continue;
      const StatedNumber& n = figure_.stated[i];
      const std::string& reason = n.because.empty() ? figure_.because : n.because;
      out += "<li>" + escaped(n.says) + ": " +
             (reason.empty() ? "<strong>" + std::string(no_reason) + ".</strong>" : escaped(reason)) +
             "</li>\n";
    }
    return out.empty()
               ? ""
               : "<p>Where ours differs by more than the spread over traces:</p>\n<ul>\n" + out + "</ul>\n";
  }

  struct Basis {
    std::string trace;
    std::uint64_t ctas, waves, instructions, sms;
    std::optional<std::uint64_t> decisions;  // the fewest of those that adapt
  };

  std::vector<Basis> bases() const {
    std::vector<Basis> all;
    for (const std::size_t t : numbers_.traces) {
      const SavedRun& first = *comparison_.run(numbers_.series.front(), t);
      const RunResult& r = first.result;
      Basis b{r.trace, r.ctas, first.waves, r.instructions_traced, first.sms, {}};
      for (const std::size_t p : numbers_.series) {
        const SavedRun& run = *comparison_.run(p, t);
        const auto counted = value_of(run.result.own, "sthld_decisions");
        if (!counted && run.sthld_interval == 0) continue;  // STHLD does not adapt
        const std::uint64_t decisions = counted ? *counted : run.result.cycles / run.sthld_interval;
        b.decisions = std::min(decisions, b.decisions.value_or(decisions));
      }
      all.push_back(b);
    }
    return all;
  }

  std::string basis_html() const {
    const std::vector<Basis> all = bases();
    ReportTable t{figure_.id + "_basis",
                  "On what it rests",
                  {{"trace", false},
                   {"CTAs", true},
                   {"waves of them", true},
                   {"warp instructions", true},
                   {"SMs", true},
                   {"STHLD decisions", true}},
                  {}};
    std::vector<std::uint64_t> ctas, waves, instructions, sms, decisions;
    std::size_t short_ones = 0;
    for (const Basis& b : all) {
      ctas.push_back(b.ctas), waves.push_back(b.waves), instructions.push_back(b.instructions),
          sms.push_back(b.sms);
      if (b.decisions) decisions.push_back(*b.decisions);
      if (b.decisions && *b.decisions < fewest_decisions) ++short_ones;
      t.rows.push_back({ReportCell::words(b.trace), ReportCell::count(b.ctas),
                        b.waves != 0 ? ReportCell::count(b.waves) : ReportCell::count({}),
                        ReportCell::count(b.instructions), ReportCell::count(b.sms),
                        ReportCell::count(b.decisions)});
    }
    std::string words = std::to_string(all.size()) + (all.size() == 1 ? " trace of " : " traces of ") +
                        range_of(ctas, "CTA", "CTAs");
    // Counts of a trace have no machine, and results of older versions do not know waves.
    const auto are_known = [](const auto& all_of) {
      return *std::min_element(all_of.begin(), all_of.end()) > 0;
    };
    if (are_known(waves)) words += " in " + range_of(waves, "wave", "waves");
    words += " and " + range_of(instructions, "warp instruction", "warp instructions");
    if (are_known(sms)) words += " on " + range_of(sms, "SM", "SMs");
    std::string flag;
    if (!decisions.empty()) words += ", with " + range_of(decisions, "decision", "decisions") + " on STHLD";
    if (short_ones != 0)
      flag = " <strong>" + std::to_string(short_ones) + " of " + std::to_string(all.size()) +
             (all.size() == 1 ? " trace is" : " traces are") +
             " too short for an adaptive STHLD: fewer than " + std::to_string(fewest_decisions) +
             " decisions.</strong>";
    flag += cautions_html();
    return "<p>It rests on " + words + "." + flag + "</p>\n<details><summary>Trace by trace</summary>\n" +
           html_of(t) + "</details>\n";
  }

  // The cautions of the figure's runs. few_decisions is left out, as results of older versions do not have
  // it.
  std::string cautions_html() const {
    std::string text;
    for (const CautionLine& line : caution_lines) {
      if (line.caution == Caution::few_decisions) continue;
      std::size_t with = 0, all = 0;
      for (const std::size_t t : numbers_.traces)
        for (const std::size_t p : numbers_.series) {
          const std::vector<std::string>& cautions = comparison_.run(p, t)->result.cautions;
          with += static_cast<std::size_t>(std::count(cautions.begin(), cautions.end(), line.name));
          ++all;
        }
      if (with != 0)
        text += " <strong>" + std::to_string(with) + " of " + std::to_string(all) +
                " runs: " + escaped(std::string(line.words)) + ".</strong>";
    }
    return text;
  }

  const PaperFigure& figure_;
  const Comparison& comparison_;
  const std::string& results_name_;
  PaperNumbers numbers_;
  std::vector<std::string> traces_;
};

}  // namespace

MadeFigure made_figure(const PaperFigure& figure, const Comparison& comparison,
                       const std::string& results_name) {
  return FigureMaker(figure, comparison, results_name).made();
}

std::string paper_page(const std::vector<MadeFigure>& figures) {
  ReportTable headline{
      "headline",
      "What papers state of the figures below, and what we have",
      {{"figure", false}, {"what", false}, {"paper", true}, {"ours", true}, {"spread over traces", true}},
      {}};
  std::string links, content;
  for (const MadeFigure& f : figures) {
    links += link_to(f.figure.id, f.figure.paper.empty() ? f.figure.title : f.figure.paper);
    content += f.section;
    for (std::size_t i = 0; i < f.figure.stated.size(); ++i)
      headline.rows.push_back({ReportCell::words(f.figure.paper), ReportCell::words(f.figure.stated[i].says),
                               ReportCell::number(f.figure.stated[i].value, 3),
                               ReportCell::number(f.numbers.stated[i].ours, 3),
                               ReportCell::number(f.numbers.stated[i].spread, 3)});
  }
  if (!headline.rows.empty()) links = link_to("overview", "Overview") + links;
  return whole_page(
      "subcore: figures of the papers",
      "<p>Each made of our runs, on other traces than the papers': what they state is a target and "
      "no expectation. The spread is the standard deviation over traces.</p>\n",
      links,
      (headline.rows.empty() ? "" : section_html("overview", "Overview", html_of(headline))) + content);
}

std::string stated_json(const std::vector<MadeFigure>& figures) {
  using Json = nlohmann::ordered_json;
  const auto number = [](const MaybeNumber& n) { return n ? Json(*n) : Json(); };
  Json all = Json::array();
  for (const MadeFigure& f : figures)
    for (std::size_t i = 0; i < f.figure.stated.size(); ++i) {
      const StatedNumber& n = f.figure.stated[i];
      const PaperNumbers::Stated& s = f.numbers.stated[i];
      all.push_back({{"figure", f.figure.id},
                     {"paper", f.figure.paper},
                     {"says", n.says},
                     {"stated", n.value},
                     {"ours", number(s.ours)},
                     {"difference", number(s.difference)},
                     {"spread", number(s.spread)},
                     {"traces", f.numbers.traces.size()},
                     {"exceeds", s.exceeds()},
                     {"because", n.because.empty() ? f.figure.because : n.because}});
    }
  return all.dump(2) + '\n';
}

}  // namespace subcore
