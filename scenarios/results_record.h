// results.json of a results folder: which runs it lists, and how those of another command come to it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/statistics/results.h"

namespace subcore {

// The name of the file in a results folder.
inline constexpr const char* results_file = "results.json";

// What a run is called in a results folder: its place there is PLATFORM/TRACE.
struct RunName {
  std::string platform, trace;
  std::filesystem::path place() const { return std::filesystem::path(platform) / trace; }
  std::string text() const { return platform + " on " + trace; }
  bool operator==(const RunName& other) const { return platform == other.platform && trace == other.trace; }
};

// The runs that `text` lists, in its order, without what it says of kernels. Throws std::runtime_error, one line that begins with `file`, if
// it is no list of results, or if a name leads out of the folder.
std::vector<RunResult> results_in(const std::string& text, const std::string& file);
// Their names.
std::vector<RunName> runs_in(const std::string& text, const std::string& file);

// The text of a results.json that has the runs of `before`, where one is left out that `results` has, too,
// and those of `results`: in the place of the one that was left out, or behind all. `before`, a text that
// runs_in() reads, may be empty. What is there of a run stays as it is, with keys of other versions, but for
// the comparison with the first platform, which is made again where there are several platforms.
std::string with_results(const std::string& before, const std::vector<RunResult>& results);

}  // namespace subcore
