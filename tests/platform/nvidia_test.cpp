// Shipping GPUs on real traces: the compiler's control bits are right for the model, or an operand would be
// stale.
#include <catch2/catch.hpp>

#include "tests/platform/edited_run.h"
#include "tests/platform/invariants.h"

namespace nvidia_test {

using namespace subcore;
using namespace subcore::test;

TEST_CASE("half of every stall count gives a stale operand in every own trace") {
  for (const auto& trace : own_traces()) {
    CAPTURE(trace);
    CHECK_THAT(failure("nvidia_turing", trace, halve_stall), Catch::Contains("program order demands"));
  }
}

// Every slot's reuse flag is inverted. The cache then keeps registers that are written before they are read
// again, and nothing tells the cache.
TEST_CASE("reuse flags that no compiler would set give a stale operand out of the reuse cache") {
  for (const char* name : {"hotspot", "pathfinder", "lstm", "sgemm"}) {
    CAPTURE(name);
    const auto flip = [](SidecarLine& line) {
      for (unsigned slot = 0; slot < 3; ++slot) flip_reuse_flag(line, slot);
    };
    const auto trace = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces" / name;
    CHECK_THAT(failure("nvidia_turing", trace, flip), Catch::Contains("(from the reuse cache)"));
  }
}

TEST_CASE("with control bits of the compiler pass own traces take about the cycles of their sidecars") {
  const auto traces = own_traces();
  const auto with = run(jobs({"nvidia_turing"}, traces));
  const auto without = run(jobs({"nvidia_turing"}, traces, {"passes.control_bits=synthetic"}));
  check_invariants(without);
  check_about_as_fast(with, without);
}

TEST_CASE("without the reuse cache own traces take less than two per cent more cycles") {
  const auto traces = own_traces();
  const auto with = run(jobs({"nvidia_turing"}, traces)),
             without = run(jobs({"nvidia_turing_no_rfc"}, traces));
  for (std::size_t n = 0; n < with.size(); ++n) {
    CAPTURE(with[n].trace);
    CHECK(static_cast<double>(without[n].cycles) < 1.02 * static_cast<double>(with[n].cycles));
  }
}

TEST_CASE("every own trace runs on NVIDIA's sub-cores, and each run proves itself") {
  check_invariants(run(jobs(nvidia_platforms, own_traces())));
}

TEST_CASE("every own trace runs behind a reuse cache, and each run proves itself") {
  check_invariants(run(jobs(std::vector<std::string>{"reuse_ocu"}, own_traces())));
}

TEST_CASE(
    "the reuse cache saves bank reads on own traces, near bits more, and a port does not slow them down") {
  const auto results = run(jobs(nvidia_platforms, own_traces()));
  const auto sum = [&](const std::string& platform, std::uint64_t RunResult::*member) {
    std::uint64_t n = 0;
    for (const RunResult& r : results)
      if (r.platform == platform) n += r.*member;
    return n;
  };
  CHECK(sum("nvidia_turing", &RunResult::bank_reads) < sum("nvidia_turing_no_rfc", &RunResult::bank_reads));
  CHECK(sum("nvidia_near", &RunResult::bank_reads) < sum("nvidia_turing", &RunResult::bank_reads));
  CHECK(sum("nvidia_near_8", &RunResult::bank_reads) < sum("nvidia_near", &RunResult::bank_reads));
  CHECK(sum("nvidia_turing_2r", &RunResult::cycles) <= sum("nvidia_turing", &RunResult::cycles));
  CHECK(sum("nvidia_turing_no_rfc", &RunResult::cache_read_hits) == 0);
}

}  // namespace nvidia_test
