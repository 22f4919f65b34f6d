// The limit of a store of so many registers of each warp, in the timed model and by counting, and the schemes
// that have such a store.
#include <catch2/catch.hpp>

#include "subcore/model/passes/annotated_kernel.h"
#include "tests/platform/invariants.h"

namespace limit_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// The hits of Belady's replacement in stores of `entries` registers, summed over the warps of a trace.
std::uint64_t most_hits(const TraceProgram& trace, std::uint32_t entries, const OperandOptions& operands) {
  std::uint64_t hits = 0;
  PassOptions none;
  none.near_bits.source = NearBitsSource::none;
  for (const auto& file : trace.kernels) {
    AnnotatedKernel kernel(file, operands, none);
    for (CtaTrace cta; kernel.next(cta);)
      for (const WarpTrace& warp : cta.warps)
        hits += run_belady(warp, kernel.code(), {entries, false}, [](OperandTouch, bool) {});
  }
  return hits;
}

}  // namespace

TEST_CASE("the limit in time is what Belady's replacement counts, on every own trace") {
  for (const std::uint32_t entries : {2u, 4u, 8u})
    for (const auto& folder : own_traces()) {
      const std::string name = "near_cache_limit_" + std::to_string(entries);
      const RunResult r = run(jobs({name}, {folder}))[0];
      CAPTURE(name, r.trace);
      CHECK(r.cache_read_hits == most_hits(open_trace(folder), entries, platform(name).operands.options));
      CHECK(r.cautions.front() == "limit");
    }
}

TEST_CASE("no scheme with a store of each warp hits more than the limit of its size, on any own trace") {
  struct Scheme {
    std::string name;
    std::uint32_t entries;  // of a warp
  };
  const std::vector<Scheme> schemes{{"malekeh_private", 8}, {"near_cache_2", 2}, {"near_cache_4", 4},
                                    {"near_cache_8", 8},    {"rfc", 6},          {"software_rfc", 4},
                                    {"register_cache", 8},  {"ltrf", 16}};
  for (const auto& folder : own_traces())
    for (const Scheme& s : schemes) {
      const RunResult r = run(jobs({s.name}, {folder}))[0];
      CAPTURE(s.name, r.trace);
      // LTRF fetches registers ahead of any instruction. Such reads of the banks are no hits of a store.
      const std::uint64_t fetched = std::min(r.prefetches, r.cache_read_hits);
      const std::uint64_t most = most_hits(open_trace(folder), s.entries, platform(s.name).operands.options);
      CHECK(r.cache_read_hits - fetched <= most + r.source_operands / 1000);
      CHECK(most <= r.source_operands);
    }
}

// With one warp at a time in a sub-core, the order of a first run is that of the trace. So the limit of a
// pool is the limit of a warp's store of the same size.
TEST_CASE("the limit of a pool that warps have one after the other is that of a store of each") {
  const std::vector<std::string> one_at_a_time{"sm.warp_slots=4", "sub_core.operand_cache.entries=5"};
  for (const char* name : {"gaussian", "hgemm_f16", "hgemm_ldsm", "igemm", "lstm"}) {
    const auto folder = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces" / name;
    CAPTURE(name);
    const RunResult shared = run(jobs({"near_cache_limit_pool"}, {folder}, one_at_a_time))[0];
    const RunResult of_each = run(jobs({"near_cache_limit_8"}, {folder}, one_at_a_time))[0];
    CHECK(shared.cache_read_hits == of_each.cache_read_hits);
    CHECK(shared.cache_read_hits > 0);
  }
}

TEST_CASE(
    "the limit of a pool is no scheme, says what it rests on, and hits about as much or more than one") {
  for (const auto& folder : own_traces()) {
    const RunResult limit = run(jobs({"near_cache_limit_pool"}, {folder}))[0];
    const RunResult pool = run(jobs({"near_cache_pool"}, {folder}))[0];
    CAPTURE(limit.trace);
    CHECK(limit.cautions.front() == "limit");
    CHECK(std::count(limit.notes.begin(), limit.notes.end(),
                     "near bits are the limit for the order of issue of a first run with trained bits") == 1);
    CHECK(limit.cache_read_hits + limit.source_operands / 100 > pool.cache_read_hits);
  }
}

}  // namespace limit_test
