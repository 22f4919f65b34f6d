#include "subcore/model/statistics/cautions.h"

#include <catch2/catch.hpp>

#include "subcore/model/statistics/result_notes.h"

namespace cautions_test {

using namespace subcore;
using Catch::Contains;

namespace {

RunResult run(const std::string& platform, double ipc) {
  RunResult r;
  r.platform = platform;
  r.trace = "t";
  r.cycles = 1000;
  r.ipc = ipc;
  return r;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an adaptive STHLD that decided fewer than 100 times is a caution, a fixed one is none") {
  RunResult r = run("malekeh", 1);
  CHECK(cautions_of_run(r).empty());
  r.own = {{"sthld_decisions", 99}};
  CHECK(cautions_of_run(r) == std::vector<Caution>{Caution::few_decisions});
  r.own = {{"sthld_decisions", 100}};
  CHECK(cautions_of_run(r).empty());
}

TEST_CASE("kernels that fill the SMs fewer than ten times are a caution, by their cycles") {
  RunResult r = run("baseline", 1);
  KernelResult k;
  k.cycles = 900;
  k.ctas = 100;
  k.ctas_at_once = 8;
  r.per_kernel = {k};
  r.waves = waves(r);
  CHECK(*r.waves == Approx(12.5));
  CHECK(cautions_of_run(r).empty());
  k.cycles = 2100;
  k.ctas = 8;
  r.per_kernel.push_back(k);  // a kernel of one wave takes most of the time
  r.waves = waves(r);
  CHECK(*r.waves == Approx((900 * 12.5 + 2100) / 3000));
  CHECK(cautions_of_run(r) == std::vector<Caution>{Caution::few_waves});
  r.per_kernel.clear();
  CHECK_FALSE(waves(r));
}

TEST_CASE("the IPC of busy schedulers leaves out the cycles in which they had no warp") {
  RunResult r = run("baseline", 2);
  r.instructions_retired = 2000;
  r.schedulers = 4;
  r.stall_cycles = {{"issue", 1500}, {"raw_short", 400}, {"fetch", 100}, {"no_warp", 800}, {"drained", 1200}};
  CHECK(*ipc_busy(r) == Approx(2000.0 * 4 / 2000));
  r.stall_cycles = {{"no_warp", 4000}};
  CHECK_FALSE(ipc_busy(r));
}

TEST_CASE("a difference that chance may have made is a caution of the platform that is compared") {
  std::vector<RunResult> results{run("base", 2), run("near", 2.039), run("far", 1.959), run("same", 2)};
  normalise(results);
  add_cautions(results);
  CHECK(results[0].cautions.empty());
  CHECK(results[1].cautions == Names{"within_noise"});
  CHECK(results[2].cautions.empty());
  CHECK(results[3].cautions.empty());
}

TEST_CASE("with members the interval decides, however near or far from 1 the ratio is") {
  std::vector<RunResult> results;
  for (std::uint64_t m = 0; m < 3; ++m) {
    const double wide[] = {2.2, 1.7, 2.3}, narrow[] = {2.004, 2.005, 2.006};
    results.push_back(run(m == 0 ? "base" : "base,member=" + std::to_string(m), 2));
    results.push_back(run(m == 0 ? "wide" : "wide,member=" + std::to_string(m), wide[m]));
    results.push_back(run(m == 0 ? "narrow" : "narrow,member=" + std::to_string(m), narrow[m]));
    for (std::size_t i = results.size() - 3; m != 0 && i < results.size(); ++i) {
      results[i].member = m;
      results[i].member_of = results[i - 3 * m].platform;
    }
  }
  normalise(results);
  add_spreads(results);
  add_cautions(results);
  CHECK(results[1].cautions == Names{"within_noise"});
  CHECK(results[2].cautions.empty());
  const std::string table = comparison_table(results);
  CHECK_THAT(table, Contains("platform  !") && Contains("wide      N") && !Contains("member="));
}

TEST_CASE("an energy is a caution where the interval over members includes 1, whatever the IPC is") {
  std::vector<RunResult> results;
  for (const char* trace : {"t", "u"})
    for (std::uint64_t m = 0; m < 3; ++m) {
      // The energy of `mixed` is within noise on each trace, and its mean over both traces is not.
      const double wide[] = {110, 85, 115}, small[] = {99.5, 99.4, 99.6},
                   mixed[2][3] = {{80, 99, 101}, {99, 80, 62}};
      const std::pair<const char*, double> all[] = {
          {"base", 100}, {"wide", wide[m]}, {"small", small[m]}, {"mixed", mixed[*trace == 'u'][m]}};
      for (const auto& [name, energy] : all) {
        RunResult r =
            run(m == 0 ? name : name + (",member=" + std::to_string(m)), name == all[0].first ? 2 : 3);
        r.trace = trace;
        r.energy_total_pj = energy;
        r.member = m;
        if (m != 0) r.member_of = name;
        results.push_back(r);
      }
    }
  normalise(results);
  add_spreads(results);
  add_cautions(results);
  CHECK(results[0].cautions.empty());
  CHECK(results[1].cautions == Names{"energy_within_noise"});
  CHECK(results[2].cautions.empty());
  CHECK(results[3].cautions == Names{"energy_within_noise"});
  const std::string table = comparison_table(results), average = table.substr(table.find("average over"));
  CHECK_THAT(average, Contains("wide      E") && !Contains("mixed     E") && !Contains("small     E"));
  CHECK_THAT(notes_text(results),
             Contains("caution E: ") && Contains("energy within noise: the energy does"));
}

TEST_CASE("cautions are said below a table, and marked in it") {
  RunResult a = run("malekeh", 1), b = run("bow", 1);
  a.own = {{"sthld_decisions", 3}};
  a.waves = b.waves = 2;
  std::vector<RunResult> results{a, b};
  add_cautions(results);
  CHECK(caution_marks(results[0].cautions) == "DW");
  CHECK(caution_names(results[0]) == "few_decisions, few_waves");
  CHECK_THAT(notes_text(results), Contains("caution D: malekeh on t: few STHLD decisions: fewer than 100") &&
                                      Contains("caution W: all runs: few waves of CTAs"));
  CHECK_THAT(comparison_table(results, 80), Contains("malekeh   DW") && Contains("bow        W"));
}

}  // namespace cautions_test
