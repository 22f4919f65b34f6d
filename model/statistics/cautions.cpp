#include "subcore/model/statistics/cautions.h"

#include <algorithm>
#include <cmath>

namespace subcore {
namespace {

void add(RunResult& r, Caution caution) {
  r.cautions.emplace_back(line_of(caution).name);
}

bool differs_by_noise(const RunResult& r) {
  if (const auto s = spread_of(r, "ipc_normalised")) return is_within_noise(*s);
  if (const auto low = value_of(r.sample_intervals, "ipc_normalised_low"))
    return *low <= 1 && 1 <= value_of(r.sample_intervals, "ipc_normalised_high").value_or(*low);
  return r.ipc_normalised && is_within_noise(*r.ipc_normalised);
}

}  // namespace

std::optional<Caution> caution_called(std::string_view name) {
  for (const CautionLine& line : caution_lines)
    if (line.name == name) return line.caution;
  return std::nullopt;
}

bool is_limit(const RunResult& r) {
  return std::find(r.cautions.begin(), r.cautions.end(), line_of(Caution::limit).name) != r.cautions.end();
}

std::vector<Caution> cautions_of_run(const RunResult& r) {
  std::vector<Caution> all;
  if (is_limit(r)) all.push_back(Caution::limit);
  const auto decisions = value_of(r.own, "sthld_decisions");
  if (decisions && *decisions < fewest_decisions) all.push_back(Caution::few_decisions);
  if (r.waves && *r.waves < fewest_waves) all.push_back(Caution::few_waves);
  return all;
}

bool is_within_noise(const Spread& s) {
  return s.half_width > 0 && s.includes(1);
}

bool is_within_noise(double ratio) {
  return ratio != 1 && std::abs(ratio - 1) < noise_of_one_run;
}

void take_own_cautions(RunResult& r) {
  const std::vector<Caution> own = cautions_of_run(r);
  r.cautions.clear();
  for (const Caution c : own) add(r, c);
}

void add_cautions(std::vector<RunResult>& results) {
  for (RunResult& r : results) {
    take_own_cautions(r);
    if (family_of(r) == family_of(results.front())) continue;
    if (differs_by_noise(r)) add(r, Caution::within_noise);
    if (const auto s = spread_of(r, "energy_normalised"); s && is_within_noise(*s))
      add(r, Caution::energy_within_noise);
  }
}

std::string caution_marks(const std::vector<std::string>& cautions) {
  std::string marks;
  for (const std::string& name : cautions)
    if (const auto c = caution_called(name)) marks += line_of(*c).mark;
  return marks;
}

std::string caution_names(const RunResult& r) {
  std::string names;
  for (const std::string& name : r.cautions) names += (names.empty() ? "" : ", ") + name;
  return names;
}

}  // namespace subcore
