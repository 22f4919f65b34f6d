// Instructions that read 20 and 32 registers, on every system: DMMA of sm_90.
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/platform/invariants.h"
#include "tests/temporary_folder.h"

namespace wide_operands_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr unsigned warps = 4, instructions = 20;

// A kernel of a CTA as NVBit's tracer writes it. Each warp loads A, B and C, multiplies in both shapes and in
// both spellings, loads over A while it is read, and stores the result.
std::filesystem::path write_trace(const TemporaryFolder& folder) {
  std::ostringstream out;
  out << "-kernel name = dmma\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (128,1,1)\n-shmem = 0\n"
         "-nregs = 64\n-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007f3000000000\n"
         "-local mem base_addr = 0x00007f2000000000\n-nvbit version = none\n-accelsim tracer version = 5\n\n"
         "#traces format = PC mask ...\n\n#BEGIN_TB\n\nthread block = 0,0,0\n";
  for (unsigned w = 0; w < warps; ++w) {
    out << "\nwarp = " << w << "\ninsts = " << instructions << "\n";
    unsigned pc = 0;
    const auto line = [&](const std::string& text) {
      char number[8];
      std::snprintf(number, sizeof number, "%04x", 16 * pc++);
      out << number << " ffffffff " << text << " 0\n";
    };
    const auto memory = [&](const std::string& operands) {
      line(operands + " 16 1 0x7f40" + std::to_string(10000000 + 0x1000 * (w * instructions + pc)) + " 16");
    };
    for (unsigned r = 8; r < 40; r += 4) memory("1 R" + std::to_string(r) + " LDG.E.128 1 R2");
    line("1 R32 DMMA.16x8x16 3 R8 R24 R32 0");
    line("1 R40 DMMA.16816 3 R8 R24 R32 0");
    line("1 R8 MOV 1 R2 0");  // over A
    memory("1 R12 LDG.E.128 1 R4");
    line("1 R32 DMMA.16x8x8 3 R8 R24 R40 0");
    line("1 R48 DMMA.1688 3 R16 R28 R32 0");
    line("1 R16 MOV 1 R2 0");
    for (unsigned r = 32; r < 48; r += 8) memory("0 STG.E.128 2 R2 R" + std::to_string(r));
    memory("0 STG.E.128 2 R2 R48");
    line("1 R48 DADD 2 R48 R50 0");
    line("0 EXIT 0 0");
  }
  out << "\n#END_TB\n";
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg", out.str());
  return folder.path();
}

std::vector<std::string> all_systems() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(SUBCORE_SOURCE_DIR) / "platforms"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("instructions of 20 and 32 source registers run on every system, and each run proves itself") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder);
  const std::vector<std::string> systems = all_systems();
  REQUIRE(systems.size() > 20);
  const auto exact = run(jobs_by_trace(
      systems, {trace},
      {"operands.tensor=exact", "sub_core.collector.slots=widest", "sub_core.collector.entries=64"}));
  check_invariants(exact);
  for (const RunResult& r : exact) {
    CAPTURE(r.platform);
    CHECK(r.instructions_retired == warps * instructions);
    // Addresses of eleven accesses, A, B and C of four products, data of three stores and two doubles.
    CHECK(r.source_operands == warps * (8 * 2 + 32 + 32 + 1 + 2 + 20 + 20 + 1 + 3 * (2 + 4) + 4));
  }
  check_invariants(run(jobs_by_trace(systems, {trace})));
}

TEST_CASE("a collector with too few slots says which instruction does not fit") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder);
  CHECK_THAT(
      [&] {
        try {
          run(jobs_by_trace({"baseline"}, {trace}, {"operands.tensor=exact", "sub_core.collector.slots=13"}));
        } catch (const std::exception& e) {
          return std::string(e.what());
        }
        return std::string();
      }(),
      Catch::Contains("pc 0x80 has 32 source operands; expected at most 13 (sub_core.collector.slots)"));
}

}  // namespace wide_operands_test
