// Cautions: reasons to doubt a result. Every place that shows results has its cautions from here.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/model/statistics/spread.h"

namespace subcore {

// An adaptive STHLD that has decided fewer times than this may not have settled.
inline constexpr std::uint64_t fewest_decisions = 100;
// A run with fewer waves (RunResult::waves) than this may spend a tenth of its time, or more, at the ends of
// its kernels, where some SMs have nothing left to do.
inline constexpr double fewest_waves = 10;
// A ratio of two IPCs that is closer to 1 than this may be chance. It stands in where --seeds has not
// measured what chance does; docs/results.md says how it was found.
inline constexpr double noise_of_one_run = 0.02;

// A reason to doubt a result.
enum class Caution : std::uint8_t { limit, few_decisions, few_waves, within_noise, energy_within_noise };

// A caution, as a letter in tables, as a name in files, and in words.
struct CautionLine {
  Caution caution;
  char mark;
  std::string_view name, words;
};

// One line for each Caution, in its order. The part of the words before the colon is the title of a note.
inline constexpr std::array<CautionLine, 5> caution_lines{
    {{Caution::limit, 'L', "limit",
      "limit: near bits know the future, as no compiler does; the limit is not a scheme, and other platforms "
      "are compared with it"},
     {Caution::few_decisions, 'D', "few_decisions",
      "few STHLD decisions: fewer than 100, so the adaptive STHLD may not have settled"},
     {Caution::few_waves, 'W', "few_waves",
      "few waves of CTAs: fewer than 10, so the end, where schedulers run out of warps, distorts IPC; "
      "compare ipc_busy, the IPC over cycles in which schedulers had a warp"},
     {Caution::within_noise, 'N', "within_noise",
      "within noise: the IPC does not differ from the first platform's by more than chance does"},
     {Caution::energy_within_noise, 'E', "energy_within_noise",
      "energy within noise: the energy does not differ from the first platform's by more than chance does"}}};

// See caution_lines.
constexpr const CautionLine& line_of(Caution caution) {
  return caution_lines[static_cast<std::size_t>(caution)];
}
// The caution with this name; nothing if there is none.
std::optional<Caution> caution_called(std::string_view name);

// Whether only a comparison with another platform can have the caution.
constexpr bool is_of_comparison(Caution caution) {
  return caution >= Caution::within_noise;
}
// Whether the run is a limit: its result has that caution, which whoever knows the platform puts there.
bool is_limit(const RunResult& result);
// The cautions that one run has by itself, without another platform's run beside it.
std::vector<Caution> cautions_of_run(const RunResult& result);

// Whether chance alone may make a ratio of IPCs. A ratio of single runs is within noise if it is closer to 1
// than noise_of_one_run; the mean over several members, if its interval includes 1. A ratio of exactly 1 is
// not. Of energy, chance is known from several members alone.
bool is_within_noise(double ratio);
// See above.
bool is_within_noise(const Spread& ratio);

// Fills `cautions` of a result with those that the run has by itself, and no others.
void take_own_cautions(RunResult& result);
// Fills `cautions` of all results, once ratios and spreads have been made.
void add_cautions(std::vector<RunResult>& results);

// The letters of a run's cautions: "DW".
std::string caution_marks(const std::vector<std::string>& cautions);
// The names of a run's cautions, with commas between them.
std::string caution_names(const RunResult& result);

}  // namespace subcore
