#include "subcore/program/report/comparison.h"

#include <algorithm>
#include <cmath>

#include "subcore/model/statistics/cautions.h"

namespace subcore {
namespace {

constexpr std::size_t no_run = static_cast<std::size_t>(-1);

std::size_t index_of(const std::string& name, std::vector<std::string>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) names.push_back(name);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

Comparison::Comparison(SavedRuns saved) : saved_(std::move(saved)) {
  for (const SavedRun& r : saved_.runs) {
    index_of(r.result.platform, platforms_);
    index_of(r.result.trace, traces_);
  }
  cells_.assign(platforms_.size() * traces_.size(), no_run);
  for (std::size_t i = 0; i < saved_.runs.size(); ++i) {
    const RunResult& r = saved_.runs[i].result;
    cells_[index_of(r.platform, platforms_) * traces_.size() + index_of(r.trace, traces_)] = i;
  }
  gather_notes();
  note_missing();
}

std::vector<Comparison> Comparison::members() const {
  const std::size_t others = saved_.runs.empty() ? 0 : saved_.runs.front().members.size();
  for (const SavedRun& r : saved_.runs)
    if (r.members.size() != others) return {};
  if (others == 0) return {};
  std::vector<Comparison> all;
  for (std::size_t m = 0; m <= others; ++m) {
    SavedRuns of_member{saved_.runs, {}, {}};
    for (SavedRun& r : of_member.runs) {
      if (m != 0) r.result = r.members[m - 1];
      r.members.clear();
    }
    all.emplace_back(std::move(of_member));
  }
  return all;
}

// A note that several runs of a platform have is said once.
void Comparison::gather_notes() {
  struct Note {
    const std::string &platform, &text;
    std::string traces;
  };
  std::vector<Note> notes;
  for (const SavedRun& r : saved_.runs)
    for (const std::string& text : r.result.notes) {
      const auto same = std::find_if(notes.begin(), notes.end(), [&](const Note& n) {
        return n.platform == r.result.platform && n.text == text;
      });
      if (same == notes.end())
        notes.push_back({r.result.platform, text, r.result.trace});
      else
        same->traces += ", " + r.result.trace;
    }
  for (const Note& n : notes) saved_.notes.push_back(n.platform + " on " + n.traces + ": " + n.text);
  for (const CautionLine& line : caution_lines)
    for (const std::string& platform : platforms_) {
      std::string traces;
      for (const SavedRun& r : saved_.runs)
        if (r.result.platform == platform && std::find(r.result.cautions.begin(), r.result.cautions.end(),
                                                       line.name) != r.result.cautions.end())
          traces += (traces.empty() ? "" : ", ") + r.result.trace;
      if (!traces.empty())
        saved_.notes.push_back("caution: " + platform + " on " + traces + ": " + std::string(line.words));
    }
}

void Comparison::note_missing() {
  for (std::size_t p = 0; p < platforms_.size(); ++p) {
    std::string missing;
    for (std::size_t t = 0; t < traces_.size(); ++t)
      if (run(p, t) == nullptr) missing += (missing.empty() ? "" : ", ") + traces_[t];
    if (!missing.empty())
      saved_.notes.push_back(platforms_[p] + " did not run " + missing +
                             (p == 0 ? ": nothing is compared there, and no mean has it"
                                     : ": its means are over the other traces"));
  }
}

std::string Comparison::machine(std::size_t platform) const {
  for (const SavedRun& r : saved_.runs)
    if (r.result.platform == platforms_[platform]) return r.result.machine;
  return {};
}

const SavedRun* Comparison::run(std::size_t platform, std::size_t trace) const {
  const std::size_t i = cells_[platform * traces_.size() + trace];
  return i == no_run ? nullptr : &saved_.runs[i];
}

std::optional<double> Comparison::ratio(std::size_t platform, std::size_t trace, const Value& value) const {
  const SavedRun *of = run(platform, trace), *first = run(0, trace);
  if (of == nullptr || first == nullptr) return std::nullopt;
  const double a = value(of->result), b = value(first->result);
  // The condition is put so that what is not a number is left out, too.
  if (!(a > 0 && b > 0) || !std::isfinite(a / b)) return std::nullopt;
  return a / b;
}

std::optional<double> mean_of(const MaybeNumbers& values, bool geometric) {
  double sum = 0;
  std::size_t count = 0;
  for (const std::optional<double>& v : values) {
    if (!v || !std::isfinite(*v) || (geometric && !(*v > 0))) continue;
    sum += geometric ? std::log(*v) : *v;
    ++count;
  }
  if (count == 0) return std::nullopt;
  const double mean = sum / static_cast<double>(count);
  return geometric ? std::exp(mean) : mean;
}

std::optional<double> Comparison::mean_ratio(std::size_t platform, const Value& value) const {
  MaybeNumbers ratios;
  for (std::size_t t = 0; t < traces_.size(); ++t) ratios.push_back(ratio(platform, t, value));
  return mean_of(ratios, true);
}

template <class IsCounted>
std::optional<double> Comparison::mean_over(std::size_t platform, const Value& value,
                                            const IsCounted& is_counted) const {
  MaybeNumbers values;
  for (std::size_t t = 0; t < traces_.size(); ++t)
    if (is_counted(t)) values.push_back(value(run(platform, t)->result));
  return mean_of(values, false);
}

bool Comparison::is_limit(std::size_t platform) const {
  return std::any_of(saved_.runs.begin(), saved_.runs.end(), [&](const SavedRun& r) {
    return r.result.platform == platforms_[platform] && subcore::is_limit(r.result);
  });
}

std::optional<double> Comparison::mean(std::size_t platform, const Value& value) const {
  return mean_over(platform, value,
                   [&](std::size_t t) { return run(platform, t) != nullptr && run(0, t) != nullptr; });
}

std::optional<double> Comparison::mean_of_common(std::size_t platform, const Value& value) const {
  return mean_over(platform, value, [&](std::size_t t) {
    for (std::size_t p = 0; p < platforms_.size(); ++p)
      if (run(p, t) == nullptr) return false;
    return true;
  });
}

}  // namespace subcore
