// SampleEstimate: the whole run, estimated from its simulated part, and intervals for ratios of two such
// runs.
//
// CTAs that were left out of a launch take as much for each warp instruction as the measured waves. Launches
// that were left out take as much for each instruction as the launch that stands for them. Estimates go by
// instructions and not by CTAs, because CTAs of one kernel may differ.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <optional>
#include <vector>

#include "subcore/model/sampling/sample.h"

namespace subcore {

// The confidence of a ratio's interval, two-sided by Student's t.
inline constexpr double sample_confidence = 0.95;
// An extra width of a ratio's interval on either side, as a share of the ratio. The extra width covers
// effects that the waves do not show, such as a cache that fills slowly.
inline constexpr double sample_slack = 0.02;

// A ratio of two sampled runs.
struct SampleRatio {
  double value = 0, low = 0, high = 0;  // the interval is [low, high]
};

class SampleEstimate {
 public:
  // The sample must outlive the estimate.
  explicit SampleEstimate(const Sample& sample) : sample_(sample) {}

  // The amounts of the whole run.
  SampleAmounts whole() const;
  // The warp instructions of the whole run, including those that were left out. Their number is known.
  double instructions() const;
  double instructions_left_out() const;
  // The share of the whole run's warp instructions that was simulated, 0 to 1.
  double fraction() const;
  std::uint64_t kernels_left_out() const;
  std::uint64_t ctas_left_out() const;
  // The first kernel that stands for launches with another number of instructions than its own; null if there
  // is none. If there is one, absolute amounts of the whole must not be stated.
  const SampledKernel* first_uneven() const;

 private:
  const Sample& sample_;
};

// The ratios of two sampled runs of the same CTAs, on two platforms.
class SampleComparison {
 public:
  // Throws std::invalid_argument if the two runs have different CTAs.
  SampleComparison(const Sample& of, const Sample& to);

  // The ratio of IPCs, and of energies; nothing if a run lacks the value. An index of energy_by_preset_pj
  // chooses a shipped table.
  std::optional<SampleRatio> ipc() const;
  std::optional<SampleRatio> energy() const;
  std::optional<SampleRatio> energy_by_preset(std::size_t preset) const;

  // Whether both runs have the same CTAs, so that they can be compared.
  static bool fit(const Sample& of, const Sample& to);

 private:
  template <class Value>
  std::optional<SampleRatio> ratio(const Value& value) const;

  bool is_whole_;  // nothing was left out
  SampleAmounts whole_of_, whole_to_;
  // The amounts of both whole runs without one wave, by kernel and wave.
  std::vector<std::vector<std::pair<SampleAmounts, SampleAmounts>>> without_;
};

}  // namespace subcore
