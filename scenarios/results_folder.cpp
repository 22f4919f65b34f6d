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

std::set<fs::path> files_in(const fs::path& folder) {
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) files.insert(entry.path().lexically_relative(folder));
  return files;
}

// Only folders that became empty: others hold what is not ours.
void remove_with_folders(const fs::path& folder, const fs::path& file) {
  std::error_code ignored;
  fs::remove(folder / file, ignored);
  for (fs::path above = file.parent_path(); !above.empty(); above = above.parent_path())
    if (!fs::remove(folder / above, ignored)) return;
}

}  // namespace

std::set<fs::path> ResultsFolder::recorded(const fs::path& folder) {
  std::ifstream in(folder / record_name, std::ios::binary);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_array()) return {};
  std::set<fs::path> files;
  for (const auto& run : json) {
    if (!run.is_object() || !run.contains("platform") || !run.contains("trace")) continue;
    if (!run["platform"].is_string() || !run["trace"].is_string()) continue;
    const fs::path platform = run["platform"].get<std::string>(), trace = run["trace"].get<std::string>();
    if (!is_below(platform) || !is_below(trace)) continue;
    for (const char* file : run_files) files.insert(platform / trace / file);
    files.insert(platform / trace / profile_file);
  }
  if (!files.empty()) files.insert(record_name);
  return files;
}

ResultsFolder::ResultsFolder(const fs::path& folder) : folder_(folder) {
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
    fs::remove_all(staging_);
    fs::create_directory(staging_);
  } catch (...) {
    remove_what_is_new();
    throw;
  }
}

ResultsFolder::~ResultsFolder() {
  remove_what_is_new();
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
  std::set<fs::path> stale = recorded(folder_);
  for (const fs::path& file : recorded(staging_)) stale.erase(file);
  const std::set<fs::path> files = files_in(staging_);
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
