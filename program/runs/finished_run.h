// FinishedRun: the record in a run's folder. The record is written last, when the run has passed its checks
// and all of its files exist. So a folder without a record is half-written.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "subcore/model/statistics/results.h"
#include "subcore/program/runs/run_key.h"

namespace subcore {

// The files of one run, below the folder's PLATFORM/TRACE, in the order in which they are written.
inline constexpr const char* run_files[] = {"stats.json", "stats.csv", "intervals.csv", "power.csv",
                                            "platform.yaml"};

// The file that a run has, too, if a profile was asked for.
inline constexpr const char* profile_file = "profile.json";

// The profile of a run that failed, up to the failure.
inline constexpr const char* partial_profile_file = "profile.partial.json";

// The name of the record.
inline constexpr const char* finished_file = "run.json";

struct FinishedRun {
  RunKey key;
  std::map<std::string, std::string> files;  // hash of each file, by name
  RunResult result;                          // without wall_seconds, so that equal runs have equal records
};

// Writes the record of the files in `folder`. The record also has a hash of itself. Throws
// std::runtime_error.
void write_finished_run(const std::filesystem::path& folder, const RunKey& key, const RunResult& result);

// The record in `folder`. Nothing if there is none, if another program wrote it, or if a person has changed
// it. Throws std::runtime_error if the record cannot be read.
std::optional<FinishedRun> read_finished_run(const std::filesystem::path& folder);

// Checks the record of the run in `folder`. Throws std::runtime_error, one line, if a file that the record
// names does not exist. Throws also if the record has another result than `record_file`, whose `result` is
// without the values that depend on other runs. A folder without a record comes from another version of the
// program.
void require_whole_run(const std::filesystem::path& folder, const RunResult& result,
                       const std::filesystem::path& record_file);

// A result without the values that differ when the run is made again: its wall time, and values that depend
// on other runs.
std::string identity(RunResult result);

// Copies the run into another folder, or leaves it in its place, with or without its profile. The trace may
// have another name now. False, and `to` is half-written, if the files are not those of the record or lack
// something that is asked for.
bool take_finished_run(FinishedRun run, const std::filesystem::path& from, const std::filesystem::path& to,
                       const std::string& trace, bool with_profile);

// Removes a run's files from its folder, but no folders in it. Throws std::runtime_error.
void clear_run(const std::filesystem::path& folder);

}  // namespace subcore
