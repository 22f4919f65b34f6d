// What keeps a result from being read as one. Every place that shows results has its cautions from here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/statistics/results.h"
#include "model/statistics/spread.h"

namespace subcore {

// With fewer decisions an adaptive STHLD may not have settled.
inline constexpr std::uint64_t fewest_decisions = 100;
// Of CTAs, the mean over kernels by their cycles: with fewer, a tenth of the time and more may be the end, in
// which some SMs have nothing left to do.
inline constexpr double fewest_waves = 10;
// What the ratio of two IPCs may differ by without meaning anything, where nobody has measured it (--seeds):
// docs/results.md says how it was found.
inline constexpr double noise_of_one_run = 0.02;

// What keeps a result from being read as one.
enum class Caution : std::uint8_t { few_decisions, few_waves, within_noise };

// A caution, as a letter in tables, as a name in files, and in words.
struct CautionLine {
  Caution caution;
  char mark;
  std::string_view name, words;
};

// By Caution. The words begin with what a note is called by.
inline constexpr std::array<CautionLine, 3> caution_lines{
    {{Caution::few_decisions, 'D', "few_decisions",
      "few STHLD decisions: fewer than 100, so the adaptive STHLD may not have settled"},
     {Caution::few_waves, 'W', "few_waves",
      "few waves of CTAs: fewer than 10, so the end, where schedulers run out of warps, weighs; compare "
      "ipc_busy, "
      "over the cycles in which schedulers had a warp"},
     {Caution::within_noise, 'N', "within_noise",
      "within noise: the IPC does not differ from the first platform's by more than chance does"}}};

// See caution_lines.
constexpr const CautionLine& line_of(Caution caution) {
  return caution_lines[static_cast<std::size_t>(caution)];
}
// Nothing if none is called so.
std::optional<Caution> caution_called(std::string_view name);

// Those that one run has by itself.
std::vector<Caution> cautions_of_run(const RunResult& result);

// Whether a ratio of IPCs says no more than chance: measured once, it is closer to 1 than noise_of_one_run;
// over several members, its interval includes 1. What is always 1 is no difference, and no noise.
bool is_within_noise(double ratio);
// See above.
bool is_within_noise(const Spread& ratio);

// Fills `cautions` of all results, once ratios and spreads have been made.
void add_cautions(std::vector<RunResult>& results);

// The letters of a run's cautions: "DW".
std::string caution_marks(const std::vector<std::string>& cautions);
// The names of a run's cautions, with commas between them.
std::string caution_names(const RunResult& result);

}  // namespace subcore
