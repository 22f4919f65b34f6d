// Invariants that hold of every run, whatever the platform.
#pragma once

#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/platform/runs.h"

namespace subcore::test {

inline void check_invariants(const std::vector<RunResult>& results) {
  for (const RunResult& r : results) {
    CAPTURE(r.platform, r.trace);
    CHECK(r.instructions_traced > 0);
    CHECK(imbalance(r) == "");
    CHECK(r.operands_checked == r.source_operands + value_of(r.own, "accumulator_reads").value_or(0));
    CHECK(r.stale_operands == 0);
    CHECK(r.energy_total_pj > 0);
    const auto issued = std::find_if(r.scheduler_cycles.begin(), r.scheduler_cycles.end(),
                                     [](const auto& s) { return s.first == "issue"; });
    REQUIRE(issued != r.scheduler_cycles.end());
    CHECK(issued->second == r.instructions_retired);
  }
}

// The second runs of the same traces take about the cycles of the first.
inline void check_about_as_fast(const std::vector<RunResult>& with, const std::vector<RunResult>& without) {
  REQUIRE(with.size() == without.size());
  for (std::size_t n = 0; n < with.size(); ++n) {
    CAPTURE(with[n].trace);
    const double ratio = static_cast<double>(without[n].cycles) / static_cast<double>(with[n].cycles);
    CHECK(ratio > 0.9);
    CHECK(ratio < 1.1);
  }
}

inline void check_shared(const std::vector<std::string>& platforms, const std::vector<std::string>& names) {
  const auto folder = shared_traces();
  if (folder.empty()) {
    WARN("no larger trace collection here: skipped");
    return;
  }
  std::vector<std::filesystem::path> traces;
  for (const auto& n : names) traces.push_back(folder / n);
  check_invariants(run(jobs(platforms, traces)));
}

}  // namespace subcore::test
