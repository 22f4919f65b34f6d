// Results that runs have left, read back for a report: folders of --results, or files of --json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "subcore/model/policy/sthld/sthld_machine.h"
#include "subcore/model/statistics/results.h"

namespace subcore {

struct SavedRun {
  RunResult result;
  std::vector<IntervalRow> intervals;  // empty: none are saved
  double clock_period_ns = 1;          // for power
  std::string file;                    // the file that the result is from
  std::uint64_t sms = 0;               // 0: not known
  std::uint64_t waves = 0;  // how often CTAs filled the SMs, what was left of a kernel too; 0: not known
  std::uint64_t sthld_interval = 0;  // in cycles; 0: nothing adapts
  std::optional<SthldTable> sthld_table{};
  std::vector<RunResult>
      members{};  // with --seeds: the runs from 1 on, in their order, under this run's platform
};

struct SavedRuns {
  // Runs, normalised again against the platform of the first. Further members are in `members` of their
  // first.
  std::vector<SavedRun> runs;
  std::vector<std::string> notes;            // for a reader, on how they go together
  std::vector<std::filesystem::path> files;  // all that were read
};

// Reads runs in the order of `results`, and of the runs in each. Throws std::runtime_error, one line with
// file, place and what was expected, when something cannot be used, or when two runs of one platform on one
// trace differ.
SavedRuns saved_runs(const std::vector<std::string>& results);

// The rows of an intervals.csv; `name` is how errors call it.
std::vector<IntervalRow> intervals_from_csv(const std::string& text, const std::string& name);

// The shipped energy table by which a result's energy was counted; "" if none makes the same of its events.
std::string energy_preset_of(const RunResult& result);

}  // namespace subcore
