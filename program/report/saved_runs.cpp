#include "subcore/program/report/saved_runs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "subcore/base/file_kind.h"
#include "subcore/base/files.h"
#include "subcore/base/json_text.h"
#include "subcore/base/spelling.h"
#include "subcore/base/text.h"
#include "subcore/base/yaml_source.h"
#include "subcore/model/policy/sthld/sthld_table_text.h"
#include "subcore/model/statistics/cautions.h"
#include "subcore/program/runs/finished_run.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& where, const std::string& problem, const std::string& expected) {
  throw std::runtime_error(where + ": " + problem + "; expected " + expected);
}

std::uint64_t waves_of(const Json& run) {
  std::uint64_t waves = 0;
  const auto kernels = run.find("per_kernel");
  if (kernels == run.end() || !kernels->is_array()) return 0;
  for (const Json& kernel : *kernels) {
    const auto count = [&](const char* key) {
      const bool is_there = kernel.is_object() && kernel.contains(key) && kernel[key].is_number_unsigned();
      return is_there ? kernel[key].get<std::uint64_t>() : 0;
    };
    const std::uint64_t ctas = count("ctas"), at_once = count("ctas_at_once");
    if (at_once != 0) waves += ctas / at_once + (ctas % at_once != 0);
  }
  return waves;
}

RunResult result_of(const Json& run, const std::string& where, std::vector<std::string>& notes) {
  std::string missing;
  RunResult result;
  try {
    result = saved_run_result_from_json(json_text(run, -1), missing);
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(where + ": " + e.what());
  }
  if (!missing.empty())
    notes.push_back(where + ": has no " + missing + ": results of another version of the program");
  return result;
}

double positive_number(const YamlSource& source, const YamlSource::Entry& e) {
  double value = 0;
  if (e.value.is_scalar() && text::parse_number(e.value.text(), value) && value > 0) return value;
  source.fail(e.value, e.key + ": " + node_words(e.value) + "; expected a number above 0");
}

// Reads what a report says of the platform, from its platform.yaml.
void read_platform(const fs::path& file, SavedRun& run) {
  const YamlSource source(file);
  bool has_clock = false;
  const auto count = [&](const YamlSource::Entry& group, const std::string& key, std::uint64_t& to) {
    for (const auto& e : source.entries(group.value, group.key_node, group.key))
      if (e.key == key) to = static_cast<std::uint64_t>(positive_number(source, e));
  };
  for (const auto& e : source.entries(source.root(), source.root(), "")) {
    if (e.key == "clock_period_ns") {
      run.clock_period_ns = positive_number(source, e);
      has_clock = true;
    } else if (e.key == "gpu") {
      count(e, "sms", run.sms);
    } else if (e.key == "sthld") {
      count(e, "interval", run.sthld_interval);
      for (const auto& s : source.entries(e.value, e.key_node, e.key))
        if (s.key == "table") run.sthld_table = read_sthld_table(source, s.value, s.key_node, "sthld.table");
    }
  }
  if (!has_clock) source.fail(source.root(), "clock_period_ns: nothing; expected a number above 0");
  const auto adapts = [](const IntervalRow& r) { return r.state != 0; };
  if (std::none_of(run.intervals.begin(), run.intervals.end(), adapts)) run.sthld_interval = 0;
}

class Reader {
 public:
  void read(const fs::path& path) {
    const bool has_folder = is_folder(path);
    const fs::path file = has_folder ? path / "results.json" : path;
    const std::optional<std::string> text = file_text(file);
    if (!text && has_folder)
      refuse(path.string(), "has no results.json", "a folder of --results, or a file of --json");
    if (!text)
      throw std::runtime_error(path.string() + ": is not there;" + did_you_mean_file(path) +
                               " expected a folder of --results, or a file of --json");
    if (std::any_of(saved_.files.begin(), saved_.files.end(),
                    [&](const fs::path& f) { return fs::equivalent(f, file); }))
      refuse(file.string(), "is given twice", "each of the results once");
    saved_.files.push_back(file);
    Json json = Json::parse(*text, nullptr, false);
    if (json.is_discarded())
      refuse(file.string(), "is no JSON" + kind_words(file), "results as --results and --json write them");
    if (!json.is_array()) json = Json::array({json});
    if (json.empty()) refuse(file.string(), "has no run", "at least one");
    std::size_t number = 0;
    for (const Json& entry : json) {
      const std::string where = file.string() + ": run " + std::to_string(++number);
      SavedRun run;
      run.result = result_of(entry, where, saved_.notes);
      run.waves = waves_of(entry);
      run.file = file.string();
      if (has_folder) {
        const fs::path folder = path / run.result.platform / run.result.trace;
        require_whole_run(folder, run.result, file);
        if (run.result.counts.empty()) read_intervals(run, folder);  // a count has no course over time
      }
      add(std::move(run));
    }
  }

  SavedRuns finish() {
    std::vector<RunResult> results;
    for (SavedRun& r : saved_.runs) results.push_back(std::move(r.result));
    normalise(results);
    note_disagreeing_presets(results);
    add_spreads(results);
    add_cautions(results);
    for (std::size_t i = 0; i < results.size(); ++i) saved_.runs[i].result = std::move(results[i]);
    gather_members();
    note_differences();
    return std::move(saved_);
  }

 private:
  void read_intervals(SavedRun& run, const fs::path& folder) {
    const fs::path file = folder / "intervals.csv", platform = folder / "platform.yaml";
    const std::optional<std::string> text = file_text(file);
    if (!text) {
      saved_.notes.push_back(file.string() + ": is not there, so that run has no course over time");
      return;
    }
    saved_.files.push_back(file);
    run.intervals = intervals_from_csv(*text, file.string());
    if (!is_file(platform))
      refuse(platform.string(), "is not there", "the platform that " + file.string() + " is of");
    saved_.files.push_back(platform);
    read_platform(platform, run);
  }

  void add(SavedRun run) {
    for (const SavedRun& other : saved_.runs) {
      const RunResult &a = other.result, &b = run.result;
      if (a.platform != b.platform || a.trace != b.trace) continue;
      const std::string both = b.platform + " on " + b.trace + " is in " + other.file + " and in " + run.file;
      if (other.file == run.file || identity(a) != identity(b))
        throw std::runtime_error(both + (other.file == run.file ? "" : ", with other results") +
                                 "; expected one run of a platform on a trace, or other names");
      saved_.notes.push_back(both + ", with the same results: it is shown once");
      return;
    }
    saved_.runs.push_back(std::move(run));
  }

  // Moves further members to their first. A member whose first is not there stays a run like any other.
  void gather_members() {
    std::vector<SavedRun> runs;
    for (const bool first : {true, false})
      for (SavedRun& r : saved_.runs) {
        if ((r.result.member == 0) != first) continue;
        const auto of = std::find_if(runs.begin(), runs.end(), [&](const SavedRun& other) {
          return !first && other.result.member == 0 && other.result.trace == r.result.trace &&
                 other.result.platform == family_of(r.result);
        });
        if (of == runs.end()) {
          runs.push_back(std::move(r));
          continue;
        }
        of->members.push_back(std::move(r.result));
        of->members.back().platform = of->result.platform;
      }
    for (SavedRun& r : runs)
      std::sort(r.members.begin(), r.members.end(),
                [](const RunResult& a, const RunResult& b) { return a.member < b.member; });
    saved_.runs = std::move(runs);
  }

  void note_differences() {
    const RunResult& first = saved_.runs.front().result;
    std::string presets, seeds;
    for (const SavedRun& r : saved_.runs) {
      const std::string name = r.result.platform + " on " + r.result.trace;
      const std::string preset = energy_preset_of(r.result), of_first = energy_preset_of(first);
      const auto word = [](const std::string& p) { return p.empty() ? "a table of its own" : p; };
      if (preset != of_first && r.result.energy_total_pj > 0 && first.energy_total_pj > 0)
        presets += "; " + name + " by " + word(preset);
      if (r.result.seed != first.seed) seeds += "; " + name + " with " + std::to_string(r.result.seed);
    }
    if (!presets.empty())
      saved_.notes.push_back(
          "energies are by different tables and do not compare: " + first.platform + " on " + first.trace +
          " by " + (energy_preset_of(first).empty() ? "a table of its own" : energy_preset_of(first)) +
          presets);
    if (!seeds.empty())
      saved_.notes.push_back("seeds differ: " + first.platform + " on " + first.trace + " with " +
                             std::to_string(first.seed) + seeds);
  }

  SavedRuns saved_;
};

}  // namespace

std::vector<IntervalRow> intervals_from_csv(const std::string& text, const std::string& name) {
  const std::string head = intervals_csv({});
  if (text.compare(0, head.size(), head) != 0)
    refuse(name + ":1", "another heading", "'" + head.substr(0, head.size() - 1) + "'");
  std::vector<IntervalRow> rows;
  int line = 1;
  for (std::size_t at = head.size(); at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    const std::string where = name + ":" + std::to_string(++line);
    const char *next = text.data() + at, *const last = text.data() + end;
    int column = 0;
    const auto take = [&](auto& value) {
      const char* const begin = next;
      const auto [after, error] = std::from_chars(next, last, value);
      const bool ends = ++column == 9 ? after == last : after != last && *after == ',';
      if (error != std::errc() || !ends)
        refuse(where, "column " + std::to_string(column) + " at '" + std::string(begin, last) + "'",
               "a number, nine in each line");
      next = after == last ? last : after + 1;
    };
    IntervalRow r;
    take(r.cycle), take(r.instructions), take(r.ipc), take(r.source_operands), take(r.cache_read_hits);
    take(r.read_hit_ratio), take(r.sthld), take(r.state), take(r.energy_pj);
    if (r.cycle <= (rows.empty() ? 0 : rows.back().cycle))
      refuse(where, "cycle " + std::to_string(r.cycle), "one after that of the line before");
    rows.push_back(r);
    at = end + 1;
  }
  return rows;
}

std::string energy_preset_of(const RunResult& r) {
  for (const auto& [preset, pj] : r.energy_by_preset_pj)
    if (std::abs(pj - r.energy_total_pj) <= 1e-9 * std::abs(pj)) return preset;
  return "";
}

SavedRuns saved_runs(const std::vector<std::string>& results) {
  Reader reader;
  for (const std::string& r : results) reader.read(r);
  return reader.finish();
}

}  // namespace subcore
