// The BOW family on real traces: properties that must hold, the paper's findings, and checks that can fail.
#include <cmath>

#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/in_order.h"
#include "subcore/power/energy_model.h"
#include "tests/platform/invariants.h"

namespace bypass_test {

using namespace subcore;
using namespace subcore::test;

namespace {

const std::filesystem::path own = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";

double hit_ratio(const RunResult& r) {
  return r.read_hit_ratio;
}
double bank_writes(const RunResult& r) {
  return static_cast<double>(r.bank_writes);
}

}  // namespace

TEST_CASE("every own trace runs on the bypassing platforms, and each run proves itself") {
  check_invariants(run(jobs(bypassing_platforms, own_traces())));
}

TEST_CASE("traces of real GPUs run on the bypassing platforms") {
  check_shared(bypassing_platforms, {"nvbit/bfs_sm70", "nvbit/btree_sm90", "cutlass/igemm_turing_tensorop",
                                     "large/tc_f32_t128x32_2560x16x2560", "large/lud_x5"});
}

// In warp 1 a result of half the lanes comes on top of R13 of the wide multiplication, which only the warp's
// window needed. The collector merges the two results. In warp 0, lanes are read that the same instruction
// left out there.
TEST_CASE("a partial result may come on top of one that only the window needed") {
  const auto trace = std::filesystem::path(SUBCORE_SOURCE_DIR) / "tests/traces/partial_over_window_only";
  check_invariants(run(jobs(bypassing_platforms, {trace})));
  check_invariants(run(jobs({"bow_wr_hints"}, {trace}, {"tick_order=reverse"})));
}

TEST_CASE("odd bypassing structures leave the proof intact") {
  const std::vector<std::vector<std::string>> variants{
      {"sub_core.collector.window=1", "passes.write_back_window=1"},
      {"sub_core.collector.window=7", "sub_core.collector.entries=28", "sub_core.collector.branch=ignore"},
      {"sub_core.collector.entries=3", "sub_core.collector.in_flight=1", "sub_core.dispatch.order=oldest"},
      {"sub_core.collector.partial_write=ignore", "sub_core.collector.branch=flush_on_taken",
       "passes.window_ends_at_taken_branch=true"},
      {"sub_core.register_file.banks=1", "sub_core.register_file.read_latency=4"},
      {"sub_core.register_file.steps_per_cycle=2", "sub_core.register_file.result_latches=1",
       "sub_core.register_file.collector_port_limit=0"},
  };
  for (const auto& v : variants) {
    CAPTURE(v.front());
    check_invariants(run(jobs(bypassing_platforms, {own / "bfs", own / "lstm", own / "srad"}, v)));
  }
}

TEST_CASE("a longer window bypasses more reads, and more writes") {
  double reads = 0, writes = 1e300;
  for (const char* window : {"2", "3", "7"}) {
    const auto results =
        run(jobs({"bow_wr"}, own_traces(),
                 {std::string("sub_core.collector.window=") + window, "sub_core.collector.entries=28"}));
    const double hits = mean(results, "bow_wr", hit_ratio), written = mean(results, "bow_wr", bank_writes);
    INFO("IW " << window << ": " << hits << " after " << reads << ", " << written << " after " << writes);
    CHECK(hits > reads);
    CHECK(written < writes);
    reads = hits;
    writes = written;
  }
}

TEST_CASE("write-back windows write fewer words to the banks than write-through ones, on every own kernel") {
  const auto results = run(jobs({"baseline", "bow", "bow_wr"}, own_traces()));
  for (std::size_t n = 0; n < results.size(); n += 3) {
    CAPTURE(results[n].trace);
    CHECK(results[n + 1].bank_writes == results[n].bank_writes);
    CHECK(results[n + 2].bank_writes < results[n + 1].bank_writes);
  }
}

TEST_CASE("write-back hints add no bank write on any own kernel, and save some in all") {
  const auto results = run(jobs({"bow_wr", "bow_wr_hints"}, own_traces()));
  std::uint64_t without = 0, with = 0;
  for (std::size_t n = 0; n < results.size(); n += 2) {
    CAPTURE(results[n].trace);
    CHECK(results[n + 1].bank_writes <= results[n].bank_writes);
    without += results[n].bank_writes;
    with += results[n + 1].bank_writes;
  }
  INFO(with << " bank writes with hints, " << without << " without");
  CHECK(with < without);
}

TEST_CASE("the energy of a bypassing run adds up to what the collectors count") {
  for (const char* name : {"bow", "bow_wr"}) {
    const RunResult r = run(jobs({name}, {own / "bfs"}))[0];
    const EnergyCoefficients c = energy_coefficients(platform(name));
    const auto count = [&](EnergyEvent e) {
      return std::llround(r.energy_pj[static_cast<std::size_t>(e)].second / c[e]);
    };
    const auto number = [](std::uint64_t n) { return static_cast<long long>(n); };
    CAPTURE(name);
    CHECK(count(EnergyEvent::fwd_rd) == number(r.cache_read_hits));
    CHECK(count(EnergyEvent::fwd_wr) == number(r.cache_read_hits));
    CHECK(count(EnergyEvent::bank_rd) == number(r.bank_reads));
    CHECK(count(EnergyEvent::xbar_rd) == number(r.bank_reads));
    CHECK(count(EnergyEvent::bank_wr) == number(r.bank_writes));
    // Each dirty value that is written back is read from its window and crosses the write path.
    const long long back = count(EnergyEvent::buf_rd) - number(r.source_operands);
    CHECK((back > 0) == (std::string(name) == "bow_wr"));
    const long long results = count(EnergyEvent::xbar_wr) - back;
    CHECK(results >= number(r.cache_writes));  // a few find their slot gone
    CHECK(count(EnergyEvent::tag_wr) == results);
    CHECK(count(EnergyEvent::tag_search) == number(r.source_operands) + results);
    CHECK(count(EnergyEvent::buf_wr) == number(r.bank_reads) + results);
  }
}

// A platform file may not switch the guard off; this is why.
TEST_CASE("without a WAR guard the version check fires on bypassing collectors") {
  unsigned fired = 0;
  for (const auto& trace : own_traces()) {
    PlatformParameters unguarded = platform("bow_wr");
    unguarded.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = WarGuard::off;
    try {
      run(jobs_of({unguarded}, {trace}));
    } catch (const std::runtime_error& e) {
      ++fired;
      CHECK_THAT(e.what(), Catch::Contains("program order demands"));
    }
  }
  INFO(fired << " of " << own_traces().size());
  CHECK(fired > 0);
}

TEST_CASE("a window writes back through the banks' ports, whatever an absent operand cache would have") {
  PlatformParameters narrow = platform("bow_wr");
  narrow.sub_core.operand_cache.write_back_port = 1;
  const auto a = run(jobs({"bow_wr"}, {own / "hotspot"})), b = run(jobs_of({narrow}, {own / "hotspot"}));
  CHECK(without_time(a[0]) == without_time(b[0]));
}

TEST_CASE("tick order stays invisible with bypassing collectors") {
  for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
    for (const auto& p : bypassing_platforms) {
      for (const char* t : {"bfs", "lstm", "hgemm_ldsm"}) {
        const auto a = run(jobs({p}, {own / t})), b = run(jobs({p}, {own / t}, {order}));
        CAPTURE(p, t, order);
        CHECK(without_time(a[0]) == without_time(b[0]));
      }
    }
  }
}

}  // namespace bypass_test
