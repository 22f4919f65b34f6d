#include "subcore/model/statistics/spread.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/students_t.hpp>

namespace subcore {
namespace {

using Value = ValueOfRun;

struct SpreadValue {
  const char* name;
  Value of;
  WorstEnd worst;
};

// The values in RunResult::spread, in its order.
const SpreadValue spread_values[] = {
    {"cycles", [](const RunResult& r) { return std::optional<double>(static_cast<double>(r.cycles)); },
     WorstEnd::highest},
    {"ipc", [](const RunResult& r) { return std::optional<double>(r.ipc); }, WorstEnd::lowest},
    {"ipc_normalised", [](const RunResult& r) { return r.ipc_normalised; }, WorstEnd::lowest},
    {"energy_normalised", [](const RunResult& r) { return r.energy_normalised; }, WorstEnd::highest},
};

double half_width_of(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto n = static_cast<double>(values.size());
  const boost::math::students_t distribution(n - 1);
  const double t = boost::math::quantile(distribution, 0.5 + spread_confidence / 2);
  return t * std::sqrt(squares / (n - 1) / n);
}

// The geometric mean over the traces, for each member. Empty if a value is missing.
std::vector<double> member_means(const std::vector<RunResult>& results,
                                 const std::vector<const RunResult*>& runs, const Value& value) {
  std::vector<double> logarithms;
  for (const RunResult* r : runs) {
    const std::vector<double> of_trace = member_values(results, *r, value);
    if (of_trace.empty() || (!logarithms.empty() && of_trace.size() != logarithms.size())) return {};
    logarithms.resize(of_trace.size());
    for (std::size_t m = 0; m < of_trace.size(); ++m) logarithms[m] += std::log(of_trace[m]);
  }
  for (double& l : logarithms) l = std::exp(l / static_cast<double>(runs.size()));
  return logarithms;
}

const SpreadValue* value_called(const std::string& name) {
  return std::find_if(std::begin(spread_values), std::end(spread_values),
                      [&](const SpreadValue& v) { return v.name == name; });
}

}  // namespace

std::optional<Spread> spread_over(const std::vector<double>& values, WorstEnd worst) {
  if (values.size() < 2 ||
      !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    return std::nullopt;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  Spread s;
  s.worst = worst == WorstEnd::lowest ? *least : *most;
  if (*least == *most) {  // avoids the rounding of a sum
    s.mean = *least;
    return s;
  }
  for (const double v : values) s.mean += v / static_cast<double>(values.size());
  s.half_width = half_width_of(values, s.mean);
  return s;
}

const std::string& family_of(const RunResult& r) {
  return r.member_of ? *r.member_of : r.platform;
}

std::vector<double> member_values(const std::vector<RunResult>& results, const RunResult& run,
                                  const ValueOfRun& value) {
  std::vector<std::pair<std::uint64_t, double>> of_members;
  for (const RunResult& r : results) {
    if (r.trace != run.trace || family_of(r) != family_of(run)) continue;
    const std::optional<double> v = value(r);
    if (!v) return {};
    of_members.emplace_back(r.member, *v);
  }
  std::sort(of_members.begin(), of_members.end());
  std::vector<double> values;
  for (const auto& [member, v] : of_members) values.push_back(v);
  return values;
}

std::optional<std::pair<double, double>> energies_by_table(const std::vector<RunResult>& results,
                                                           const std::vector<const RunResult*>& runs) {
  std::vector<double> means;
  for (const auto& entry : runs.front()->energy_by_preset_normalised) {
    const auto of_table = [&](const RunResult& r) {
      return value_of(r.energy_by_preset_normalised, entry.first);
    };
    if (const auto s = spread_over(member_means(results, runs, of_table), WorstEnd::highest))
      means.push_back(s->mean);
  }
  if (means.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  return std::pair(*least, *most);
}

void add_spreads(std::vector<RunResult>& results) {
  for (RunResult& r : results) {
    r.spread.clear();
    if (r.member != 0) continue;
    for (const SpreadValue& v : spread_values) {
      const std::vector<double> values = member_values(results, r, v.of);
      const std::optional<Spread> s = spread_over(values, v.worst);
      if (!s) continue;
      if (r.spread.empty())
        r.spread = {{"members", static_cast<double>(values.size())}, {"confidence", spread_confidence}};
      const std::string name = v.name;
      r.spread.emplace_back(name + "_mean", s->mean);
      r.spread.emplace_back(name + "_low", s->low());
      r.spread.emplace_back(name + "_high", s->high());
      r.spread.emplace_back(name + "_worst", s->worst);
    }
    if (r.spread.empty()) continue;
    if (const auto range = energies_by_table(results, {&r})) {
      r.spread.emplace_back("energy_by_table_least", range->first);
      r.spread.emplace_back("energy_by_table_most", range->second);
    }
  }
}

std::optional<Spread> spread_of(const RunResult& r, const std::string& value) {
  const auto mean = value_of(r.spread, value + "_mean"), high = value_of(r.spread, value + "_high"),
             worst = value_of(r.spread, value + "_worst");
  if (!mean || !high || !worst) return std::nullopt;
  return Spread{*mean, *high - *mean, *worst};
}

std::optional<Spread> spread_of_means(const std::vector<RunResult>& results,
                                      const std::vector<const RunResult*>& runs, const std::string& value) {
  const auto* const v = value_called(value);
  if (v == std::end(spread_values)) return std::nullopt;
  return spread_over(member_means(results, runs, v->of), v->worst);
}

}  // namespace subcore
