#include "subcore/program/runs/results_record.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "subcore/base/json_text.h"
#include "subcore/model/statistics/cautions.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/model/statistics/spread.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

// Whether a name in a record does not lead out of the folder. A person may have edited the record.
bool is_below(const fs::path& name) {
  return !name.empty() && name.is_relative() &&
         std::none_of(name.begin(), name.end(),
                      [](const fs::path& part) { return part == ".." || part == "."; });
}

RunName name_of(const RunResult& run) {
  return {run.platform, run.trace};
}

Json json_of(const RunResult& result) {
  return Json::parse(to_json(result, true));
}

// Whether the value of a key depends on other runs, too.
bool is_of_comparison(const std::string& key) {
  static const std::set<std::string> keys{
      "ipc_normalised", "energy_normalised",  "area_normalised",
      "area_overhead",  "chip_area_overhead", "energy_by_preset_normalised",
      "spread",         "sample_intervals",   "cautions",
      "notes"};
  return keys.count(key) != 0;
}

// `run`, with the values that depend on other runs taken from `result`. The keys are in the order of the
// columns. Keys that this version does not know stand behind them.
Json compared_anew(const Json& run, const RunResult& result) {
  const Json now = json_of(result);
  Json all = Json::object();
  for (const ResultColumn& c : result_columns().all()) {
    const Json& from = is_of_comparison(c.key) ? now : run;
    if (from.contains(c.key)) all[c.key] = from[c.key];
  }
  for (const auto& [key, value] : run.items())
    if (result_columns().find(key) == nullptr) all[key] = value;
  return all;
}

}  // namespace

std::vector<RunResult> results_in(const std::string& text, const std::string& file) {
  const auto refuse = [&](const std::string& what) {
    throw std::runtime_error(file + ": " + what + "; expected results as --results writes them");
  };
  const Json list = Json::parse(text, nullptr, false);
  if (list.is_discarded()) refuse("is not JSON");
  if (!list.is_array()) refuse("is not a list");
  std::vector<RunResult> runs;
  std::set<fs::path> subfolders;
  for (const Json& run : list) {
    const std::string where = "run " + std::to_string(runs.size() + 1);
    std::string missing;
    try {
      runs.push_back(saved_run_result_from_json(json_text(run, -1), missing));
    } catch (const std::runtime_error& e) {
      throw std::runtime_error(file + ": " + where + ": " + e.what());
    }
    const RunName name = name_of(runs.back());
    if (!is_below(name.platform) || !is_below(name.trace))
      refuse(where + ": its names are not a place below the folder");
    if (!subfolders.insert(name.subfolder()).second) refuse(where + ": " + name.text() + " is there twice");
  }
  return runs;
}

std::vector<RunName> runs_in(const std::string& text, const std::string& file) {
  std::vector<RunName> names;
  for (const RunResult& run : results_in(text, file)) names.push_back(name_of(run));
  return names;
}

std::string with_results(const std::string& before, const std::vector<RunResult>& results) {
  std::vector<RunResult> all;
  std::vector<Json> runs;
  std::map<fs::path, std::size_t> subfolders;
  const auto put = [&](const RunResult& result, Json run) {
    const auto [at, is_new] =
        subfolders.emplace(RunName{result.platform, result.trace}.subfolder(), all.size());
    if (is_new) {
      all.push_back(result);
      runs.push_back(std::move(run));
    } else {
      all[at->second] = result;
      runs[at->second] = std::move(run);
    }
  };
  if (!before.empty()) {
    for (const Json& run : Json::parse(before)) {
      std::string ignored;
      put(saved_run_result_from_json(json_text(run, -1), ignored), run);
    }
  }
  for (const RunResult& r : results) put(r, json_of(r));
  const bool are_compared = std::any_of(
      all.begin(), all.end(), [&](const RunResult& r) { return family_of(r) != family_of(all.front()); });
  if (are_compared) {
    normalise(all);
    note_disagreeing_presets(all);
    add_spreads(all);
    add_cautions(all);
  }
  Json list = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i)
    list.push_back(are_compared ? compared_anew(runs[i], all[i]) : std::move(runs[i]));
  return json_text(list);
}

}  // namespace subcore
