// Cautions: reasons to doubt a result. All views of results take their cautions from here.
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

// An adaptive STHLD with fewer decisions than this may not have settled.
inline constexpr std::uint64_t fewest_decisions = 100;
// A run with fewer waves than this (RunResult::waves) may spend a tenth of its time or more at the ends of
// its kernels. There some SMs have no work left.
inline constexpr double fewest_waves = 10;
// A ratio of two IPCs that is closer to 1 than this may be chance. The number is used where --seeds has not
// measured chance. docs/results.md says how it was found.
inline constexpr double noise_of_one_run = 0.02;

// A reason to doubt a result.
enum class Caution : std::uint8_t { limit, few_decisions, few_waves, within_noise, energy_within_noise };

// A caution: a letter for tables, a name for files, and words.
struct CautionLine {
  Caution caution;
  char mark;
  std::string_view name, words;
};

// One line for each Caution, in its order. The words before the colon are the title of a note.
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
// Whether the run is a limit, so that its result has that caution. The caller who knows the platform adds it.
bool is_limit(const RunResult& result);
// The cautions of a single run, without another platform's run beside it.
std::vector<Caution> cautions_of_run(const RunResult& result);

// Whether a ratio of IPCs may be chance alone. A ratio of single runs is within noise if it is closer to 1
// than noise_of_one_run. A mean over several members is within noise if its interval includes 1. A ratio of
// exactly 1 is not within noise. For energy, chance is known only from several members.
bool is_within_noise(double ratio);
// See above.
bool is_within_noise(const Spread& ratio);

// Sets `cautions` of a result to the cautions that the run has by itself.
void take_own_cautions(RunResult& result);
// Sets `cautions` of all results. Ratios and spreads must have been made.
void add_cautions(std::vector<RunResult>& results);

// The letters of a run's cautions: "DW".
std::string caution_marks(const std::vector<std::string>& cautions);
// The names of a run's cautions, with commas between them.
std::string caution_names(const RunResult& result);

}  // namespace subcore
