#include "subcore/program/report/figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "subcore/model/statistics/cautions.h"

namespace subcore {
namespace {

using PartValue = std::function<double(const RunResult& run, const std::string& part)>;
using RunValue = Comparison::Value;

// The range of an energy over the tables; empty with one table.
ReportCell range_of_energies(const ByName<double>& by_table) {
  if (by_table.size() < 2) return ReportCell::number({}, 0);
  const auto [least, most] = std::minmax_element(
      by_table.begin(), by_table.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return ReportCell::range(least->second, most->second, 3);
}

RunValue energy_by(const std::string& table) {
  return [table](const RunResult& r) { return value_of(r.energy_by_preset_pj, table).value_or(0); };
}

ReportTable table_of(const BarChart& c, int decimals) {
  ReportTable t{c.frame.id + "_numbers", c.frame.title, {{"trace", false}}, {}};
  for (const BarChart::Series& s : c.series) {
    t.columns.push_back({s.name, true});
    if (!s.ranges.empty()) t.columns.push_back({s.name + ", 95 %", false});
  }
  for (std::size_t g = 0; g < c.groups.size(); ++g) {
    auto& row = t.rows.emplace_back();
    row.push_back(ReportCell::words(c.groups[g]));
    for (const BarChart::Series& s : c.series) {
      row.push_back(ReportCell::number(s.values[g], decimals));
      if (!s.ranges.empty())
        row.push_back(s.ranges[g] ? ReportCell::range(s.ranges[g]->low, s.ranges[g]->high, decimals)
                                  : ReportCell::number({}, 0));
    }
  }
  return t;
}

ReportTable table_of(const StackChart& c) {
  ReportTable t{
      c.frame.id + "_numbers", c.frame.title, {{"trace", false}, {"platform", false}, {"sum", true}}, {}};
  for (const std::string& part : c.parts) t.columns.push_back({part, true});
  for (std::size_t g = 0; g < c.groups.size(); ++g)
    for (std::size_t b = 0; b < c.bars.size(); ++b) {
      const std::vector<double>& parts = c.values[g][b];
      if (parts.empty()) continue;
      auto& row = t.rows.emplace_back();
      row.push_back(ReportCell::words(c.groups[g]));
      row.push_back(ReportCell::words(c.bars[b]));
      double sum = 0;
      for (const double part : parts) sum += part;
      row.push_back(ReportCell::number(sum, 3));
      for (const double part : parts) row.push_back(ReportCell::number(part, 3));
    }
  return t;
}

std::vector<std::string> groups_of(const Comparison& c, const char* mean) {
  std::vector<std::string> groups = c.traces();
  if (groups.size() > 1) groups.emplace_back(mean);
  return groups;
}

// A series for each platform: by trace, and what `mean` makes of them.
template <class ByTrace, class Mean>
BarChart bars_of(const Comparison& c, ChartFrame frame, const char* mean_name, const ByTrace& by_trace,
                 const Mean& mean) {
  BarChart chart{std::move(frame), groups_of(c, mean_name), {}, {}};
  for (std::size_t p = 0; p < c.platforms().size(); ++p) {
    BarChart::Series& s = chart.series.emplace_back();
    s.name = c.platforms()[p];
    for (std::size_t t = 0; t < c.traces().size(); ++t) s.values.push_back(by_trace(p, t));
    if (c.traces().size() > 1) s.values.push_back(mean(p));
  }
  return chart;
}

BarChart values_chart(const Comparison& c, ChartFrame frame, const RunValue& value) {
  return bars_of(
      c, std::move(frame), "mean",
      [&](std::size_t p, std::size_t t) {
        const SavedRun* run = c.run(p, t);
        return run == nullptr ? MaybeNumber() : value(run->result);
      },
      [&](std::size_t p) { return c.mean_of_common(p, value); });
}

BarChart ratios_chart(const Comparison& c, ChartFrame frame, const RunValue& value) {
  BarChart chart = bars_of(
      c, std::move(frame), "geo. mean", [&](std::size_t p, std::size_t t) { return c.ratio(p, t, value); },
      [&](std::size_t p) { return c.mean_ratio(p, value); });
  chart.reference = 1;
  return chart;
}

// Every part of a run over `whole` of the first platform's run on the same trace; parts that no run has are
// left out. The mean is arithmetic, so that its parts are a stack, too.
StackChart stack_of(const Comparison& c, ChartFrame frame, const std::vector<std::string>& names,
                    const PartValue& value, const RunValue& whole) {
  StackChart chart{std::move(frame), groups_of(c, "mean"), c.platforms(), {}, {}, 1};
  for (const std::string& name : names)
    if (std::any_of(c.runs().begin(), c.runs().end(),
                    [&](const SavedRun& r) { return value(r.result, name) > 0; }))
      chart.parts.push_back(name);
  chart.values.assign(chart.groups.size(), std::vector<std::vector<double>>(c.platforms().size()));
  for (std::size_t p = 0; p < c.platforms().size(); ++p) {
    std::vector<double> sum(chart.parts.size());
    double count = 0;
    for (std::size_t t = 0; t < c.traces().size(); ++t) {
      const SavedRun *run = c.run(p, t), *first = c.run(0, t);
      if (run == nullptr || first == nullptr) continue;
      const double of_first = whole(first->result);
      std::vector<double>& parts = chart.values[t][p];
      double all = 0;
      for (const std::string& name : chart.parts) {
        parts.push_back(value(run->result, name) / of_first);
        all += parts.back();
      }
      if (!(all > 0) || !std::isfinite(all)) {  // nothing was counted here, or nothing there
        parts.clear();
        continue;
      }
      for (std::size_t i = 0; i < parts.size(); ++i) sum[i] += parts[i];
      ++count;
    }
    if (c.traces().size() < 2 || count == 0) continue;
    for (double& s : sum) s /= count;
    chart.values.back()[p] = sum;
  }
  return chart;
}

template <class T>
double named(const ByName<T>& values, const std::string& name) {
  return static_cast<double>(value_of(values, name).value_or(T{}));
}

template <class T>
std::vector<std::string> names_of(const Comparison& c, ByName<T> RunResult::*values) {
  std::vector<std::string> names;
  for (const SavedRun& r : c.runs())
    for (const auto& entry : r.result.*values)
      if (std::find(names.begin(), names.end(), entry.first) == names.end()) names.push_back(entry.first);
  return names;
}

double traffic(const RunResult& r, const std::string& part) {
  return static_cast<double>(part == "bank reads"    ? r.bank_reads
                             : part == "bank writes" ? r.bank_writes
                             : part == "cache reads" ? r.cache_read_hits
                                                     : r.cache_writes);
}

double all_traffic(const RunResult& r) {
  return static_cast<double>(r.bank_reads + r.bank_writes + r.cache_read_hits + r.cache_writes);
}

Figure figure_of(const BarChart& c, const std::string& heading, const std::string& caption, int decimals) {
  const bool has_ranges = !c.series.empty() && !c.series.front().ranges.empty();
  return {c.frame.id, heading,
          caption + (has_ranges
                         ? " Bars are means over seeds and starts, lines their 95 % intervals (Student's t)."
                         : ""),
          svg_of(c), table_of(c, decimals)};
}

// A group of bars for each platform: its mean energy by each shipped table.
BarChart energy_by_table_chart(const Comparison& c) {
  const std::string& first = c.platforms().front();
  BarChart chart{{"energy_by_table", "Energy by table, against " + first, "energy / energy of " + first},
                 c.platforms(),
                 {},
                 1};
  for (const std::string& table : names_of(c, &RunResult::energy_by_preset_pj)) {
    BarChart::Series& s = chart.series.emplace_back();
    s.name = table;
    for (std::size_t p = 0; p < c.platforms().size(); ++p)
      s.values.push_back(c.mean_ratio(p, energy_by(table)));
  }
  return chart;
}

void add(std::vector<Figure>& figures, const StackChart& c, const std::string& heading,
         const std::string& caption) {
  if (!c.parts.empty())
    figures.push_back(
        {c.frame.id, heading,
         caption + " The mean is arithmetic, over the traces that a platform and the first one both ran.",
         svg_of(without_small_parts(c, 0.01)), table_of(c)});
}

// The range of a platform's mean energy over the tables.
ReportCell energy_range(const Comparison& c, std::size_t platform) {
  ByName<double> by_table;
  for (const std::string& table : names_of(c, &RunResult::energy_by_preset_pj))
    if (const auto mean = c.mean_ratio(platform, energy_by(table))) by_table.emplace_back(table, *mean);
  return range_of_energies(by_table);
}

// The number of a platform's runs on these traces that have a caution.
std::size_t runs_with(const CautionLine& caution, const Comparison& c, std::size_t platform,
                      const std::vector<std::size_t>& traces) {
  return static_cast<std::size_t>(std::count_if(traces.begin(), traces.end(), [&](std::size_t t) {
    const SavedRun* const r = c.run(platform, t);
    return r != nullptr &&
           std::count(r->result.cautions.begin(), r->result.cautions.end(), caution.name) != 0;
  }));
}

// The cautions of a platform's runs on these traces, each with the number of runs that have it.
std::string cautions_of(const Comparison& c, std::size_t platform, const std::vector<std::size_t>& traces) {
  std::string text;
  for (const CautionLine& line : caution_lines) {
    const std::size_t runs = runs_with(line, c, platform, traces);
    if (runs != 0)
      text += (text.empty() ? "" : ", ") + std::string(line.name) + " (" + std::to_string(runs) + ")";
  }
  return text;
}

// The numbers from 0 to below that.
std::vector<std::size_t> all_below(std::size_t end) {
  std::vector<std::size_t> all(end);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Drops columns that no run has, as hit ratios of caches that are not there.
void drop_empty_columns(ReportTable& t) {
  for (std::size_t i = t.columns.size(); i-- > 0;) {
    if (std::any_of(t.rows.begin(), t.rows.end(), [&](const auto& row) { return !row[i].value.empty(); }))
      continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    t.columns.erase(t.columns.begin() + at);
    for (auto& row : t.rows) row.erase(row.begin() + at);
  }
}

}  // namespace

std::vector<std::string> cautions_of(const Comparison& c, const std::vector<std::size_t>& platforms,
                                     const std::vector<std::size_t>& traces) {
  std::vector<std::string> words;
  for (const CautionLine& line : caution_lines) {
    std::size_t all = 0, cautioned = 0;
    std::vector<std::string> named;
    for (const std::size_t p : platforms) {
      for (const std::size_t t : traces) all += c.run(p, t) != nullptr;
      const std::size_t n = runs_with(line, c, p, traces);
      cautioned += n;
      if (n != 0) named.push_back(c.platforms()[p] + " (" + std::to_string(n) + ")");
    }
    if (cautioned == 0) continue;
    if (cautioned == all) named = {"all runs"};
    named.front().insert(0, std::string(line.name) + ": ");
    words.insert(words.end(), named.begin(), named.end());
  }
  if (!words.empty()) words.insert(words.begin(), "Cautions, and of how many runs:");
  return words;
}

Figure bars_figure(const BarChart& chart, const std::string& heading) {
  return figure_of(chart, heading, "", 3);
}

StackChart without_small_parts(StackChart chart, double share) {
  std::vector<bool> is_large(chart.parts.size());
  for (const auto& group : chart.values)
    for (const std::vector<double>& bar : group) {
      double sum = 0;
      for (const double part : bar) sum += part;
      for (std::size_t i = 0; i < bar.size(); ++i)
        if (bar[i] >= share * sum) is_large[i] = true;
    }
  std::vector<std::string> large, small;
  for (std::size_t i = 0; i < chart.parts.size(); ++i)
    (is_large[i] ? large : small).push_back(chart.parts[i]);
  if (small.size() < 2) return chart;
  std::string others = "other (";
  for (const std::string& s : small) others += (s == small.front() ? "" : ", ") + s;
  for (auto& group : chart.values)
    for (std::vector<double>& bar : group) {
      if (bar.empty()) continue;
      std::vector<double> kept;
      double rest = 0;
      for (std::size_t i = 0; i < bar.size(); ++i)
        if (is_large[i])
          kept.push_back(bar[i]);
        else
          rest += bar[i];
      kept.push_back(rest);
      bar = kept;
    }
  chart.parts = large;
  chart.parts.push_back(others + ")");
  return chart;
}

std::vector<Figure> comparison_figures(const Comparison& c) {
  const std::string& first = c.platforms().front();
  const auto ipc = [](const RunResult& r) { return r.ipc; };
  const std::vector<std::string> cautions =
      cautions_of(c, all_below(c.platforms().size()), all_below(c.traces().size()));
  const auto framed = [&](const char* id, const std::string& title, const std::string& axis) {
    return ChartFrame{id, title, axis, cautions};
  };
  const auto ratios = [&](const ChartFrame& frame, const RunValue& value) {
    return with_ranges(c, [&](const Comparison& m) { return ratios_chart(m, frame, value); });
  };
  const auto values = [&](const ChartFrame& frame, const RunValue& value) {
    return with_ranges(c, [&](const Comparison& m) { return values_chart(m, frame, value); });
  };
  std::vector<Figure> figures{
      figure_of(ratios(framed("ipc_ratio", "IPC against " + first, "IPC / IPC of " + first), ipc),
                "IPC against the first platform",
                "More is better. The mean is geometric, over the traces that a platform and " + first +
                    " both ran.",
                3),
      figure_of(values(framed("ipc", "IPC", "instructions per cycle"), ipc), "IPC",
                "Warp instructions per cycle, of the whole GPU. The mean is arithmetic, over the traces that "
                "all platforms ran.",
                3),
      figure_of(values(framed("hits", "Read hits", "% of source operands"),
                       [](const RunResult& r) { return 100 * r.read_hit_ratio; }),
                "Hits",
                "Source operands that came out of a collector or a register cache, not out of a bank. The "
                "mean is over "
                "the traces that all platforms ran.",
                1)};
  add(figures,
      stack_of(
          c, framed("energy", "Energy by event, against " + first, "energy / energy of " + first),
          names_of(c, &RunResult::energy_pj),
          [](const RunResult& r, const std::string& part) { return named(r.energy_pj, part); },
          [](const RunResult& r) { return r.energy_total_pj; }),
      "Energy",
      "Of the register-operand path, by event, over the total of " + first +
          " on the same trace. Absolute values "
          "are uncertain by about a factor of two.");
  BarChart by_table = with_ranges(c, energy_by_table_chart);
  by_table.frame.cautions = cautions;
  if (by_table.series.size() > 1)
    figures.push_back(figure_of(
        by_table, "Energy by table",
        "The same events by each shipped energy table: geometric means over the traces that a platform and " +
            first +
            " both ran. Where bars of a platform are on both sides of 1, whether it saves energy is a matter "
            "of "
            "the table.",
        3));
  add(figures,
      stack_of(
          c, framed("stalls", "Scheduler cycles by cause, against " + first, "cycles / cycles of " + first),
          names_of(c, &RunResult::stall_cycles),
          [](const RunResult& r, const std::string& part) {
            return r.schedulers == 0 ? 0 : named(r.stall_cycles, part) / static_cast<double>(r.schedulers);
          },
          [](const RunResult& r) { return static_cast<double>(r.cycles); }),
      "Stall causes",
      "What the issue schedulers spent their cycles on; a whole bar is the run's time over that of " + first +
          " on the same trace.");
  add(figures,
      stack_of(c, framed("traffic", "Operand traffic, against " + first, "accesses / accesses of " + first),
               {"bank reads", "bank writes", "cache reads", "cache writes"}, traffic, all_traffic),
      "Traffic",
      "Operands read from and written to register banks and caches, over all those of " + first +
          " on the same trace.");
  for (Figure& front : front_figures(c, cautions)) figures.push_back(std::move(front));
  return figures;
}

ReportTable table_of_means(const Comparison& c) {
  const auto ipc = [](const RunResult& r) { return r.ipc; };
  const auto energy = [](const RunResult& r) { return r.energy_total_pj; };
  const auto reads = [](const RunResult& r) { return static_cast<double>(r.bank_reads); };
  const auto writes = [](const RunResult& r) { return static_cast<double>(r.bank_writes); };
  const auto hits = [](const RunResult& r) { return r.read_hit_ratio; };
  const auto l1_hits = [](const RunResult& r) { return r.l1_hit_ratio.value_or(std::nan("")); };
  ReportTable t{"means",
                "Means over traces, against " + c.platforms().front() + " (geometric; of hits arithmetic)",
                {{"platform", false},
                 {"machine", false},
                 {"traces", true},
                 {"IPC vs first", true},
                 {"read hits %", true},
                 {"bank reads vs first", true},
                 {"bank writes vs first", true},
                 {"energy vs first", true},
                 {"energy by tables", false},
                 {"L1 hits %", true},
                 {"cautions", false}},
                {}};
  const std::vector<Comparison> members = c.members();
  if (!members.empty()) t.columns.insert(t.columns.begin() + 4, {{"95 %", false}, {"worst", true}});
  for (std::size_t p = 0; p < c.platforms().size(); ++p) {
    std::uint64_t both = 0;
    for (std::size_t i = 0; i < c.traces().size(); ++i)
      both += c.run(p, i) != nullptr && c.run(0, i) != nullptr;
    t.rows.push_back(
        {ReportCell::words(c.platforms()[p]), ReportCell::words(c.machine(p)), ReportCell::count(both),
         ReportCell::number(c.mean_ratio(p, ipc), 3), ReportCell::number(c.mean(p, hits), 1, 100),
         ReportCell::number(c.mean_ratio(p, reads), 3), ReportCell::number(c.mean_ratio(p, writes), 3),
         ReportCell::number(c.mean_ratio(p, energy), 3), energy_range(c, p),
         ReportCell::number(c.mean(p, l1_hits), 1, 100),
         ReportCell::words(cautions_of(c, p, all_below(c.traces().size())))});
    if (members.empty()) continue;
    std::vector<double> ratios;
    for (const Comparison& m : members) ratios.push_back(m.mean_ratio(p, ipc).value_or(std::nan("")));
    const std::optional<Spread> spread = spread_over(ratios, WorstEnd::lowest);
    auto& row = t.rows.back();
    if (spread) row[3] = ReportCell::number(spread->mean, 3);
    row.insert(row.begin() + 4,
               {spread ? ReportCell::range(spread->low(), spread->high(), 3) : ReportCell::number({}, 0),
                ReportCell::number(spread ? MaybeNumber(spread->worst) : MaybeNumber(), 3)});
  }
  drop_empty_columns(t);
  return t;
}

ReportTable table_of_runs(const Comparison& c) {
  ReportTable t{"runs", "All runs", {{"trace", false}, {"platform", false}, {"machine", false}}, {}};
  for (const char* name : {"cycles", "IPC", "IPC busy", "IPC vs first", "read hits %", "bank reads",
                           "bank writes", "cache writes", "energy \xC2\xB5J", "energy vs first", "STHLD mean",
                           "L1 hits %", "L2 hits %", "storage KB per SM", "waves"})
    t.columns.push_back({name, true});
  t.columns.push_back({"energy by tables", false});
  t.columns.push_back({"cautions", false});
  const std::vector<std::string> own = names_of(c, &RunResult::own);
  for (const std::string& name : own) t.columns.push_back({name, true});
  for (std::size_t i = 0; i < c.traces().size(); ++i)
    for (std::size_t p = 0; p < c.platforms().size(); ++p) {
      if (c.run(p, i) == nullptr) continue;
      const RunResult& r = c.run(p, i)->result;
      const auto energy = r.energy_total_pj > 0 ? MaybeNumber(r.energy_total_pj) : MaybeNumber();
      auto& row = t.rows.emplace_back();
      row = {ReportCell::words(r.trace),
             ReportCell::words(r.platform),
             ReportCell::words(r.machine),
             ReportCell::count(r.cycles),
             ReportCell::number(r.ipc, 3),
             ReportCell::number(r.ipc_busy, 3),
             ReportCell::number(r.ipc_normalised, 3),
             ReportCell::number(r.read_hit_ratio, 1, 100),
             ReportCell::count(r.bank_reads),
             ReportCell::count(r.bank_writes),
             ReportCell::count(r.cache_writes),
             ReportCell::number(energy, 3, 1e-6),
             ReportCell::number(r.energy_normalised, 3),
             ReportCell::number(r.sthld_mean, 2),
             ReportCell::number(r.l1_hit_ratio, 1, 100),
             ReportCell::number(r.l2_hit_ratio, 1, 100),
             ReportCell::number(static_cast<double>(r.operand_storage_bytes), 1, 1.0 / 1024),
             ReportCell::number(r.waves, 1),
             range_of_energies(r.energy_by_preset_normalised),
             ReportCell::words(caution_names(r))};
      for (const std::string& name : own) row.push_back(ReportCell::count(value_of(r.own, name)));
    }
  drop_empty_columns(t);
  return t;
}

}  // namespace subcore
