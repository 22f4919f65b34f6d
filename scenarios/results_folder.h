// The results folder appears whole or not at all: everything is written aside, in the folder, and moved into
// place when all runs have succeeded.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scenarios/lock_file.h"

namespace subcore {

// The files of one run, below the folder's PLATFORM/TRACE, in the order in which they are written.
inline constexpr const char* run_files[] = {"stats.json", "stats.csv", "intervals.csv", "power.csv",
                                            "platform.yaml"};

// One more, of runs that were asked for it.
inline constexpr const char* profile_file = "profile.json";

class ResultsFolder {
 public:
  // Empty: no results are written. Locks the folder, which is made when it is not there. What a dead run left
  // half-written there is removed; had it finished, and was only moving its files into place, that is
  // completed. Throws std::runtime_error.
  explicit ResultsFolder(const std::filesystem::path& folder);
  ~ResultsFolder();  // without publish(): nothing stays
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  // Where the files of one run are written; empty if there are no results.
  std::filesystem::path staging(const std::filesystem::path& run) const;
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
  std::unique_ptr<LockFile> lock_;
};

}  // namespace subcore
