#include "subcore/program/runs/results_folder.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

#include "subcore/base/files.h"
#include "subcore/base/whole_file.h"
#include "subcore/program/runs/finished_run.h"
#include "subcore/program/runs/interrupt.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

const char* const lock_name = ".subcore-lock";
const char* const staging_name = ".subcore-part";

// Removes folders that became empty. Other folders hold files that are not ours.
void remove_empty_folders(const fs::path& root, const fs::path& below) {
  std::error_code ignored;
  for (fs::path f = below; !f.empty(); f = f.parent_path())
    if (!fs::remove(root / f, ignored)) return;
}

// All files that a run may have left in its folder.
std::vector<std::string> files_of_any_run() {
  std::vector<std::string> files(std::begin(run_files), std::end(run_files));
  for (const char* file : {profile_file, partial_profile_file, finished_file}) files.emplace_back(file);
  return files;
}

std::vector<std::string> files_of(const Job& job) {
  std::vector<std::string> files(std::begin(run_files), std::end(run_files));
  if (job.profile) files.emplace_back(profile_file);
  if (job.is_recorded) files.emplace_back(finished_file);
  return files;
}

// Removes all below `folder` but finished runs, and returns their number.
std::size_t remove_unfinished(const fs::path& folder) {
  std::size_t finished = 0;
  for (const fs::path& entry : entries_of(folder))
    if (is_folder(entry)) finished += remove_unfinished(entry);
  if (is_there(folder / finished_file)) return finished + 1;
  clear_run(folder);
  std::error_code ignored;
  fs::remove(folder, ignored);  // if it is empty
  return finished;
}

// Adds the results of finished runs below `folder` whose files are in their own places. Names have few parts.
void add_finished(std::vector<RunResult>& results, const fs::path& root, const fs::path& folder, int depth) {
  if (folder.filename() == staging_name || depth == 0) return;
  if (const std::optional<FinishedRun> run = read_finished_run(folder))
    if (root / run->result.platform / run->result.trace == folder) results.push_back(run->result);
  for (const fs::path& entry : entries_of(folder))
    if (!fs::is_symlink(entry) && is_folder(entry)) add_finished(results, root, entry, depth - 1);
}

// The text of results.json. If the file has gone, a text that lists the finished runs below the folder.
std::optional<std::string> record_text(const fs::path& folder) {
  std::optional<std::string> text = file_text(folder / results_file);
  if (text) return text;
  constexpr int deepest = 6;
  std::vector<RunResult> results;
  add_finished(results, folder, folder, deepest);
  return results.empty() ? std::nullopt : std::optional(to_json(results));
}

[[noreturn]] void fail_vanished(const fs::path& file) {
  throw std::runtime_error(
      file.string() + ": is not there any more; expected all files of a finished run until it is published");
}

}  // namespace

std::vector<RunName> ResultsFolder::runs_in_record(const fs::path& folder) {
  const std::optional<std::string> text = record_text(folder);
  if (!text) return {};
  try {
    return runs_in(*text, (folder / results_file).string());
  } catch (const std::runtime_error&) {
    return {};
  }
}

std::vector<fs::path> ResultsFolder::recorded(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const RunName& run : runs_in_record(folder))
    for (const std::string& file : files_of_any_run()) files.push_back(run.subfolder() / file);
  if (!files.empty()) files.emplace_back(results_file);
  return files;
}

ResultsFolder::ResultsFolder(const fs::path& folder, Published published)
    : folder_(folder), policy_(published) {
  if (folder_.empty()) return;
  if (!folder_.has_filename()) folder_ = folder_.parent_path();  // the path ends in a slash
  if (is_file(folder_))
    throw std::runtime_error(folder_.string() + ": is not a folder; expected a place for results");
  for (fs::path above = fs::absolute(folder_).lexically_normal(); !above.empty() && !is_there(above);
       above = above.parent_path())
    new_folders_.push_back(above);
  try {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw std::runtime_error(folder_.string() + ": cannot write results: " + error.message());
    lock_ = std::make_unique<LockFile>(folder_ / lock_name, folder_);
    staging_ = folder_ / staging_name;
    if (is_there(staging_ / results_file)) complete();
    remove_unfinished(staging_);
    const fs::path record = folder_ / results_file;
    if (policy_ == Published::removed) {
      published_ = runs_in_record(folder_);
    } else if (const std::optional<std::string> text = record_text(folder_)) {
      record_ = *text;
      try {
        published_ = runs_in(record_, record.string());
      } catch (const std::runtime_error& e) {
        throw std::runtime_error(std::string(e.what()) + ", another folder, or --overwrite");
      }
    }
    fs::create_directory(staging_);
  } catch (...) {
    staging_.clear();  // moves that failed are left for a later command
    remove_what_is_new();
    throw;
  }
}

ResultsFolder::~ResultsFolder() {
  try {
    if (!staging_.empty() && !has_begun_) {
      if (!keeps_)
        for (const fs::path& run : runs_) clear_run(staging_ / run);
      remove_unfinished(staging_);
    }
  } catch (const std::exception&) {
    // The next command removes the rest.
  }
  remove_what_is_new();
}

std::size_t ResultsFolder::begin(const std::vector<Job>& jobs, bool takes_finished) {
  if (staging_.empty()) return 0;
  std::set<fs::path> subfolders;
  for (const Job& job : jobs) subfolders.insert(job.subfolder());
  runs_.assign(subfolders.begin(), subfolders.end());
  if (!record_.empty()) {
    const fs::path record = folder_ / results_file;
    for (const RunResult& run : results_in(record_, record.string()))
      if (const fs::path place = fs::path(run.platform) / run.trace; subfolders.count(place) == 0)
        require_whole_run(folder_ / place, run, record);
  }
  std::size_t removed = 0;
  if (!takes_finished && policy_ == Published::removed) {
    removed = remove_unfinished(staging_);
    fs::remove_all(staging_);
    fs::create_directory(staging_);
  } else if (!takes_finished) {
    for (const fs::path& run : runs_) {
      removed += is_there(staging_ / run / finished_file) ? 1 : 0;
      clear_run(staging_ / run);
    }
  }
  return removed;
}

void ResultsFolder::keep_partial_profiles() {
  if (staging_.empty() || has_begun_) return;
  for (const fs::path& run : runs_) {
    const fs::path profile = run / partial_profile_file;
    if (!is_there(staging_ / profile)) continue;
    fs::create_directories(folder_ / run);
    fs::rename(staging_ / profile, folder_ / profile);
    partial_profiles_.push_back(folder_ / profile);
  }
}

std::size_t ResultsFolder::keep() {
  if (staging_.empty()) return 0;
  keeps_ = true;
  if (has_begun_) return runs_.size();  // the next command completes the publication
  keep_partial_profiles();
  remove_unfinished(staging_);
  return static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), [&](const fs::path& run) {
    return is_there(staging_ / run / finished_file);
  }));
}

void ResultsFolder::remove_what_is_new() {
  lock_.reset();
  // Only empty folders go: results, and files that others put there meanwhile, stay.
  std::error_code ignored;
  for (const fs::path& folder : new_folders_)
    if (!fs::remove(folder, ignored)) return;
}

fs::path ResultsFolder::staging(const fs::path& run) const {
  return staging_.empty() ? fs::path() : staging_ / run;
}

// Moves a run, and its record last: while the record is aside, it says which files belong to the run.
void ResultsFolder::move(const Run& run) {
  const fs::path from = staging_ / run.subfolder, to = folder_ / run.subfolder;
  fs::create_directories(to);
  if (!run.has_profile) remove_file(to / profile_file);
  remove_file(to / partial_profile_file);
  for (const std::string& file : run.files) fs::rename(from / file, to / file);
}

// Removes the runs that the new results.json does not list, and then moves the file into place. Until then
// the old file and the new one, which is aside, say which files belong to which run. So if a command ends
// here, another command can do the whole again.
std::vector<RunName> ResultsFolder::replace_record(const std::vector<RunName>& runs) {
  std::set<fs::path> stay;
  for (const RunName& run : runs) stay.insert(run.subfolder());
  std::vector<RunName> removed;
  for (const RunName& run : runs_in_record(folder_)) {
    if (stay.count(run.subfolder()) != 0) continue;
    for (const std::string& file : files_of_any_run()) remove_file(folder_ / run.subfolder() / file);
    remove_empty_folders(folder_, run.subfolder());
    removed.push_back(run);
  }
  fs::rename(staging_ / results_file, folder_ / results_file);
  return removed;
}

std::vector<RunName> ResultsFolder::publish(const std::vector<Job>& jobs,
                                            const std::vector<RunResult>& results) {
  std::vector<Run> runs;
  for (const Job& job : jobs) runs.push_back({job.subfolder(), files_of(job), job.profile});
  // If one file cannot be moved, none is.
  for (const Run& run : runs) {
    for (const std::string& file : run.files) {
      if (!is_file(staging_ / run.subfolder / file)) fail_vanished(staging_ / run.subfolder / file);
      if (is_folder(folder_ / run.subfolder / file))
        throw std::runtime_error("cannot write " + (folder_ / run.subfolder / file).string() +
                                 ": the path is a directory");
    }
  }
  const std::string text = with_results(record_, results);
  const std::vector<RunName> all = runs_in(text, results_file);
  // A run that stays may also be aside: then it is the same run, finished by another version of the program.
  for (const RunName& run : all)
    if (std::find(runs_.begin(), runs_.end(), run.subfolder()) == runs_.end())
      clear_run(staging_ / run.subfolder());
  write_whole_file(staging_ / results_file, text);
  has_begun_ = true;
  for (const Run& run : runs) move(run);
  std::vector<RunName> removed = replace_record(all);
  has_begun_ = false;
  return removed;
}

void ResultsFolder::complete() {
  const fs::path record = staging_ / results_file;
  const std::vector<RunName> all = runs_in(file_text(record).value(), record.string());
  const std::vector<RunName> before = runs_in_record(folder_);
  for (const RunName& name : all) {
    const fs::path from = staging_ / name.subfolder(), to = folder_ / name.subfolder();
    const std::optional<FinishedRun> finished = read_finished_run(from);
    if (!finished) {
      if (is_there(from / finished_file))
        throw std::runtime_error((from / finished_file).string() +
                                 ": has been changed; expected the record of a finished run, or no " +
                                 staging_.string());
      const bool was_there = std::find(before.begin(), before.end(), name) != before.end();
      if (!was_there && !is_file(to / run_files[0])) fail_vanished(from / finished_file);
      continue;  // the run stays as it was, or all of its files have been moved
    }
    Run run{name.subfolder(), {}, finished->files.count(profile_file) != 0};
    for (const auto& [file, hash] : finished->files) {
      if (is_there(from / file))
        run.files.push_back(file);
      else if (!is_file(to / file) || Hash().add_file(to / file, throw_if_interrupted).text() != hash)
        fail_vanished(from / file);
    }
    run.files.emplace_back(finished_file);
    move(run);
  }
  replace_record(all);
}

}  // namespace subcore
