// The register-cache study's findings, on traces of ours: CUDA-core kernels save energy, tensor-core kernels
// save less or none. The project's tensor-core kernels are small, with as much address arithmetic as HMMA or
// IMMA. So they save a little where the study's GEMMs of 256 to 2048 squared cost energy. That part of the
// study needs GEMMs of such a size.
#include <catch2/catch.hpp>

#include "subcore/program/analysis/study/cache_study.h"
#include "tests/unit/trace_files.h"

namespace cache_study_findings_test {

using namespace subcore;
using namespace subcore::test;

namespace {

enum Design { two_way_interleaved, two_way_linear, eight_way, designs };

struct Savings {  // percent, by design, by behaviour (0 = compat)
  double of[designs][2];
};

Savings savings(const std::filesystem::path& trace) {
  std::vector<StudyJob> jobs;
  for (int design = 0; design < designs; ++design)
    for (const bool compat : {true, false}) {
      RegisterCacheParameters p;
      p.ways = design == eight_way ? 8 : 2;
      p.map = design == two_way_linear ? DestinationMap::linear : DestinationMap::interleaved;
      p.rfcsim_compat = compat;
      jobs.push_back({StudyCacheRun(p, {128}), {}, false});
    }
  run_cache_study(open_trace(trace), {}, jobs);
  Savings s{};
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    REQUIRE(jobs[j].failure.empty());
    const StudyCacheRun& run = jobs[j].run;
    s.of[j / 2][j % 2] =
        energy_reduction(run.counters(), study_energy(run.parameters().ways, 128)->energy, j % 2 == 0);
  }
  return s;
}

// The mean savings of a group of kernels. `check` tests each of them.
template <typename F>
Savings average(const std::vector<const char*>& kernels, F&& check) {
  Savings mean{};
  for (const char* name : kernels) {
    const Savings s = savings(project_traces() / name);
    for (int design = 0; design < designs; ++design)
      for (int behaviour = 0; behaviour < 2; ++behaviour) {
        INFO(name << " design " << design << " behaviour " << behaviour);
        check(static_cast<Design>(design), s.of[design][behaviour]);
        mean.of[design][behaviour] += s.of[design][behaviour] / static_cast<double>(kernels.size());
      }
  }
  return mean;
}

}  // namespace

TEST_CASE("a register cache saves more on CUDA-core kernels than on tensor-core kernels",
          "[cache_study][findings]") {
  const Savings cuda = average(
      {"vectoradd", "hotspot", "pathfinder", "lud", "gaussian", "bfs", "kmeans", "srad", "nn", "backprop"},
      [](Design d, double saved) {
        if (d == two_way_interleaved) CHECK(saved > 0);
      });
  const Savings tensor =
      average({"hgemm_wmma", "hgemm_ldsm", "hgemm_f16", "igemm"}, [](Design d, double saved) {
        if (d == two_way_linear) CHECK(saved < 0);
      });
  for (const int behaviour : {0, 1}) {
    CHECK(cuda.of[two_way_interleaved][behaviour] > tensor.of[two_way_interleaved][behaviour] + 5);
    CHECK(cuda.of[eight_way][behaviour] > tensor.of[eight_way][behaviour] + 5);
    CHECK(cuda.of[two_way_interleaved][behaviour] > cuda.of[two_way_linear][behaviour]);
  }
}

TEST_CASE("a register cache costs energy on large tensor-core GEMMs, the most with eight ways",
          "[cache_study][findings][shared]") {
  const auto folder = shared_traces() / "cutlass";
  if (!std::filesystem::exists(folder)) {
    WARN("no shared traces here: set SUBCORE_TRACES to their folder");
    return;
  }
  for (const char* name : {"hgemm_f32_t128x128_1760x128x1760", "igemm_turing_tensorop"}) {
    INFO(name);
    const Savings s = savings(folder / name);
    for (const int behaviour : {0, 1}) {
      CHECK(s.of[two_way_interleaved][behaviour] < -2);
      CHECK(s.of[eight_way][behaviour] < s.of[two_way_interleaved][behaviour] - 5);
    }
  }
}

}  // namespace cache_study_findings_test
