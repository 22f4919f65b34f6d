#include "scenarios/results_folder.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "model/statistics/whole_file.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

const char* const record_name = "results.json";
const char* const lock_name = ".subcore-lock";
const char* const staging_name = ".subcore-part";

// A name in a record that somebody has edited must not lead out of the folder.
bool is_below(const fs::path& name) {
  return !name.empty() && name.is_relative() &&
         std::none_of(name.begin(), name.end(),
                      [](const fs::path& part) { return part == ".." || part == "."; });
}

// Only folders that became empty: others hold what is not ours.
void remove_with_folders(const fs::path& folder, const fs::path& file) {
  std::error_code ignored;
  fs::remove(folder / file, ignored);
  for (fs::path above = file.parent_path(); !above.empty(); above = above.parent_path())
    if (!fs::remove(folder / above, ignored)) return;
}

// The places of the runs that results.json in `folder` records.
std::set<fs::path> recorded_runs(const fs::path& folder) {
  std::ifstream in(folder / record_name, std::ios::binary);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_array()) return {};
  std::set<fs::path> runs;
  for (const auto& run : json) {
    if (!run.is_object() || !run.contains("platform") || !run.contains("trace")) continue;
    if (!run["platform"].is_string() || !run["trace"].is_string()) continue;
    const fs::path platform = run["platform"].get<std::string>(), trace = run["trace"].get<std::string>();
    if (is_below(platform) && is_below(trace)) runs.insert(platform / trace);
  }
  return runs;
}

// Leaves the finished runs below `folder`, and returns their number.
std::size_t remove_unfinished(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> below;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_directory()) below.push_back(entry.path());
  std::size_t finished = 0;
  for (const fs::path& f : below) finished += remove_unfinished(f);
  if (fs::exists(folder / finished_file, ignored)) return finished + 1;
  clear_run(folder);
  fs::remove(folder, ignored);  // if it is empty
  return finished;
}

}  // namespace

std::set<fs::path> ResultsFolder::recorded(const fs::path& folder) {
  std::set<fs::path> files;
  for (const fs::path& run : recorded_runs(folder)) {
    for (const char* file : run_files) files.insert(run / file);
    for (const char* file : {profile_file, finished_file}) files.insert(run / file);
  }
  if (!files.empty()) files.insert(record_name);
  return files;
}

ResultsFolder::ResultsFolder(const fs::path& folder, Earlier earlier) : folder_(folder) {
  if (folder_.empty()) return;
  if (!folder_.has_filename()) folder_ = folder_.parent_path();  // a trailing slash
  std::error_code error;
  if (fs::exists(folder_, error) && !fs::is_directory(folder_, error))
    throw std::runtime_error(folder_.string() + ": is not a folder; expected a place for results");
  for (fs::path above = fs::absolute(folder_).lexically_normal(); !above.empty() && !fs::exists(above, error);
       above = above.parent_path())
    new_folders_.push_back(above);
  try {
    fs::create_directories(folder_, error);
    if (error) throw std::runtime_error(folder_.string() + ": cannot write results: " + error.message());
    lock_ = std::make_unique<LockFile>(folder_ / lock_name, folder_);
    staging_ = folder_ / staging_name;
    if (fs::exists(staging_ / record_name, error)) complete();
    const std::size_t finished = remove_unfinished(staging_);
    if (earlier == Earlier::dropped) {
      dropped_ = finished;
      fs::remove_all(staging_);
    }
    keeps_ = earlier == Earlier::kept && finished != 0;
    fs::create_directory(staging_);
  } catch (...) {
    staging_.clear();  // what could not be completed is left for when it can
    remove_what_is_new();
    throw;
  }
}

ResultsFolder::~ResultsFolder() {
  if (!keeps_) remove_what_is_new();
}

std::size_t ResultsFolder::keep() {
  if (staging_.empty()) return 0;
  // What publish() has begun the next command completes.
  const std::set<fs::path> all = recorded_runs(staging_);
  const std::size_t finished = all.empty() ? remove_unfinished(staging_) : all.size();
  keeps_ = finished != 0;
  return finished;
}

std::vector<fs::path> ResultsFolder::published() const {
  std::vector<fs::path> folders;
  for (const fs::path& run : recorded_runs(folder_)) folders.push_back(folder_ / run);
  return folders;
}

void ResultsFolder::remove_what_is_new() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
  lock_.reset();
  // Empty ones only: results, or what others put there meanwhile, stay.
  for (const fs::path& folder : new_folders_)
    if (!fs::remove(folder, ignored)) return;
}

fs::path ResultsFolder::staging(const fs::path& run) const {
  return staging_.empty() ? fs::path() : staging_ / run;
}

void ResultsFolder::publish(const std::string& results_json) {
  write_whole_file(staging_ / record_name, results_json);
  complete();
  keeps_ = false;
}

// Those that not every run has are moved behind those that it has: so while all of these are still staged, a
// profile that is not belongs to an earlier run, and goes.
void ResultsFolder::remove_old_profiles() {
  std::error_code ignored;
  for (const fs::path& file : recorded(staging_)) {
    if (file.filename() != profile_file || fs::exists(staging_ / file)) continue;
    const fs::path run = staging_ / file.parent_path();
    if (std::all_of(std::begin(run_files), std::end(run_files),
                    [&](const char* f) { return fs::exists(run / f); }))
      fs::remove(folder_ / file, ignored);
  }
}

// The record goes last. Until it is there the old one and the staged one say what belongs to which run, so
// this can be done again from any point at which it was broken off.
void ResultsFolder::complete() {
  std::set<fs::path> stale = recorded(folder_), files = recorded(staging_);
  for (const fs::path& file : files) stale.erase(file);
  // Some runs have no profile, and runs that were kept may not be among these.
  for (auto file = files.begin(); file != files.end();)
    file = fs::exists(staging_ / *file) ? std::next(file) : files.erase(file);
  // Nothing is moved when something cannot be.
  for (const fs::path& file : files) {
    fs::create_directories((folder_ / file).parent_path());
    if (fs::is_directory(folder_ / file))
      throw std::runtime_error("cannot write " + (folder_ / file).string() + ": it is a directory");
  }
  remove_old_profiles();
  for (const bool profiles : {false, true})
    for (const fs::path& file : files)
      if (file != record_name && (file.filename() == profile_file) == profiles)
        fs::rename(staging_ / file, folder_ / file);
  for (const fs::path& file : stale) remove_with_folders(folder_, file);
  fs::rename(staging_ / record_name, folder_ / record_name);
}

}  // namespace subcore
