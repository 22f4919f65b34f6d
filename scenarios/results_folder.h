// The results folder appears whole or not at all: everything is written aside, in the folder, and moved into
// place when all runs have succeeded. Until then the finished ones can be kept there, for another command.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scenarios/finished_run.h"
#include "scenarios/lock_file.h"

namespace subcore {

class ResultsFolder {
 public:
  enum class Earlier { dropped, kept };  // runs that an earlier command has finished, but not published

  // Empty: no results are written. Locks the folder, which is made when it is not there. What a dead run left
  // half-written there is removed; had it finished, and was only moving its files into place, that is
  // completed. Throws std::runtime_error.
  explicit ResultsFolder(const std::filesystem::path& folder, Earlier earlier = Earlier::dropped);
  ~ResultsFolder();  // without publish() or keep(): nothing stays
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  // Where the files of one run are written; empty if there are no results.
  std::filesystem::path staging(const std::filesystem::path& run) const;
  // Runs of an earlier command that were dropped.
  std::size_t dropped() const { return dropped_; }
  // The folders of the runs that are published here.
  std::vector<std::filesystem::path> published() const;
  // For once no run is writing: removes what is half-written, and keeps the finished runs. Returns their
  // number.
  std::size_t keep();
  // Replaces what an earlier run wrote here, as its results.json records it, and leaves all other files
  // alone.
  void publish(const std::string& results_json);

  // The files that results.json in `folder` records, itself among them, relative to the folder; none if there
  // is no such file, or it is not ours.
  static std::set<std::filesystem::path> recorded(const std::filesystem::path& folder);

 private:
  void complete();
  void remove_old_profiles();
  void remove_what_is_new();

  std::filesystem::path folder_, staging_;
  std::vector<std::filesystem::path> new_folders_;  // innermost first
  std::size_t dropped_ = 0;
  bool keeps_ = false;
  std::unique_ptr<LockFile> lock_;
};

}  // namespace subcore
