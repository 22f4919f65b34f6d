// Saved runs as a table of platforms and traces, against the first platform.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "subcore/program/report/saved_runs.h"

namespace subcore {

using MaybeNumbers = std::vector<std::optional<double>>;  // by trace; nothing: it is not known

// The mean of the values that are there and finite; geometric: of those above 0.
std::optional<double> mean_of(const MaybeNumbers& values, bool geometric);

class Comparison {
 public:
  using Value = std::function<double(const RunResult&)>;

  explicit Comparison(SavedRuns saved);

  // Platforms and traces in the order in which they are first met.
  const std::vector<std::string>& platforms() const { return platforms_; }
  const std::vector<std::string>& traces() const { return traces_; }
  // The machine of a platform.
  std::string machine(std::size_t platform) const;
  // Notes on the runs, with the runs' own among them.
  const std::vector<std::string>& notes() const { return saved_.notes; }
  const std::vector<SavedRun>& runs() const { return saved_.runs; }

  // With --seeds: this comparison made of each member of the runs, the first among them. Empty if there is
  // one member only, or if some runs have more members than others.
  std::vector<Comparison> members() const;

  // Null if the platform did not run the trace.
  const SavedRun* run(std::size_t platform, std::size_t trace) const;
  // The value against that of the first platform on the same trace; nothing where one is missing, or is not
  // above 0.
  std::optional<double> ratio(std::size_t platform, std::size_t trace, const Value& value) const;
  // Geometric mean over the traces where there is a ratio.
  std::optional<double> mean_ratio(std::size_t platform, const Value& value) const;
  // Arithmetic mean over the traces that both the platform and the first one ran; or that all platforms ran,
  // so that means can stand side by side.
  std::optional<double> mean(std::size_t platform, const Value& value) const;
  std::optional<double> mean_of_common(std::size_t platform, const Value& value) const;
  // Whether the platform's runs are limits (Caution::limit).
  bool is_limit(std::size_t platform) const;

 private:
  void gather_notes();
  void note_missing();
  template <class IsCounted>
  std::optional<double> mean_over(std::size_t platform, const Value& value,
                                  const IsCounted& is_counted) const;

  SavedRuns saved_;
  std::vector<std::string> platforms_, traces_;
  std::vector<std::size_t> cells_;  // by platform and trace: which run, if any
};

}  // namespace subcore
