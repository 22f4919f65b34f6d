// Divergent paths that write the same registers, on every platform of one SM. The check of operands finds
// lanes that lack a write, and no others.
#include <catch2/catch.hpp>

#include "tests/platform/edited_run.h"
#include "tests/platform/invariants.h"
#include "tests/random/divergent_trace.h"
#include "tests/temporary_folder.h"

using namespace subcore;
using namespace subcore::test;

namespace {

namespace fs = std::filesystem;

const fs::path traces = fs::path(SUBCORE_SOURCE_DIR) / "tests/traces";

std::vector<std::string> of_one_sm() {
  std::vector<std::string> all{"reuse_ocu", "socgpu", "malekeh_socgpu", "traditional_results"};
  for (const auto* some : {&all_platforms, &bypassing_platforms, &operand_cache_platforms, &nvidia_platforms})
    all.insert(all.end(), some->begin(), some->end());
  return all;
}

void check_in_three_orders(const std::vector<fs::path>& folders) {
  const auto first = run(jobs(of_one_sm(), folders));
  check_invariants(first);
  for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
    const auto again = run(jobs(of_one_sm(), folders, {order}));
    REQUIRE(again.size() == first.size());
    for (std::size_t n = 0; n < first.size(); ++n) CHECK(without_time(again[n]) == without_time(first[n]));
  }
}

}  // namespace

// A double addition of the upper half of the lanes comes behind results of the lower half in the same
// registers.
TEST_CASE("a late result of one path is no stale operand of the other") {
  check_in_three_orders({traces / "late_lanes"});
}

TEST_CASE("a late result that its own path does not wait for is one") {
  const auto without_wait = [](SidecarLine& l) {
    const auto at = l.control.find(" 01 ");
    if (at != std::string::npos) l.control.replace(at, 4, " 00 ");
  };
  for (const char* platform : {"nvidia_turing", "nvidia_near", "nvidia_turing_no_rfc"})
    CHECK_THAT(failure(platform, traces / "late_lanes", without_wait),
               Catch::Contains("pc 0x90") && Catch::Contains("R12 is version 4, program order demands 4") &&
                   Catch::Contains("older writes are missing"));
}

// If two registers are counted for each operand of a tensor instruction, R51 stands for R51 and R52. Its
// reuse flag is for R51 only: R52 is written before it is read again.
TEST_CASE("a reuse flag is not of a register that only the counting of operands adds") {
  check_in_three_orders({traces / "reuse_of_added_register"});
  const auto counted = run(jobs({"reuse_ocu"}, {traces / "reuse_of_added_register"}))[0];
  CHECK(counted.cache_read_hits == 1);  // R51
  CHECK(counted.source_operands == 13);
}

TEST_CASE("random divergent paths whose results come at different times leave the proof intact") {
  const TemporaryFolder folder;
  std::vector<fs::path> folders;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    folders.push_back(folder.path() / ("divergent_" + std::to_string(seed)));
    random::write_trace(random::divergent_trace(seed), folders.back());
  }
  check_in_three_orders(folders);
}

TEST_CASE("traces on which versions of whole registers were wrong") {
  check_shared(of_one_sm(), {"found/lane_stale", "found/particlefilter"});
}
