// What shipping GPUs do, on real traces: the compiler's control bits are right for the model, or an operand
// would be stale.
#include <catch2/catch.hpp>

#include "tests/platform/invariants.h"

using namespace subcore;
using namespace subcore::test;

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
