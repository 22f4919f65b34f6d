// results.json of a results folder: reads which runs the file lists, and adds the runs of another command.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "subcore/model/statistics/results.h"

namespace subcore {

// The file's name in a results folder.
inline constexpr const char* results_file = "results.json";

// The name of a run in a results folder. The run's files are in the subfolder PLATFORM/TRACE.
struct RunName {
  std::string platform, trace;
  std::filesystem::path subfolder() const { return std::filesystem::path(platform) / trace; }
  std::string text() const { return platform + " on " + trace; }
  bool operator==(const RunName& other) const { return platform == other.platform && trace == other.trace; }
};

// The runs that `text` lists, in its order, without per_kernel. Throws std::runtime_error, one line that
// begins with `file`, if `text` is no list of results, or if a name leads out of the folder.
std::vector<RunResult> results_in(const std::string& text, const std::string& file);
// The names of these runs.
std::vector<RunName> runs_in(const std::string& text, const std::string& file);

// The text of a results.json with the runs of `before` and of `results`. A run of `results` takes the place
// of the same run of `before`, or stands behind all runs. `before` may be empty, or is a text that runs_in()
// reads. Its other runs keep all of their keys, those of other versions, too. With several platforms, only
// the comparison with the first platform is made again.
std::string with_results(const std::string& before, const std::vector<RunResult>& results);

}  // namespace subcore
