// Estimates of sampled runs, and intervals of their ratios.
#include "subcore/model/sampling/sample_estimate.h"

#include <cmath>
#include <random>
#include <stdexcept>

#include <catch2/catch.hpp>

namespace sample_estimate_test {

using namespace subcore;

namespace {

SampleAmounts amounts(double cycles, double instructions, double hits = 0, double energy = 0) {
  SampleAmounts a;
  a.cycles = cycles;
  a.instructions = instructions;
  a.source_operands = 2 * instructions;
  a.cache_read_hits = hits;
  a.energy_pj = energy;
  a.energy_by_preset_pj = {{"one", energy}, {"two", 2 * energy}};
  return a;
}

// A launch of 100 instructions in 50 cycles, of which `left_out` more were left out.
SampledKernel launch(std::uint64_t left_out, std::vector<SampleAmounts> waves) {
  SampledKernel k;
  k.name = "k";
  k.kernel = 1;
  k.ctas = 10;
  k.instructions_left_out = left_out;
  k.ctas_left_out = left_out == 0 ? 0 : 5;
  k.simulated = amounts(50, 100, 20, 1000);
  k.waves = std::move(waves);
  k.fewest_instructions = k.most_instructions = 100 + left_out;
  return k;
}

// A run of so many waves, all simulated, whose cycles and energy for an instruction vary from wave to wave.
struct MadeUpRun {
  std::vector<SampleAmounts> waves;
  SampleAmounts all() const {
    SampleAmounts sum;
    for (const SampleAmounts& w : waves) sum = sum + w;
    return sum;
  }
  Sample sampled(std::size_t measured) const {
    SampledKernel k;
    for (std::size_t w = 0; w < waves.size(); ++w) {
      if (w <= measured) k.simulated = k.simulated + waves[w];
      if (w >= 1 && w <= measured) k.waves.push_back(waves[w]);
      if (w > measured) k.instructions_left_out += static_cast<std::uint64_t>(waves[w].instructions);
    }
    return {measured, {k}};
  }
};

}  // namespace

TEST_CASE("sample: CTAs that were left out take as much for an instruction as the measured waves did") {
  // The waves took 3 cycles for 10 instructions, the start of the launch was slower.
  const Sample sample{9, {launch(200, {amounts(4, 10, 1, 10), amounts(2, 10, 3, 30)})}};
  const SampleEstimate estimate(sample);
  CHECK(estimate.instructions() == 300);
  CHECK(estimate.instructions_left_out() == 200);
  CHECK(estimate.fraction() == Approx(1.0 / 3));
  CHECK(estimate.ctas_left_out() == 5);
  CHECK(estimate.kernels_left_out() == 0);
  CHECK(estimate.first_uneven() == nullptr);
  const SampleAmounts whole = estimate.whole();
  CHECK(whole.cycles == Approx(50 + 200 * 0.3));
  CHECK(whole.instructions == Approx(300));
  CHECK(whole.cache_read_hits == Approx(20 + 200 * 0.2));
  CHECK(whole.energy_pj == Approx(1000 + 200 * 2));
  CHECK(whole.energy_by_preset_pj[1].second == Approx(2000 + 200 * 4));
}

TEST_CASE(
    "sample: launches that were left out take as much for an instruction as the whole of their launch") {
  SampledKernel k = launch(200, {amounts(3, 10), amounts(3, 10)});
  k.launches_left_out = 2;
  k.ctas_of_launches = 21;
  k.instructions_of_launches = 630;  // one launch has a tenth more
  k.most_instructions = 330;
  const Sample sample{9, {k, launch(0, {})}};
  const SampleEstimate estimate(sample);
  CHECK(estimate.whole().cycles == Approx(110 + 110 * 2.1 + 50));
  CHECK(estimate.instructions() == 300 + 630 + 100);
  CHECK(estimate.kernels_left_out() == 2);
  CHECK(estimate.ctas_left_out() == 26);
  REQUIRE(estimate.first_uneven() != nullptr);
  CHECK(estimate.first_uneven()->most_instructions == 330);
}

TEST_CASE("sample: what is whole is no estimate, and its ratios have no interval") {
  Sample base{9, {launch(0, {})}}, other = base;
  other.kernels[0].simulated.cycles = 100;
  CHECK(SampleEstimate(base).whole().cycles == 50);
  CHECK(SampleEstimate(base).fraction() == 1);
  const SampleComparison comparison(other, base);
  REQUIRE(comparison.ipc());
  CHECK(comparison.ipc()->value == 0.5);
  CHECK(comparison.ipc()->low == 0.5);
  CHECK(comparison.ipc()->high == 0.5);
}

TEST_CASE("sample: the interval is that of the paired jackknife, and two per cent on either side") {
  const Sample base{9, {launch(200, {amounts(4, 10), amounts(2, 10), amounts(3, 10)})}};
  Sample other{9, {launch(200, {amounts(5, 10), amounts(3, 10), amounts(3, 10)})}};
  const auto ratio = SampleComparison(other, base).ipc();
  REQUIRE(ratio);
  const auto cycles = [](double of_20) { return 50 + 200 * of_20 / 20; };
  const double all = (50 + 200 * 9.0 / 30) / (50 + 200 * 11.0 / 30);
  CHECK(ratio->value == Approx(all));
  const double without[] = {cycles(5) / cycles(6), cycles(7) / cycles(8), cycles(6) / cycles(8)};
  const double mean = (without[0] + without[1] + without[2]) / 3;
  double squares = 0;
  for (const double r : without) squares += (r - mean) * (r - mean);
  const double half = 4.302653 * std::sqrt(2.0 / 3 * squares) + 0.02 * all;  // t of two degrees of freedom
  CHECK(ratio->high - ratio->value == Approx(half));
  CHECK(ratio->value - ratio->low == Approx(half));
  // Waves that differ alike on both platforms say that the ratio does not.
  other = base;
  other.kernels[0].simulated.cycles *= 2;
  for (SampleAmounts& wave : other.kernels[0].waves) wave.cycles *= 2;
  const auto alike = SampleComparison(other, base).ipc();
  REQUIRE(alike);
  CHECK(alike->value == Approx(0.5));
  CHECK(alike->high - alike->value == Approx(0.02 * 0.5));
  // A table that the runs do not have.
  CHECK_FALSE(SampleComparison(other, base).energy_by_preset(2));
}

TEST_CASE("sample: runs of different CTAs are not compared") {
  const Sample base{9, {launch(200, {amounts(4, 10), amounts(2, 10)})}};
  for (auto count : {&SampledKernel::kernel, &SampledKernel::ctas, &SampledKernel::ctas_left_out,
                     &SampledKernel::instructions_left_out, &SampledKernel::launches_left_out,
                     &SampledKernel::instructions_of_launches}) {
    Sample other = base;
    ++(other.kernels[0].*count);
    CHECK_FALSE(SampleComparison::fit(other, base));
    CHECK_THROWS_AS(SampleComparison(other, base), std::invalid_argument);
  }
  CHECK(SampleComparison::fit(base, base));
}

TEST_CASE("sample: of runs whose waves vary by chance, intervals have the ratio of the whole in 95 of 100") {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 0.15);
  unsigned covered = 0;
  constexpr unsigned runs = 300;
  double worst = 0;
  for (unsigned n = 0; n < runs; ++n) {
    MadeUpRun base, other;
    for (unsigned w = 0; w < 60; ++w) {
      const double instructions = 1000 * (1 + 0.5 * std::abs(noise(random))), common = noise(random);
      base.waves.push_back(
          amounts(instructions * std::exp(common + 0.3 * noise(random)), instructions, 1, 1));
      other.waves.push_back(
          amounts(instructions * 0.8 * std::exp(common + 0.3 * noise(random)), instructions, 1, 1));
    }
    const Sample of = other.sampled(9), to = base.sampled(9);
    const auto ratio = SampleComparison(of, to).ipc();
    REQUIRE(ratio);
    const double whole = base.all().cycles / other.all().cycles;
    covered += ratio->low <= whole && whole <= ratio->high ? 1 : 0;
    worst = std::max(worst, std::abs(ratio->value / whole - 1));
  }
  CHECK(covered >= runs * 95 / 100);
  CHECK(worst < 0.08);
}

}  // namespace sample_estimate_test
