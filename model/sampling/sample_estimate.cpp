#include "subcore/model/sampling/sample_estimate.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <boost/math/distributions/students_t.hpp>

namespace subcore {
namespace {

constexpr std::size_t no_wave = ~std::size_t{0};

template <class Function>
void each_amount(SampleAmounts& a, const SampleAmounts& b, const Function& f) {
  f(a.cycles, b.cycles);
  f(a.instructions, b.instructions);
  f(a.source_operands, b.source_operands);
  f(a.cache_read_hits, b.cache_read_hits);
  f(a.energy_pj, b.energy_pj);
  if (a.energy_by_preset_pj.empty())
    for (const auto& preset : b.energy_by_preset_pj) a.energy_by_preset_pj.emplace_back(preset.first, 0);
  for (std::size_t i = 0; i < b.energy_by_preset_pj.size(); ++i)
    f(a.energy_by_preset_pj.at(i).second, b.energy_by_preset_pj[i].second);
}

// A kernel's amounts, with all launches for which it stands. The rate is that of its measured waves without
// the wave `left_out`. For a kernel without waves, the rate is that of its whole simulated part.
SampleAmounts whole_of(const SampledKernel& k, std::size_t left_out) {
  SampleAmounts waves;
  for (std::size_t w = 0; w < k.waves.size(); ++w)
    if (w != left_out) waves = waves + k.waves[w];
  const SampleAmounts& measured = waves.instructions > 0 ? waves : k.simulated;
  SampleAmounts launch = k.simulated;
  const auto rest = static_cast<double>(k.instructions_left_out);
  if (rest > 0 && measured.instructions > 0) launch = launch + measured * (rest / measured.instructions);
  if (k.instructions_of_launches == 0 || launch.instructions <= 0) return launch;
  return launch * (1 + static_cast<double>(k.instructions_of_launches) / launch.instructions);
}

}  // namespace

SampleAmounts operator+(const SampleAmounts& a, const SampleAmounts& b) {
  SampleAmounts sum = a;
  each_amount(sum, b, [](double& x, double y) { x += y; });
  return sum;
}

SampleAmounts operator-(const SampleAmounts& a, const SampleAmounts& b) {
  SampleAmounts difference = a;
  each_amount(difference, b, [](double& x, double y) { x -= y; });
  return difference;
}

SampleAmounts operator*(const SampleAmounts& a, double factor) {
  SampleAmounts product = a;
  each_amount(product, a, [factor](double& x, double y) { x = y * factor; });
  return product;
}

SampleAmounts SampleEstimate::whole() const {
  SampleAmounts sum;
  for (const SampledKernel& k : sample_.kernels) sum = sum + whole_of(k, no_wave);
  return sum;
}

double SampleEstimate::instructions_left_out() const {
  double sum = 0;
  for (const SampledKernel& k : sample_.kernels)
    sum += static_cast<double>(k.instructions_left_out + k.instructions_of_launches);
  return sum;
}

double SampleEstimate::instructions() const {
  double sum = instructions_left_out();
  for (const SampledKernel& k : sample_.kernels) sum += k.simulated.instructions;
  return sum;
}

double SampleEstimate::fraction() const {
  const double all = instructions();
  return all > 0 ? 1 - instructions_left_out() / all : 1;
}

std::uint64_t SampleEstimate::kernels_left_out() const {
  std::uint64_t sum = 0;
  for (const SampledKernel& k : sample_.kernels) sum += k.launches_left_out;
  return sum;
}

std::uint64_t SampleEstimate::ctas_left_out() const {
  std::uint64_t sum = 0;
  for (const SampledKernel& k : sample_.kernels) sum += k.ctas_left_out + k.ctas_of_launches;
  return sum;
}

const SampledKernel* SampleEstimate::first_uneven() const {
  for (const SampledKernel& k : sample_.kernels)
    if (k.fewest_instructions != k.most_instructions) return &k;
  return nullptr;
}

bool SampleComparison::fit(const Sample& of, const Sample& to) {
  const auto same = [](const SampledKernel& a, const SampledKernel& b) {
    return a.kernel == b.kernel && a.ctas == b.ctas && a.ctas_left_out == b.ctas_left_out &&
           a.instructions_left_out == b.instructions_left_out && a.launches_left_out == b.launches_left_out &&
           a.instructions_of_launches == b.instructions_of_launches && a.waves.size() == b.waves.size();
  };
  return std::equal(of.kernels.begin(), of.kernels.end(), to.kernels.begin(), to.kernels.end(), same);
}

SampleComparison::SampleComparison(const Sample& of, const Sample& to)
    : is_whole_(SampleEstimate(of).instructions_left_out() == 0),
      whole_of_(SampleEstimate(of).whole()),
      whole_to_(SampleEstimate(to).whole()) {
  if (!fit(of, to))
    throw std::invalid_argument("samples of different CTAs; expected samples of the same CTAs");
  for (std::size_t k = 0; k < of.kernels.size(); ++k) {
    auto& waves = without_.emplace_back();
    if (of.kernels[k].instructions_left_out == 0) continue;  // no rate of its waves is used
    // The other kernels' amounts do not depend on the wave that is left out.
    const SampleAmounts others_of = whole_of_ - whole_of(of.kernels[k], no_wave),
                        others_to = whole_to_ - whole_of(to.kernels[k], no_wave);
    for (std::size_t w = 0; w < of.kernels[k].waves.size(); ++w)
      waves.emplace_back(others_of + whole_of(of.kernels[k], w), others_to + whole_of(to.kernels[k], w));
  }
}

// The paired jackknife: one wave after the other is left out of both runs at once. Kernels are strata.
template <class Value>
std::optional<SampleRatio> SampleComparison::ratio(const Value& value) const {
  const auto of_amounts = [&](const SampleAmounts& a, const SampleAmounts& b) -> std::optional<double> {
    const double x = value(a), y = value(b);
    if (!(x > 0) || !(y > 0)) return std::nullopt;
    return x / y;
  };
  const std::optional<double> all = of_amounts(whole_of_, whole_to_);
  if (!all) return std::nullopt;
  double variance = 0, freedom = 0;
  for (const auto& waves : without_) {
    const auto n = static_cast<double>(waves.size());
    if (waves.size() < 2) continue;
    std::vector<double> ratios;
    double mean = 0;
    for (const auto& [of, to] : waves) {
      const std::optional<double> r = of_amounts(of, to);
      if (!r) return std::nullopt;
      ratios.push_back(*r);
      mean += *r / n;
    }
    for (const double r : ratios) variance += (n - 1) / n * (r - mean) * (r - mean);
    freedom += n - 1;
  }
  double half = is_whole_ ? 0 : sample_slack * *all;
  if (freedom > 0)
    half += boost::math::quantile(boost::math::students_t(freedom), 0.5 + sample_confidence / 2) *
            std::sqrt(variance);
  return SampleRatio{*all, *all - half, *all + half};
}

std::optional<SampleRatio> SampleComparison::ipc() const {
  // Both runs have the same instructions.
  return ratio([](const SampleAmounts& a) { return a.cycles > 0 ? a.instructions / a.cycles : 0.0; });
}

std::optional<SampleRatio> SampleComparison::energy() const {
  return ratio([](const SampleAmounts& a) { return a.energy_pj; });
}

std::optional<SampleRatio> SampleComparison::energy_by_preset(std::size_t preset) const {
  return ratio([preset](const SampleAmounts& a) {
    return preset < a.energy_by_preset_pj.size() ? a.energy_by_preset_pj[preset].second : 0.0;
  });
}

}  // namespace subcore
