#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/statistics/results.h"

namespace subcore {
namespace {

using Row = std::vector<std::string>;

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string optional_text(const std::optional<double>& value) {
  return value ? fixed(*value, 3) : "-";
}

std::string percent(double ratio) {
  const std::string text = fixed(100 * ratio, 1);
  return text == "-" ? text : text + " %";
}

Row row_of(const RunResult& r) {
  return {r.platform,
          std::to_string(r.cycles),
          fixed(r.ipc, 3),
          optional_text(r.ipc_normalised),
          percent(r.read_hit_ratio),
          std::to_string(r.bank_reads),
          std::to_string(r.bank_writes),
          std::to_string(r.cache_writes),
          optional_text(r.energy_normalised)};
}

// In order of first appearance.
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

// Geometric, as ratios average; "-" when a value is missing or not positive.
class RatioMean {
 public:
  void add(std::optional<double> value) {
    ++count_;
    if (!value || !(*value > 0)) valid_ = false;
    if (valid_) log_sum_ += std::log(*value);
  }
  std::string text() const { return valid_ && count_ > 0 ? fixed(std::exp(log_sum_ / count_), 3) : "-"; }

 private:
  double log_sum_ = 0;
  int count_ = 0;
  bool valid_ = true;
};

Row average_row(const std::vector<RunResult>& results, const std::string& platform,
                const std::vector<std::string>& traces) {
  RatioMean ipc, ipc_normalised, energy_normalised;
  double hits = 0;
  for (const std::string& trace : traces) {
    const RunResult& r = *find(results, platform, trace);
    ipc.add(r.ipc);
    ipc_normalised.add(r.ipc_normalised);
    energy_normalised.add(r.energy_normalised);
    hits += r.read_hit_ratio;
  }
  // Counts of different traces have no meaningful average.
  return {
      platform, "-", ipc.text(), ipc_normalised.text(),   percent(hits / static_cast<double>(traces.size())),
      "-",      "-", "-",        energy_normalised.text()};
}

}  // namespace

std::string comparison_table(const std::vector<RunResult>& given) {
  if (given.empty()) return {};
  std::vector<RunResult> results = given;
  normalise(results);
  const std::vector<std::string> platforms = distinct(results, &RunResult::platform);
  const std::vector<std::string> traces = distinct(results, &RunResult::trace);

  struct Block {
    std::string heading;
    std::vector<Row> rows;
  };
  std::vector<Block> blocks;
  for (const std::string& trace : traces) {
    Block block{trace, {}};
    for (const RunResult& r : results)
      if (r.trace == trace) block.rows.push_back(row_of(r));
    blocks.push_back(std::move(block));
  }
  // A platform that failed on some trace must not look better or worse for it.
  std::vector<std::string> common;
  for (const std::string& trace : traces)
    if (std::all_of(platforms.begin(), platforms.end(),
                    [&](const std::string& p) { return find(results, p, trace) != nullptr; }))
      common.push_back(trace);
  if (common.size() > 1) {
    Block block{"average over " + std::to_string(common.size()) + " traces" +
                    (common.size() < traces.size() ? " that every platform ran" : ""),
                {}};
    for (const std::string& platform : platforms)
      block.rows.push_back(average_row(results, platform, common));
    blocks.push_back(std::move(block));
  }

  const Row header{"platform",   "cycles",      "IPC",          "IPC vs first",   "read hits",
                   "bank reads", "bank writes", "cache writes", "energy vs first"};
  std::vector<std::size_t> width;
  for (const std::string& title : header) width.push_back(title.size());
  for (const Block& block : blocks)
    for (const Row& row : block.rows)
      for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  std::string out;
  const auto line = [&](const Row& row) {
    out += "  " + row[0] + std::string(width[0] - row[0].size(), ' ');
    for (std::size_t i = 1; i < row.size(); ++i)
      out += std::string(2 + width[i] - row[i].size(), ' ') + row[i];
    out += '\n';
  };
  for (const Block& block : blocks) {
    if (!out.empty()) out += '\n';
    out += block.heading + '\n';
    line(header);
    for (const Row& row : block.rows) line(row);
  }
  return out;
}

}  // namespace subcore
