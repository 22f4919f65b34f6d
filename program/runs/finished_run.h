// FinishedRun: the record in a run's folder, once the run has passed its checks and all of its files are
// there. It is written last, so a folder without one is half-written.
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

// A further file of runs that were asked for it.
inline constexpr const char* profile_file = "profile.json";

// The profile up to the failure, of a run that failed.
inline constexpr const char* partial_profile_file = "profile.partial.json";

// The record.
inline constexpr const char* finished_file = "run.json";

struct FinishedRun {
  RunKey key;
  std::map<std::string, std::string> files;  // the hash of each, by its name
  RunResult result;                          // without wall_seconds: equal runs have equal records
};

// Writes the record of the files that are in `folder`. The record has a hash of itself, too. Throws
// std::runtime_error.
void write_finished_run(const std::filesystem::path& folder, const RunKey& key, const RunResult& result);

// The record in `folder`; nothing if there is none, if it is not ours, or if somebody has changed it. Throws
// std::runtime_error if it cannot be read.
std::optional<FinishedRun> read_finished_run(const std::filesystem::path& folder);

// Throws std::runtime_error, one line, if a file that the record of the run in `folder` names is not there,
// or if the record says another result than `record_file`, whose `result` is without what depends on other
// runs. A folder without a record is one of another version of the program.
void require_whole_run(const std::filesystem::path& folder, const RunResult& result,
                       const std::filesystem::path& record_file);

// A result but for what differs when the run is made again: its wall time, and all that depends on other
// runs.
std::string identity(RunResult result);

// Copies the run into another folder, or leaves it where it is, with or without its profile, of a trace that
// may be called otherwise now. False, and `to` is half-written, if its files are not those of the record or
// have not what is asked for.
bool take_finished_run(FinishedRun run, const std::filesystem::path& from, const std::filesystem::path& to,
                       const std::string& trace, bool with_profile);

// Removes a run's files from its folder, but no folders in it. Throws std::runtime_error.
void clear_run(const std::filesystem::path& folder);

}  // namespace subcore
