// What a result moves by where nothing of the platform differs: over runs with other seeds and starts
// (--seeds).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/statistics/results.h"

namespace subcore {

// Of the interval of a mean: Student's t, two-sided.
inline constexpr double spread_confidence = 0.95;

// Which end of a value is its worst.
enum class WorstEnd { lowest, highest };

// A value over runs.
struct Spread {
  double mean = 0;
  double half_width = 0;  // of the mean's interval
  double worst = 0;       // of the runs
  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
  bool includes(double value) const { return low() <= value && value <= high(); }
};

// Nothing of fewer than two values, or where one is not finite.
std::optional<Spread> spread_over(const std::vector<double>& values, WorstEnd worst);

// The platform that a run is of: of a further member that of the first one.
const std::string& family_of(const RunResult& result);

// The values of all members of the run's family on its trace, in their order; empty if one of them has none.
std::vector<double> member_values(const std::vector<RunResult>& results, const RunResult& run,
                                  std::optional<double> (*value)(const RunResult&));

// Fills `spread` of every first member that has others beside it, once ratios have been made.
void add_spreads(std::vector<RunResult>& results);

// One of the values of `spread`, by its name: "ipc_normalised". Nothing if the run has none.
std::optional<Spread> spread_of(const RunResult& result, const std::string& value);

// The same of the geometric means of several runs of a family, one for each trace. Nothing without members.
std::optional<Spread> spread_of_means(const std::vector<RunResult>& results,
                                      const std::vector<const RunResult*>& runs, const std::string& value);

// A terminal table like comparison_table(), of means, intervals and the worst of each platform, by trace and
// on average; empty if no run has other members.
std::string spread_table(const std::vector<RunResult>& results, std::size_t limit = 0);

}  // namespace subcore
