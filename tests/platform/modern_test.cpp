// Today's kernels, sm_80 to sm_90, on machines of their architecture.
#include <catch2/catch.hpp>

#include "tests/platform/edited_run.h"
#include "tests/platform/invariants.h"

namespace modern_test {

using namespace subcore;
using namespace subcore::test;

namespace {

std::filesystem::path modern(const char* name) {
  return std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "modern" / name;
}

}  // namespace

TEST_CASE(
    "today's kernels run on the core that ships by their own control bits, and about as fast by others") {
  const auto with = run(jobs_by_trace({"nvidia_ampere"}, modern_traces()));
  const auto without =
      run(jobs_by_trace({"nvidia_ampere"}, modern_traces(), {"passes.control_bits=synthetic"}));
  check_invariants(with);
  check_invariants(without);
  check_about_as_fast(with, without);
}

// With two read ports and a result a cycle, a MUFU's result may find its bank taken. The result of the next
// MUFU may then overtake it, and nvcc waits for both by the next one's counter. Without them, a long hold may
// drop results that a head still takes.
TEST_CASE("attention runs on the other cores that ship by its own control bits") {
  check_invariants(run(jobs_by_trace({"nvidia_turing", "nvidia_turing_2r"}, {modern("attention_sm90")})));
}

TEST_CASE("kernels of sm_90 run on the core of an H100 by their own control bits") {
  std::vector<std::filesystem::path> kernels{modern("attention_sm90"), modern("rmsnorm_sm90")};
  for (const auto& entry : std::filesystem::directory_iterator(modern("../modern_sm90")))
    kernels.push_back(entry.path());
  CHECK(kernels.size() == 8);
  const auto runs = run(jobs_by_trace({"nvidia_hopper"}, kernels));
  check_invariants(runs);
  for (const RunResult& r : runs) CHECK(r.machine == "h100_sm");
}

TEST_CASE("half of every stall count gives a stale operand in today's kernels, too") {
  for (const char* name : {"attention", "s8_gemm", "rmsnorm_sm90"}) {
    CAPTURE(name);
    CHECK_THAT(failure("nvidia_ampere", modern(name), halve_stall), Catch::Contains("program order demands"));
  }
}

TEST_CASE("today's kernels run on systems of each kind, and each run proves itself") {
  check_invariants(
      run(jobs_by_trace({"baseline", "malekeh", "bow_wr_hints", "ltrf", "register_cache", "socgpu"},
                        {modern("s8_gemm"), modern("rmsnorm_sm90")})));
}

TEST_CASE("today's kernels run on whole GPUs of their architecture") {
  const auto runs = run(jobs_by_trace({"baseline"}, {modern("s8_gemm"), modern("rmsnorm_sm90")}, {}, "auto"));
  check_invariants(runs);
  CHECK(runs[0].machine == "a100");
  CHECK(runs[1].machine == "h100");
}

TEST_CASE("a run says that its code is of another architecture than its units") {
  const auto notes = [](const char* platform, const char* trace) {
    std::string all;
    const auto results = run(jobs_by_trace({platform}, {modern(trace)}));
    for (const std::string& n : results.at(0).notes) all += n + "\n";
    return all;
  };
  CHECK_THAT(notes("v100/baseline", "s8_gemm"),
             Catch::Contains("code of binary version 80 on units of Turing or older"));
  CHECK_THAT(notes("h100_sm/baseline", "s8_gemm"),
             Catch::Contains("code of binary version 80 on units of sm_90"));
  CHECK_THAT(notes("baseline", "s8_gemm"), !Catch::Contains("code of binary version"));
}

}  // namespace modern_test
