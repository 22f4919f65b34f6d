// The spread of results: how far they differ between members, which are runs of one platform on one trace
// with other seeds and starts (--seeds).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "subcore/model/statistics/results.h"

namespace subcore {

// The confidence of a mean's interval, by Student's t, two-sided.
inline constexpr double spread_confidence = 0.95;

// The worse end of a value's range.
enum class WorstEnd { lowest, highest };

// A value over several runs.
struct Spread {
  double mean = 0;
  double half_width = 0;  // half the length of the mean's interval
  double worst = 0;       // the worst run's value
  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
  bool includes(double value) const { return low() <= value && value <= high(); }
};

// The spread of the values. Nothing if there are fewer than two, or if one is not finite.
std::optional<Spread> spread_over(const std::vector<double>& values, WorstEnd worst);

// A value of a run. Nothing if the run has none.
using ValueOfRun = std::function<std::optional<double>(const RunResult&)>;

// The platform of the run's first member. For a first member, its own platform.
const std::string& family_of(const RunResult& result);

// The values of all members of the run's family on its trace, in their order. Empty if a member has no value.
std::vector<double> member_values(const std::vector<RunResult>& results, const RunResult& run,
                                  const ValueOfRun& value);

// Fills `spread` of every first member with further members. Ratios must have been made.
void add_spreads(std::vector<RunResult>& results);

// The value of that name ("ipc_normalised") in the result's `spread`. Nothing if the run has none.
std::optional<Spread> spread_of(const RunResult& result, const std::string& value);

// The spread of a geometric mean over traces. `runs` are of one family, with one run for each trace. Nothing
// if the runs have no further members.
std::optional<Spread> spread_of_means(const std::vector<RunResult>& results,
                                      const std::vector<const RunResult*>& runs, const std::string& value);

// The least and the greatest mean energy over the members, by each table. `runs` are as above. Nothing if the
// runs have no further members.
std::optional<std::pair<double, double>> energies_by_table(const std::vector<RunResult>& results,
                                                           const std::vector<const RunResult*>& runs);

// A table for the terminal, like comparison_table(): the mean, interval and worst run of each platform, by
// trace and on average. Empty if no run has further members.
std::string spread_table(const std::vector<RunResult>& results, std::size_t limit = 0);

}  // namespace subcore
