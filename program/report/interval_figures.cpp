#include <algorithm>
#include <functional>

#include "subcore/program/report/figures.h"

namespace subcore {
namespace {

// More intervals could not be told apart on paper, and would make long runs' reports large.
constexpr std::size_t most_intervals = 400;

struct Quantity {
  const char *axis, *column;
  int decimals;
  std::function<double(const IntervalRow& row, double nanoseconds)> value;
  bool always;  // also where it is 0 throughout
};

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all{
      {"IPC", "IPC", 3, [](const IntervalRow& r, double) { return r.ipc; }, true},
      {"read hits (%)", "read hits %", 1, [](const IntervalRow& r, double) { return 100 * r.read_hit_ratio; },
       true},
      {"STHLD (cycles)", "STHLD cycles", 0,
       [](const IntervalRow& r, double) { return static_cast<double>(r.sthld); }, false},
      // pJ per ns
      {"power (mW)", "power mW", 2, [](const IntervalRow& r, double ns) { return r.energy_pj / ns; }, false},
  };
  return all;
}

struct Course {
  std::string platform;
  double clock_period_ns;
  std::vector<IntervalRow> rows;

  // The quantity in the interval that ends with a row.
  double value(const Quantity& q, std::size_t row) const {
    const std::uint64_t begin = row == 0 ? 0 : rows[row - 1].cycle;
    return q.value(rows[row], static_cast<double>(rows[row].cycle - begin) * clock_period_ns);
  }
};

Figure figure_of(const std::string& id, const std::string& trace, const std::vector<Course>& courses,
                 std::vector<std::string> cautions) {
  StepChart chart{{id, trace + " over time", "cycle", std::move(cautions)}, {}, {}};
  ReportTable numbers{id + "_numbers", trace + " over time", {{"platform", false}, {"to cycle", true}}, {}};
  for (const Course& c : courses) chart.lines.push_back(c.platform);
  std::vector<const Quantity*> shown;
  for (const Quantity& q : quantities()) {
    StepChart::Plot plot{q.axis, {}};
    bool is_zero = true;
    for (const Course& c : courses) {
      auto& steps = plot.steps.emplace_back();
      for (std::size_t i = 0; i < c.rows.size(); ++i) {
        steps.emplace_back(static_cast<double>(c.rows[i].cycle), c.value(q, i));
        if (steps.back().second != 0) is_zero = false;
      }
    }
    if (is_zero && !q.always) continue;
    chart.plots.push_back(std::move(plot));
    shown.push_back(&q);
    numbers.columns.push_back({q.column, true});
  }
  for (const Course& c : courses)
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
      auto& row = numbers.rows.emplace_back();
      row = {ReportCell::words(c.platform), ReportCell::count(c.rows[i].cycle)};
      for (const Quantity* q : shown) row.push_back(ReportCell::number(c.value(*q, i), q->decimals));
    }
  return {id, trace, "Means of intervals. A line ends where its run does.", svg_of(chart),
          std::move(numbers)};
}

// The name in characters that the name of a file and the id of an element may have.
std::string plain(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

}  // namespace

std::vector<IntervalRow> merged(const std::vector<IntervalRow>& rows, std::size_t most) {
  const std::size_t together = (rows.size() + most - 1) / most;
  if (together < 2) return rows;
  std::vector<IntervalRow> out;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < rows.size(); i += together) {
    IntervalRow sum;
    double sthld_cycles = 0;
    std::uint64_t from = begin;
    for (std::size_t j = i; j < std::min(i + together, rows.size()); ++j) {
      const IntervalRow& r = rows[j];
      sum.instructions += r.instructions;
      sum.source_operands += r.source_operands;
      sum.cache_read_hits += r.cache_read_hits;
      sum.energy_pj += r.energy_pj;
      sthld_cycles += static_cast<double>(r.sthld) * static_cast<double>(r.cycle - from);
      sum.state = r.state;
      from = sum.cycle = r.cycle;
    }
    const auto cycles = static_cast<double>(sum.cycle - begin);
    sum.ipc = static_cast<double>(sum.instructions) / cycles;
    sum.read_hit_ratio = sum.source_operands == 0 ? 0.0
                                                  : static_cast<double>(sum.cache_read_hits) /
                                                        static_cast<double>(sum.source_operands);
    sum.sthld = static_cast<std::uint32_t>(sthld_cycles / cycles + 0.5);
    begin = sum.cycle;
    out.push_back(sum);
  }
  return out;
}

std::optional<Figure> interval_figure(const Comparison& c, std::size_t trace, const std::string& id,
                                      const std::vector<IntervalCourse>& shown) {
  std::vector<Course> courses;
  std::vector<std::size_t> platforms;
  bool has_rows = false, is_merged = false;
  for (const IntervalCourse& s : shown) {
    Course& course = courses.emplace_back(Course{s.name, 1, {}});  // the course's looks are by its number
    platforms.push_back(s.platform);
    const SavedRun* run = c.run(s.platform, trace);
    if (run == nullptr || run->intervals.empty()) continue;
    course.clock_period_ns = run->clock_period_ns;
    course.rows = merged(run->intervals, most_intervals);
    has_rows = true;
    if (course.rows.size() != run->intervals.size()) is_merged = true;
  }
  if (!has_rows) return std::nullopt;
  Figure f = figure_of(id, c.traces()[trace], courses, cautions_of(c, platforms, {trace}));
  if (is_merged) f.caption += " Neighbours are drawn together where there are more than 400.";
  return f;
}

std::vector<Figure> interval_figures(const Comparison& c) {
  std::vector<IntervalCourse> all;
  for (std::size_t p = 0; p < c.platforms().size(); ++p) all.push_back({c.platforms()[p], p});
  std::vector<Figure> figures;
  for (std::size_t t = 0; t < c.traces().size(); ++t) {
    // Ids have numbers, because plain() may make one of two names.
    std::string number = std::to_string(t + 1);
    number.insert(0, std::to_string(c.traces().size()).size() - number.size(), '0');
    std::optional<Figure> f = interval_figure(c, t, "intervals_" + number + '_' + plain(c.traces()[t]), all);
    if (f) figures.push_back(std::move(*f));
  }
  return figures;
}

}  // namespace subcore
