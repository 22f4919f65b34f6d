// Two-level scheduling and the caches that go with it: the findings of Malekeh's authors about RFC and
// software RFC, and the savings of LTRF+ over LTRF.
#include <map>

#include <catch2/catch.hpp>

#include "tests/platform/invariants.h"

namespace two_level_test {

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

// Malekeh's Fig. 10: 37.6 % and 43.8 % of the cycles.
TEST_CASE("warps that could issue are pending often, and more often in sub-cores and with software RFC") {
  const auto share = [](const RunResult& r) {
    std::uint64_t all = 0, pending_ready = 0;
    for (const auto& [state, cycles] : r.scheduler_cycles) {
      if (state != "empty") all += cycles;
      if (state == "pending_ready") pending_ready = cycles;
    }
    return static_cast<double>(pending_ready) / static_cast<double>(all);
  };
  std::map<std::string, double> shares;
  for (const std::string ready : {"no_hazard", "collector_free"}) {
    const auto results = run(jobs({"rfc", "software_rfc", "rfc_monolithic", "software_rfc_monolithic"},
                                  own_traces(), {"sub_core.scheduler.two_level.pending_ready=" + ready}));
    for (const std::string p : {"rfc", "software_rfc"}) {
      shares[p + ready] = mean(results, p, share);
      INFO(p << ", " << ready << ": " << shares[p + ready]);
      CHECK(shares[p + ready] > mean(results, p + "_monolithic", share));
    }
    CHECK(shares["software_rfc" + ready] > shares["rfc" + ready]);
  }
  for (const std::string p : {"rfc", "software_rfc"})
    CHECK(shares[p + "no_hazard"] > shares[p + "collector_free"]);
}

TEST_CASE("LTRF+ reads fewer registers from the banks than LTRF, and writes fewer, on every own kernel") {
  const auto results = run(jobs(std::vector<std::string>{"ltrf", "ltrf_plus"}, own_traces()));
  for (std::size_t n = 0; n < results.size(); n += 2) {
    CAPTURE(results[n].trace);
    CHECK(results[n + 1].bank_reads < results[n].bank_reads);
    CHECK(results[n + 1].bank_writes < results[n].bank_writes);
  }
}

// Values are planned for whole strands. A warp must not lose them while its next instruction is fetched.
TEST_CASE("software RFC keeps a strand's values while the instruction buffer is empty") {
  for (const std::string slow :
       {"instruction_buffer=1", "fetch_redirect=issue", "fetch_redirect=write_back"}) {
    for (const RunResult& r : run(jobs(std::vector<std::string>{"software_rfc", "software_rfc_monolithic"},
                                       own_traces(), {"sub_core.scheduler." + slow}))) {
      CAPTURE(slow, r.platform, r.trace);
      CHECK(r.stale_operands == 0);
      CHECK(r.operands_checked > 0);
    }
  }
}

}  // namespace two_level_test
