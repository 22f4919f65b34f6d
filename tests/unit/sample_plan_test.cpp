// The launches and CTAs of a program that are simulated.
#include "subcore/program/analysis/sample_plan.h"

#include <numeric>
#include <random>

#include <catch2/catch.hpp>

namespace sample_plan_test {

using namespace subcore;

namespace {

// A kernel of so many CTAs of so many instructions.
KernelOutline kernel(const std::string& name, std::uint32_t ctas, std::uint32_t instructions) {
  KernelOutline outline;
  outline.header.name = name;
  outline.header.grid = {ctas, 1, 1};
  outline.header.block = {128, 1, 1};
  outline.ctas.instructions.assign(ctas, instructions);
  outline.ctas.total = std::uint64_t{ctas} * instructions;
  return outline;
}

std::vector<PlannedLaunch> plan(const std::vector<KernelOutline>& launches, std::uint64_t waves,
                                std::uint64_t at_once, std::uint64_t warm_up = 0) {
  std::vector<const KernelOutline*> all;
  for (const KernelOutline& l : launches) all.push_back(&l);
  return plan_sample(
      all, waves, [at_once](const KernelHeader&) { return at_once; }, warm_up);
}

// The places of a launch's CTAs that run.
std::vector<std::uint64_t> places(const PlannedLaunch& launch, std::uint64_t ctas) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t n = launch.part.next(0); n < ctas; n = launch.part.next(n + 1)) all.push_back(n);
  return all;
}

}  // namespace

TEST_CASE("sample: whole waves from the first CTA on, and the last one that is not full") {
  const auto one = plan({kernel("k", 83, 7)}, 4, 10);
  REQUIRE(one.size() == 1);
  std::vector<std::uint64_t> expected(43);
  std::iota(expected.begin(), expected.end(), 0);
  expected[40] = 80, expected[41] = 81, expected[42] = 82;
  CHECK(places(one[0], 83) == expected);
  CHECK(one[0].part.wave == 10);
  CHECK(one[0].sample.ctas == 83);
  CHECK(one[0].sample.ctas_left_out == 40);
  CHECK(one[0].sample.instructions_left_out == 280);
  CHECK(one[0].sample.warm_up_waves == 1);
  // A grid of whole waves has no last wave that is not full.
  CHECK(places(plan({kernel("k", 80, 7)}, 4, 10)[0], 80).size() == 40);
  CHECK(plan({kernel("k", 80, 7)}, 4, 10)[0].part.next(40) == KernelPart::none);
  // Fewer than twice as many waves are simulated whole.
  const auto whole = plan({kernel("k", 79, 7)}, 4, 10);
  CHECK(whole[0].part.is_whole());
  CHECK(whole[0].part.wave == 0);
  CHECK(places(whole[0], 79).size() == 79);
  CHECK(whole[0].sample.instructions_left_out == 0);
}

TEST_CASE("sample: the first launch of a kernel stands for others that are like it") {
  std::vector<KernelOutline> launches{kernel("k", 10, 100), kernel("j", 10, 100), kernel("k", 10, 109),
                                      kernel("k", 10, 111), kernel("k", 10, 92)};
  launches.push_back(kernel("k", 10, 100));
  launches.back().header.registers_per_thread = 9;
  launches.push_back(kernel("k", 10, 100));
  launches.back().header.block.x = 64;
  launches.push_back(kernel("k", 11, 100));
  const auto all = plan(launches, 9, 10);
  std::vector<std::size_t> simulated;
  for (const PlannedLaunch& l : all) simulated.push_back(l.kernel);
  CHECK(simulated == std::vector<std::size_t>{0, 1, 3, 5, 6, 7});
  CHECK(all[0].sample.kernel == 1);
  CHECK(all[0].sample.launches_left_out == 2);
  CHECK(all[0].sample.ctas_of_launches == 20);
  CHECK(all[0].sample.instructions_of_launches == 1090 + 920);
  CHECK(all[0].sample.fewest_instructions == 920);
  CHECK(all[0].sample.most_instructions == 1090);
  CHECK(all[1].sample.launches_left_out == 0);
}

TEST_CASE("sample: what is measured is warm") {
  // Ten CTAs of seven instructions are a wave. 150 instructions are three waves, which are not measured.
  const auto one = plan({kernel("k", 200, 7)}, 4, 10, 150);
  CHECK(one[0].sample.warm_up_waves == 3);
  CHECK(places(one[0], 200).size() == 60);
  CHECK(plan({kernel("k", 200, 7)}, 4, 10, 140)[0].sample.warm_up_waves == 2);
  // Too few are left.
  CHECK(plan({kernel("k", 80, 7)}, 4, 10, 290)[0].part.is_whole());
  // A short launch warms up the next launches of its kernel, and no launch of another kernel.
  const auto many = plan({kernel("k", 10, 10), kernel("j", 10, 10), kernel("k", 10, 10), kernel("k", 10, 10),
                          kernel("k", 10, 10), kernel("k", 10, 10), kernel("j", 10, 10)},
                         4, 10, 200);
  std::vector<std::size_t> simulated;
  for (const PlannedLaunch& l : many) simulated.push_back(l.kernel);
  CHECK(simulated == std::vector<std::size_t>{0, 1, 2, 3, 6});
  CHECK(many[3].sample.launches_left_out == 2);
  CHECK(many[0].sample.launches_left_out == 0);
}

TEST_CASE("sample: every instruction is simulated or left out, whatever the program") {
  std::mt19937 random(3);
  const auto number = [&](std::uint32_t from, std::uint32_t to) {
    return std::uniform_int_distribution<std::uint32_t>(from, to)(random);
  };
  for (unsigned n = 0; n < 300; ++n) {
    std::vector<KernelOutline> launches;
    std::uint64_t instructions = 0;
    for (unsigned k = number(1, 12); k > 0; --k) {
      launches.push_back(kernel(number(0, 1) == 0 ? "a" : "b", number(1, 3) * 100, 10));
      CtaIndex& index = launches.back().ctas;
      for (std::uint32_t& i : index.instructions) i = number(0, 20);
      index.total = std::accumulate(index.instructions.begin(), index.instructions.end(), std::uint64_t{0});
      instructions += index.total;
    }
    const std::uint64_t waves = number(4, 12), at_once = number(1, 20),
                        warm_up = number(0, 1) * number(0, 3000);
    std::uint64_t sum = 0, ran = 0;
    std::size_t before = 0;
    for (const PlannedLaunch& l : plan(launches, waves, at_once, warm_up)) {
      const std::vector<std::uint32_t>& ctas = launches[l.kernel].ctas.instructions;
      std::uint64_t of_launch = 0;
      const auto run = places(l, ctas.size());
      for (const std::uint64_t place : run) of_launch += ctas[place];
      REQUIRE(run.size() + l.sample.ctas_left_out == ctas.size());
      REQUIRE(of_launch + l.sample.instructions_left_out == launches[l.kernel].ctas.total);
      REQUIRE((l.sample.ctas_left_out == 0 || l.part.end % at_once == 0));
      REQUIRE((l.sample.ctas_left_out == 0 || l.part.end / at_once - l.sample.warm_up_waves + 1 == waves));
      REQUIRE((ran == 0 || l.kernel > before));
      before = l.kernel;
      sum += of_launch + l.sample.instructions_left_out + l.sample.instructions_of_launches;
      ran += of_launch;
    }
    REQUIRE(sum == instructions);
  }
}

}  // namespace sample_plan_test
