#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "subcore/base/text_width.h"
#include "subcore/model/sampling/sample_estimate.h"
#include "subcore/model/statistics/cautions.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/model/statistics/spread.h"

namespace subcore {
namespace {

using Row = std::vector<std::string>;

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string percent(double ratio) {
  const std::string text = fixed(100 * ratio, 1);
  return text == "-" ? text : text + " %";
}

// The values of a member, in order of first appearance.
template <class Member>
std::vector<std::string> distinct(const std::vector<RunResult>& results, Member member) {
  std::vector<std::string> words;
  for (const RunResult& r : results)
    if (std::find(words.begin(), words.end(), r.*member) == words.end()) words.push_back(r.*member);
  return words;
}

const RunResult* find(const std::vector<RunResult>& results, const std::string& platform,
                      const std::string& trace) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const RunResult& r) {
    return r.platform == platform && r.trace == trace;
  });
  return found == results.end() ? nullptr : &*found;
}

// The geometric mean of ratios. Nothing if a ratio is missing or not positive.
class RatioMean {
 public:
  void add(std::optional<double> value) {
    ++count_;
    if (!value || !(*value > 0)) valid_ = false;
    if (valid_) log_sum_ += std::log(*value);
  }
  std::optional<double> value() const {
    return valid_ && count_ > 0 ? std::optional(std::exp(log_sum_ / count_)) : std::nullopt;
  }
  std::string text() const { return fixed(value().value_or(std::nan("")), 3); }

 private:
  double log_sum_ = 0;
  int count_ = 0;
  bool valid_ = true;
};

// The column's value. Nothing if the column has no decimals, or the run has no value.
std::optional<double> number(const ResultColumn& c, const RunResult& r) {
  if (const auto* m = std::get_if<double RunResult::*>(&c.of_run)) return r.**m;
  if (const auto* m = std::get_if<std::optional<double> RunResult::*>(&c.of_run)) return r.**m;
  if (const auto* m = std::get_if<SumMembers>(&c.of_run))
    return (r.*m->by_name).empty() ? std::nullopt : std::optional(r.*m->total);
  return std::nullopt;
}

// The text behind an energy: its range over all energy tables. Empty if they agree.
std::string range_text(const ByName<double>& by_table) {
  if (by_table.empty()) return "";
  const auto [least, most] = std::minmax_element(
      by_table.begin(), by_table.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::string low = fixed(least->second, 3), high = fixed(most->second, 3);
  return low == high ? "" : " " + low + "-" + high;
}

// The geometric mean of the runs' energies by each table that all runs have.
ByName<double> means_by_table(const std::vector<const RunResult*>& runs) {
  ByName<double> all;
  for (const auto& entry : runs.front()->energy_by_preset_normalised) {
    RatioMean mean;
    for (const RunResult* r : runs) mean.add(value_of(r->energy_by_preset_normalised, entry.first));
    if (mean.value()) all.emplace_back(entry.first, *mean.value());
  }
  return all;
}

bool is_energy(const ResultColumn& c) {
  return c.key == "energy_normalised";
}

// The cycles of the whole of a sampled run, if they may be stated.
std::string whole_cycles(const Sample& sample) {
  const SampleEstimate estimate(sample);
  return estimate.first_uneven() == nullptr ? fixed(estimate.whole().cycles, 0) : "-";
}

std::string cell(const ResultColumn& c, const RunResult& r) {
  if (const auto* m = std::get_if<std::vector<std::string> RunResult::*>(&c.of_run))
    return caution_marks(r.**m);
  if (const auto* m = std::get_if<std::string RunResult::*>(&c.of_run)) return r.**m;
  if (c.key == "cycles" && r.sample) return whole_cycles(*r.sample);
  if (const auto count = c.count(r)) return std::to_string(*count);
  const std::optional<double> n = number(c, r);
  if (!n) return "-";
  if (is_energy(c)) return fixed(*n, 3) + range_text(r.energy_by_preset_normalised);
  return c.is_in_percent() ? percent(*n) : fixed(*n, 3);
}

// The letters of the cautions of any of the runs. Cautions about noise count only if the mean is within
// noise.
std::string average_marks(const std::vector<const RunResult*>& runs, const std::vector<RunResult>& all) {
  std::string marks;
  for (const CautionLine& line : caution_lines) {
    const auto has = [&](const RunResult* r) {
      return std::find(r->cautions.begin(), r->cautions.end(), line.name) != r->cautions.end();
    };
    bool holds = std::any_of(runs.begin(), runs.end(), has);
    if (line.caution == Caution::within_noise) {
      RatioMean mean;
      for (const RunResult* r : runs) mean.add(r->ipc_normalised);
      const auto spread = spread_of_means(all, runs, "ipc_normalised");
      holds = spread ? is_within_noise(*spread) : mean.value() && is_within_noise(*mean.value());
    } else if (line.caution == Caution::energy_within_noise) {
      const auto spread = spread_of_means(all, runs, "energy_normalised");
      holds = spread && is_within_noise(*spread);
    }
    if (holds) marks += line.mark;
  }
  return marks;
}

// `all` has the runs and their further members.
std::string average(const ResultColumn& c, const std::vector<const RunResult*>& runs,
                    const std::vector<RunResult>& all) {
  if (std::holds_alternative<std::string RunResult::*>(c.of_run)) return cell(c, *runs.front());
  if (std::holds_alternative<std::vector<std::string> RunResult::*>(c.of_run))
    return average_marks(runs, all);
  if (c.is_in_percent()) {
    double sum = 0;
    for (const RunResult* r : runs) sum += number(c, *r).value_or(std::nan(""));
    return percent(sum / static_cast<double>(runs.size()));
  }
  RatioMean mean;  // an average of counts of different traces would have no meaning
  for (const RunResult* r : runs) mean.add(number(c, *r));
  return is_energy(c) ? mean.text() + range_text(means_by_table(runs)) : mean.text();
}

// The gap before a column, and the least width of the column of names.
constexpr std::size_t gap = 2, narrowest_name = 16;

struct Block {
  std::string heading;
  std::vector<Row> rows;
};

// The width of each column.
std::vector<std::size_t> widths(const Row& header, const std::vector<Block>& blocks) {
  std::vector<std::size_t> width;
  for (const std::string& title : header) width.push_back(text_width(title));
  for (const Block& block : blocks)
    for (const Row& cells : block.rows)
      for (std::size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], text_width(cells[i]));
  return width;
}

// Whether runs differ in a column of text, such as the machine, so that the column tells them apart.
bool tells_apart(const ResultColumn& c, const std::vector<RunResult>& results) {
  const auto* const text = std::get_if<std::string RunResult::*>(&c.of_run);
  return text != nullptr && distinct(results, *text).size() > 1;
}

// The columns of the table that some result fills. The busy IPC is shown for grids of few waves.
std::vector<const ResultColumn*> columns_of(const std::vector<RunResult>& results) {
  std::vector<const ResultColumn*> columns = result_columns().of_table();
  const auto is_empty = [&](const ResultColumn* c) {
    return std::none_of(results.begin(), results.end(), [c](const RunResult& r) {
      if (const auto* m = std::get_if<std::vector<std::string> RunResult::*>(&c->of_run))
        return !(r.**m).empty();
      if (c->key == "ipc_busy" && caution_marks(r.cautions).find('W') == std::string::npos) return false;
      return !c->if_room || number(*c, r).has_value();
    });
  };
  columns.erase(std::remove_if(columns.begin(), columns.end(), is_empty), columns.end());
  return columns;
}

// Chooses the columns that fit into `limit` columns of text, in three steps:
// * the names, which can be shortened, and the columns that are always there, for which `limit` grows if need
//   be;
// * from the left, columns that are not for wide tables only, or that tell runs apart, up to the first that
//   does not fit;
// * beside full names, the columns that are there if there is room.
std::vector<std::size_t> columns_with_room(const std::vector<const ResultColumn*>& columns,
                                           const std::vector<RunResult>& results,
                                           const std::vector<std::size_t>& width, std::size_t& limit) {
  std::vector<std::size_t> chosen{0};
  std::size_t used = gap + std::min(width[0], narrowest_name);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (!columns[i]->always) continue;
    used += gap + width[i];
    chosen.push_back(i);
  }
  limit = std::max(limit, used);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (columns[i]->always || columns[i]->if_room ||
        (columns[i]->wide_only && !tells_apart(*columns[i], results)))
      continue;
    if (used + gap + width[i] > limit) break;
    used += gap + width[i];
    chosen.push_back(i);
  }
  used += width[0] - std::min(width[0], narrowest_name);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (columns[i]->always || !columns[i]->if_room || columns[i]->wide_only || used + gap + width[i] > limit)
      continue;
    used += gap + width[i];
    chosen.push_back(i);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// The text of the blocks, in columns of these widths. A block's first cells are `platforms`. Its heading is
// one of `traces`, or that of an average. If `limit` is not 0, no line is wider than `limit` columns of text.
std::string text_of(const Row& header, std::vector<Block> blocks, const std::vector<std::size_t>& shown,
                    std::vector<std::size_t> width, const std::vector<std::string>& platforms,
                    const std::vector<std::string>& traces, std::size_t limit) {
  if (limit != 0) {
    std::size_t others = gap;
    for (const std::size_t i : shown) others += i == 0 ? 0 : gap + width[i];
    width[0] = std::min(width[0], limit > others ? limit - others : 1);
    const std::vector<std::string> names = shortened(platforms, width[0]);
    const std::vector<std::string> headings = shortened(traces, limit);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (b < headings.size()) blocks[b].heading = headings[b];
      for (Row& cells : blocks[b].rows)
        cells[0] = names[static_cast<std::size_t>(std::find(platforms.begin(), platforms.end(), cells[0]) -
                                                  platforms.begin())];
    }
  }
  std::string out;
  const auto line = [&](const Row& cells) {
    out += std::string(gap, ' ') + padded(cells[0], width[0]);
    for (const std::size_t i : shown)
      if (i != 0) out += std::string(gap, ' ') + padded_left(cells[i], width[i]);
    out += '\n';
  };
  for (const Block& block : blocks) {
    if (!out.empty()) out += '\n';
    out += block.heading + '\n';
    line(header);
    for (const Row& cells : block.rows) line(cells);
  }
  return out;
}

}  // namespace

std::string comparison_table(const std::vector<RunResult>& given, std::size_t limit) {
  if (given.empty()) return {};
  std::vector<RunResult> all = given;
  normalise(all);
  add_spreads(all);
  add_cautions(all);
  // Further members appear only in the table of spreads.
  std::vector<RunResult> results = all;
  results.erase(
      std::remove_if(results.begin(), results.end(), [](const RunResult& r) { return r.member != 0; }),
      results.end());
  if (results.empty()) return {};
  const std::vector<std::string> platforms = distinct(results, &RunResult::platform);
  const std::vector<std::string> traces = distinct(results, &RunResult::trace);

  const std::vector<const ResultColumn*> columns = columns_of(results);
  const auto row = [&](const auto& text) {
    Row cells;
    for (const ResultColumn* c : columns) cells.push_back(text(*c));
    return cells;
  };
  std::vector<Block> blocks;
  for (const std::string& trace : traces) {
    Block block{trace, {}};
    for (const RunResult& r : results)
      if (r.trace == trace) block.rows.push_back(row([&](const ResultColumn& c) { return cell(c, r); }));
    blocks.push_back(std::move(block));
  }
  // A platform that failed on some trace must not look better or worse because of that.
  std::vector<std::string> common;
  for (const std::string& trace : traces)
    if (std::all_of(platforms.begin(), platforms.end(),
                    [&](const std::string& p) { return find(results, p, trace) != nullptr; }))
      common.push_back(trace);
  if (common.size() > 1) {
    Block block{"average over " + std::to_string(common.size()) + " traces" +
                    (common.size() < traces.size() ? " that every platform ran" : ""),
                {}};
    for (const std::string& platform : platforms) {
      std::vector<const RunResult*> runs;
      for (const std::string& trace : common) runs.push_back(find(results, platform, trace));
      block.rows.push_back(row([&](const ResultColumn& c) { return average(c, runs, all); }));
    }
    blocks.push_back(std::move(block));
  }

  const Row header = row([](const ResultColumn& c) { return c.heading; });
  std::vector<std::size_t> width = widths(header, blocks), shown(columns.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (limit != 0) shown = columns_with_room(columns, results, width, limit);
  return text_of(header, std::move(blocks), shown, std::move(width), platforms, traces, limit);
}

std::string spread_table(const std::vector<RunResult>& results, std::size_t limit) {
  std::vector<RunResult> firsts = results;
  firsts.erase(
      std::remove_if(firsts.begin(), firsts.end(), [](const RunResult& r) { return r.spread.empty(); }),
      firsts.end());
  if (firsts.empty()) return "";
  const std::vector<std::string> platforms = distinct(firsts, &RunResult::platform);
  const std::vector<std::string> traces = distinct(firsts, &RunResult::trace);
  double members = 0;
  for (const RunResult& r : firsts) members = std::max(members, value_of(r.spread, "members").value_or(0));
  Row header{"platform", "IPC", "+-"};
  std::vector<std::string> names{"ipc"};
  const bool compares = platforms.size() > 1;
  if (compares) {
    header.insert(header.end(), {"vs first", "+-", "worst", "energy", "+-", "by tables"});
    names.insert(names.end(), {"ipc_normalised", "energy_normalised"});
  }
  // A row of a platform's runs: the mean, half of its interval and, for ratios of IPC, the worst value.
  const auto row = [&](const std::vector<const RunResult*>& runs, const auto& spread) {
    Row cells{runs.front()->platform};
    for (const std::string& name : names) {
      const std::optional<Spread> s = spread(name);
      cells.push_back(s ? fixed(s->mean, 3) : "-");
      cells.push_back(s ? fixed(s->half_width, 3) : "-");
      if (name == "ipc_normalised") cells.push_back(s ? fixed(s->worst, 3) : "-");
    }
    if (!compares) return cells;
    const auto range = energies_by_table(results, runs);
    cells.push_back(range ? fixed(range->first, 3) + "-" + fixed(range->second, 3) : "-");
    return cells;
  };
  std::vector<Block> blocks;
  for (const std::string& trace : traces) {
    Block& block = blocks.emplace_back(Block{trace, {}});
    for (const RunResult& r : firsts)
      if (r.trace == trace)
        block.rows.push_back(row({&r}, [&](const std::string& name) { return spread_of(r, name); }));
  }
  if (traces.size() > 1) {
    Block& block =
        blocks.emplace_back(Block{"average over " + std::to_string(traces.size()) + " traces", {}});
    for (const std::string& platform : platforms) {
      std::vector<const RunResult*> runs;
      for (const RunResult& r : firsts)
        if (r.platform == platform) runs.push_back(&r);
      if (runs.size() == traces.size())
        block.rows.push_back(
            row(runs, [&](const std::string& name) { return spread_of_means(results, runs, name); }));
    }
  }
  std::vector<std::size_t> shown(header.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  return "over " + std::to_string(static_cast<int>(members)) +
         " seeds and starts: mean, half of the mean's 95 % interval (Student's t), worst;\n"
         "of energy, the range of the means by all tables\n"
         "\n" +
         text_of(header, blocks, shown, widths(header, blocks), platforms, traces, limit);
}

std::string sample_table(const std::vector<RunResult>& results, std::size_t limit) {
  std::vector<RunResult> sampled = results;
  sampled.erase(std::remove_if(sampled.begin(), sampled.end(),
                               [](const RunResult& r) { return !r.sample || r.member != 0; }),
                sampled.end());
  if (sampled.empty()) return "";
  const std::vector<std::string> platforms = distinct(sampled, &RunResult::platform);
  const std::vector<std::string> traces = distinct(sampled, &RunResult::trace);
  const bool compares = platforms.size() > 1;
  Row header{"platform", "simulated"};
  if (compares) header.insert(header.end(), {"vs first", "interval", "energy", "interval"});
  const auto range = [](const RunResult& r, const std::string& name) -> std::string {
    const auto low = value_of(r.sample_intervals, name + "_low"),
               high = value_of(r.sample_intervals, name + "_high");
    return low && high ? fixed(*low, 3) + "-" + fixed(*high, 3) : "-";
  };
  const auto ratio = [](const std::optional<double>& value) {
    return fixed(value.value_or(std::nan("")), 3);
  };
  std::vector<Block> blocks;
  for (const std::string& trace : traces) {
    Block& block = blocks.emplace_back(Block{trace, {}});
    for (const RunResult& r : sampled) {
      if (r.trace != trace) continue;
      Row cells{r.platform, fixed(100 * SampleEstimate(*r.sample).fraction(), 2) + " %"};
      if (compares)
        cells.insert(cells.end(), {ratio(r.ipc_normalised), range(r, "ipc_normalised"),
                                   ratio(r.energy_normalised), range(r, "energy_normalised")});
      block.rows.push_back(std::move(cells));
    }
  }
  std::vector<std::size_t> shown(header.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  return "sampled: the share of warp instructions that was simulated; cycles and ratios are\n"
         "estimates of the whole" +
         std::string(compares ? ", with 95 % intervals of ratios" : "") + "\n\n" +
         text_of(header, blocks, shown, widths(header, blocks), platforms, traces, limit);
}

}  // namespace subcore
