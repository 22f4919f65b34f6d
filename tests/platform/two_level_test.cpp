// Two-level scheduling and the caches that live with it: what Malekeh's authors find of RFC and software RFC,
// and what LTRF+ saves over LTRF.
#include <catch2/catch.hpp>

#include "tests/platform/invariants.h"

using namespace subcore;
using namespace subcore::test;

namespace {

double ipc_normalised(const RunResult& r) {
  return r.ipc_normalised.value();
}

}  // namespace

// Malekeh's authors: -9.9 % and -12.9 % of IPC in sub-cores, -2.1 % and -3.5 % in a monolithic SM.
TEST_CASE("RFC and software RFC cost IPC, and more in sub-cores than in a monolithic SM") {
  auto sub_cores = run(jobs(std::vector<std::string>{"baseline", "rfc", "software_rfc"}, own_traces()));
  auto monolithic =
      run(jobs(std::vector<std::string>{"monolithic_baseline", "rfc_monolithic", "software_rfc_monolithic"},
               own_traces()));
  normalise(sub_cores);
  normalise(monolithic);
  for (const std::string scheme : {"rfc", "software_rfc"}) {
    const double split = mean(sub_cores, scheme, ipc_normalised);
    const double whole = mean(monolithic, scheme + "_monolithic", ipc_normalised);
    INFO(scheme << ": " << split << " in sub-cores, " << whole << " in a monolithic SM");
    CHECK(split < whole);
    CHECK(whole < 1.0);
  }
}

// On average, because a register that is not fetched cannot take a partial result: its place is given up and
// its readers go to the banks (lud).
TEST_CASE("LTRF+ reads fewer registers from the banks than LTRF, and writes fewer on every own kernel") {
  const auto results = run(jobs(std::vector<std::string>{"ltrf", "ltrf_plus"}, own_traces()));
  const auto reads = [](const RunResult& r) { return static_cast<double>(r.bank_reads); };
  CHECK(mean(results, "ltrf_plus", reads) < mean(results, "ltrf", reads));
  for (std::size_t n = 0; n < results.size(); n += 2) {
    CAPTURE(results[n].trace);
    CHECK(results[n + 1].bank_writes < results[n].bank_writes);
  }
}
