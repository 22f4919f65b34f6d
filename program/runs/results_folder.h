// The results folder appears whole or not at all. All files are written aside, in the folder, and moved into
// place when all runs have succeeded. Runs that other commands have published there stay. If a command fails,
// its finished runs can be kept aside for another command.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "subcore/program/runs/job.h"
#include "subcore/program/runs/lock_file.h"
#include "subcore/program/runs/results_record.h"

namespace subcore {

// A folder of results while a command writes there.
class ResultsFolder {
 public:
  // Fate of the runs that other commands have published there.
  enum class Published { kept, removed };

  // Locks the folder, and makes it if it does not exist. `folder` is empty if no results are written. Files
  // that a dead run left half-written there are removed. If that run had finished and was only moving its
  // files into place, the move is completed. Throws std::runtime_error, also if published runs are to be kept
  // and cannot be read.
  explicit ResultsFolder(const std::filesystem::path& folder, Published published = Published::kept);
  ~ResultsFolder();  // without publish() or keep() no run of this command stays
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  // The folder's path as given; empty if no results are written.
  const std::filesystem::path& path() const { return folder_; }
  // The runs that are published here, in the order of results.json.
  const std::vector<RunName>& published() const { return published_; }
  // Says which runs are to come. Removes runs that an earlier command has finished but not published, unless
  // `takes_finished`. With Published::kept only runs that are to come are removed, with Published::removed
  // all. Returns how many.
  std::size_t begin(const std::vector<Job>& jobs, bool takes_finished);
  // The folder where the files of one run are written; empty if there are no results.
  std::filesystem::path staging(const std::filesystem::path& run) const;
  // To be called when no run writes any more. Removes half-written files, keeps the finished runs for another
  // command, and publishes the profiles of runs that have failed. Returns how many of the runs of begin() are
  // finished.
  std::size_t keep();
  // Only publishes the profiles of runs that have failed, as keep() does.
  void keep_partial_profiles();
  // The profiles of runs that have failed, after either of these two.
  const std::vector<std::filesystem::path>& partial_profiles() const { return partial_profiles_; }
  // Moves the runs of begin() into place, and writes results.json, which also lists the runs that stay.
  // Returns the runs that have been removed. Throws std::runtime_error. If publishing has begun by then, the
  // next command completes it.
  std::vector<RunName> publish(const std::vector<Job>& jobs, const std::vector<RunResult>& results);

  // The runs that results.json in `folder` lists. If the file has gone, the runs that are finished. None if
  // there is no such file, or if another program wrote it. Throws std::runtime_error if the file cannot be
  // read.
  static std::vector<RunName> runs_in_record(const std::filesystem::path& folder);
  // The paths, relative to the folder, of results.json and of the files of its runs.
  static std::vector<std::filesystem::path> recorded(const std::filesystem::path& folder);

 private:
  struct Run {
    std::filesystem::path subfolder;
    std::vector<std::string> files;  // files of the run that are aside; the record is last
    bool has_profile;
  };
  void move(const Run& run);
  std::vector<RunName> replace_record(const std::vector<RunName>& runs);
  void complete();
  void remove_what_is_new();

  std::filesystem::path folder_, staging_;
  Published policy_;
  std::string record_;  // text of the published results.json
  std::vector<RunName> published_;
  std::vector<std::filesystem::path> new_folders_;  // the innermost first
  std::vector<std::filesystem::path> runs_;         // runs of begin(), by their subfolders
  std::vector<std::filesystem::path> partial_profiles_;
  bool keeps_ = false, has_begun_ = false;  // has_begun_: publishing has begun
  std::unique_ptr<LockFile> lock_;
};

// Gives each platform, with all of its parameters, and each trace a name of its own in a results folder. If a
// name stands for another platform or trace in `folder`, the one in `jobs` is renamed, so that the results of
// both can be there. The new name has the parameters that differ, if they are few (baseline,seed=2), or else
// a number (baseline,2). A platform or trace that was renamed before gets the same name again. Returns a line
// for the user on each that is renamed. Throws std::runtime_error if `folder` cannot be read.
std::vector<std::string> name_apart(std::vector<Job>& jobs, const std::filesystem::path& folder,
                                    const std::vector<RunName>& published);

}  // namespace subcore
