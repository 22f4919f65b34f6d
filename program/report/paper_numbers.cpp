#include "subcore/program/report/paper_numbers.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <fnmatch.h>

#include "subcore/base/spelling.h"

namespace subcore {
namespace {

MaybeNumber quotient(MaybeNumber a, MaybeNumber b) {
  if (!a || !b || !(*b > 0) || !std::isfinite(*a / *b)) return std::nullopt;
  return *a / *b;
}

std::vector<double> finite(const MaybeNumbers& values) {
  std::vector<double> found;
  for (const MaybeNumber& v : values)
    if (v && std::isfinite(*v)) found.push_back(*v);
  return found;
}

class Maker {
 public:
  Maker(const PaperFigure& figure, const Comparison& comparison, const std::string& results_name)
      : figure_(figure), comparison_(comparison), results_name_(results_name) {}

  PaperNumbers numbers() {
    for (const PaperFigure::Series& s : figure_.series) numbers_.series.push_back(platform(s.platform));
    std::vector<std::size_t> needed = numbers_.series;
    if (!figure_.against.empty()) {
      for (const PaperFigure::Series& s : figure_.series) numbers_.bases.push_back(base_of(s));
      needed.insert(needed.end(), numbers_.bases.begin(), numbers_.bases.end());
    }
    find_traces(needed);
    check_parts(needed);
    if (figure_.kind == PaperFigure::Kind::intervals) return std::move(numbers_);
    for (std::size_t s = 0; s < figure_.series.size(); ++s) add_series(s);
    for (const StatedNumber& n : figure_.stated) numbers_.stated.push_back(stated(n));
    return std::move(numbers_);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& expected) const {
    throw std::runtime_error("figure " + figure_.id + ": " + results_name_ + ": " + problem + "; expected " +
                             expected);
  }

  std::size_t platform(const std::string& name) const {
    const auto& all = comparison_.platforms();
    const auto found = std::find(all.begin(), all.end(), name);
    if (found == all.end())
      refuse("no run of " + name, "results of every platform of the figure" +
                                      (did_you_mean(name, all).empty() ? "" : ";" + did_you_mean(name, all)));
    return static_cast<std::size_t>(found - all.begin());
  }

  // A change may be of what the other platform does not have: then it is compared with that as it is.
  std::size_t base_of(const PaperFigure::Series& s) const {
    const auto& all = comparison_.platforms();
    const bool is_there = std::find(all.begin(), all.end(), s.against) != all.end();
    const bool may_miss = figure_.kind == PaperFigure::Kind::tornado;
    return platform(s.against.empty() || (may_miss && !is_there) ? figure_.against : s.against);
  }

  void find_traces(const std::vector<std::size_t>& platforms) {
    for (std::size_t t = 0; t < comparison_.traces().size(); ++t) {
      if (!is_called_for(comparison_.traces()[t])) continue;
      const auto has_run = [&](std::size_t p) { return comparison_.run(p, t) != nullptr; };
      if (std::none_of(platforms.begin(), platforms.end(), has_run)) continue;
      for (const std::size_t p : platforms)
        if (!has_run(p))
          refuse("no run of " + comparison_.platforms()[p] + " on " + comparison_.traces()[t],
                 "every platform of the figure on the same traces");
      if (!is_wanted(platforms.front(), t)) continue;
      numbers_.traces.push_back(t);
    }
  }

  void check_parts(const std::vector<std::size_t>& platforms) const {
    std::vector<const RunResult*> runs;
    for (const std::size_t t : numbers_.traces)
      for (const std::size_t p : platforms) runs.push_back(&comparison_.run(p, t)->result);
    if (runs.empty()) return;
    const auto check = [&](const ResultValue& value) {
      if (const std::string part = value.part_of_none(runs); !part.empty())
        refuse("no run has '" + part + "'", "the names of parts that results have");
    };
    check(figure_.value);
    for (const auto& part : figure_.parts) check(part.second);
  }

  bool is_called_for(const std::string& trace) const {
    const auto matches = [&](const std::string& p) { return fnmatch(p.c_str(), trace.c_str(), 0) == 0; };
    return figure_.traces.empty() || std::any_of(figure_.traces.begin(), figure_.traces.end(), matches);
  }
  bool is_wanted(std::size_t platform, std::size_t trace) const {
    const PaperFigure::Where& where = figure_.where;
    if (!where.value.is_set()) return true;
    const MaybeNumber value = where.value.of(comparison_.run(platform, trace)->result);
    return value && (where.above ? *value > where.than : *value < where.than);
  }

  // The figure's values of a run, by part.
  MaybeNumbers of_run(std::size_t platform, std::size_t trace) const {
    const RunResult& run = comparison_.run(platform, trace)->result;
    if (figure_.parts.empty()) return {figure_.value.of(run)};
    MaybeNumbers parts;
    for (const auto& part : figure_.parts) parts.push_back(part.second.of(run));
    return parts;
  }

  MaybeNumber sum_of_run(std::size_t platform, std::size_t trace) const {
    double sum = 0;
    for (const MaybeNumber& v : of_run(platform, trace)) {
      if (!v) return std::nullopt;
      sum += *v;
    }
    return sum;
  }

  void add_series(std::size_t s) {
    const std::size_t platform = numbers_.series[s];
    const bool is_share = figure_.kind == PaperFigure::Kind::stacks, is_relative = !figure_.against.empty();
    auto& by_part = numbers_.values.emplace_back(std::max<std::size_t>(figure_.parts.size(), 1));
    bool has_any = false;
    for (const std::size_t t : numbers_.traces) {
      const MaybeNumbers parts = of_run(platform, t);
      const std::size_t base = is_relative ? numbers_.bases[s] : platform;
      const MaybeNumbers wholes =
          is_share ? MaybeNumbers(parts.size(), sum_of_run(base, t)) : of_run(base, t);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        by_part[p].push_back(is_share || is_relative ? quotient(parts[p], wholes[p]) : parts[p]);
        if (by_part[p].back() && std::isfinite(*by_part[p].back())) has_any = true;
      }
    }
    if (!has_any && !numbers_.traces.empty())
      refuse("no run of " + comparison_.platforms()[platform] + " has a value for " + figure_.series[s].name,
             !figure_.parts.empty() ? "parts that it has" : "results with '" + figure_.value.text() + "'");
  }

  // Values by trace, summed over the parts that the number is about; the one value where there are none.
  MaybeNumbers of_series(const StatedNumber& n, const std::string& series) const {
    const std::vector<MaybeNumbers>& parts = numbers_.values[figure_.index_of(series)];
    if (n.parts.empty()) return parts.front();
    MaybeNumbers sums(parts.front().size(), 0.0);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (std::find(n.parts.begin(), n.parts.end(), figure_.parts[p].first) == n.parts.end()) continue;
      for (std::size_t t = 0; t < sums.size(); ++t)
        sums[t] = sums[t] && parts[p][t] ? MaybeNumber(*sums[t] + *parts[p][t]) : std::nullopt;
    }
    return sums;
  }

  MaybeNumbers by_trace(const StatedNumber& n) const {
    MaybeNumbers of = of_series(n, n.of);
    const std::string& other = n.over.empty() ? n.minus : n.over;
    if (other.empty()) return of;
    const MaybeNumbers against = of_series(n, other);
    MaybeNumbers result;
    for (std::size_t t = 0; t < of.size(); ++t) {
      if (!n.over.empty())
        result.push_back(quotient(of[t], against[t]));
      else
        result.push_back(of[t] && against[t] ? MaybeNumber(*of[t] - *against[t]) : std::nullopt);
    }
    return result;
  }

  MaybeNumber at(const StatedNumber& n, const MaybeNumbers& values) const {
    if (n.at == "mean")
      return mean_of(values, n.minus.empty() && (figure_.is_mean_geometric || !n.over.empty()));
    if (n.at == "highest" || n.at == "lowest") {
      const std::vector<double> found = finite(values);
      if (found.empty()) return std::nullopt;
      return n.at == "highest" ? *std::max_element(found.begin(), found.end())
                               : *std::min_element(found.begin(), found.end());
    }
    MaybeNumbers found;  // several, where folders tell them apart: kernels/lud and rodinia/lud
    for (std::size_t t = 0; t < values.size(); ++t) {
      const std::string& trace = comparison_.traces()[numbers_.traces[t]];
      if (trace == n.at || std::filesystem::path(trace).filename() == n.at) found.push_back(values[t]);
    }
    return mean_of(found, false);
  }

  PaperNumbers::Stated stated(const StatedNumber& n) const {
    const MaybeNumbers values = by_trace(n);
    PaperNumbers::Stated s{at(n, values), {}, spread_of(values)};
    if (s.ours) s.difference = *s.ours - n.value;
    return s;
  }

  const PaperFigure& figure_;
  const Comparison& comparison_;
  const std::string& results_name_;
  PaperNumbers numbers_;
};

}  // namespace

MaybeNumber spread_of(const MaybeNumbers& values) {
  const std::vector<double> found = finite(values);
  if (found.size() < 2) return std::nullopt;
  const double mean = *mean_of(values, false);
  double squares = 0;
  for (const double v : found) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(found.size() - 1));
}

bool PaperNumbers::Stated::exceeds() const {
  return difference && spread && std::abs(*difference) > *spread;
}

PaperNumbers paper_numbers(const PaperFigure& figure, const Comparison& comparison,
                           const std::string& results_name) {
  return Maker(figure, comparison, results_name).numbers();
}

}  // namespace subcore
