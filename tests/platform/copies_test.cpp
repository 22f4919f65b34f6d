// Asynchronous copies on whole platforms: what instructions wait for, and that every run ends.
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/platform/runs.h"
#include "tests/temporary_folder.h"

namespace copies_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// A kernel of two CTAs of two warps, as NVBit's tracer writes it. Each warp copies two groups, waits until at
// most `first` of them are not complete, and reads. Then the warp waits until at most `second` are not
// complete, reads, and copies once more before it ends.
std::filesystem::path write_trace(const TemporaryFolder& folder, unsigned first, unsigned second) {
  std::ostringstream out;
  out << "-kernel name = copies\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 4096\n"
         "-nregs = 16\n-binary version = 75\n-cuda stream id = 0\n-shmem base_addr = 0x00007f3000000000\n"
         "-local mem base_addr = 0x00007f2000000000\n-nvbit version = none\n-accelsim tracer version = 5\n\n"
         "#traces format = PC mask ...\n";
  for (unsigned cta = 0; cta < 2; ++cta) {
    out << "\n#BEGIN_TB\n\nthread block = " << cta << ",0,0\n";
    for (unsigned w = 0; w < 2; ++w) {
      const unsigned base = 0x10000 * (2 * cta + w);
      const auto copy = [&](const char* pc, unsigned offset) {
        out << pc << " ffffffff 0 LDGSTS.E.BYPASS.128 2 R2 R4 16 1 0x7f40" << std::hex
            << 0x10000000 + base + offset << std::dec << " 16 0\n";
      };
      out << "\nwarp = " << w << "\ninsts = 15\n0000 ffffffff 1 R4 MOV 1 R1 0 0\n";
      copy("0010", 0);
      out << "0020 ffffffff 0 LDGDEPBAR 0 0 0\n";
      copy("0030", 0x4000);
      out << "0040 ffffffff 0 LDGDEPBAR 0 0 0\n0050 ffffffff 0 DEPBAR.LE 0 0 " << first
          << "\n0060 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0\n"
             "0070 ffffffff 1 R8 LDS 1 R3 4 1 0x7f3000000000 4 0\n0080 ffffffff 0 DEPBAR.LE 0 0 "
          << second
          << "\n0090 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0\n"
             "00a0 ffffffff 1 R9 LDS 1 R3 4 1 0x7f3000000200 4 0\n"
             "00b0 ffffffff 1 R10 FADD 2 R8 R9 0 0\n";
      copy("00c0", 0x8000);
      out << "00d0 ffffffff 0 ARRIVES.LDGSTSBAR.64 1 R2 0 0\n00e0 ffffffff 0 EXIT 0 0 0\n";
    }
    out << "\n#END_TB\n";
  }
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg", out.str());
  return folder.path();
}

RunResult result(const std::string& platform, unsigned first, unsigned second) {
  const TemporaryFolder folder;
  return run(jobs({platform}, {write_trace(folder, first, second)}, {"passes.control_bits=synthetic"})).at(0);
}

RunResult result_of(const std::string& platform, unsigned first, unsigned second) {
  const TemporaryFolder folder;
  return run(jobs({platform}, {write_trace(folder, first, second)})).at(0);
}

}  // namespace

TEST_CASE("asynchronous copies are waited for on every kind of platform") {
  for (const char* platform : {"baseline", "malekeh", "bow_wr", "rfc", "software_rfc", "ltrf", "socgpu",
                               "nvidia_turing_scoreboard", "nvidia_turing"}) {
    CAPTURE(platform);
    const auto one = std::string(platform) == "nvidia_turing" ? result : result_of;
    // Nothing is waited for, the first group, or both at once.
    const RunResult none = one(platform, 9, 9), group = one(platform, 1, 0), all = one(platform, 0, 0);
    for (const RunResult* r : {&none, &group, &all}) CHECK(r->instructions_retired == 4 * 15);
    const auto waited = [](const RunResult& r) {
      const auto is_wait = [](const auto& of) { return of.first == "copy_groups"; };
      return std::find_if(r.stall_cycles.begin(), r.stall_cycles.end(), is_wait)->second;
    };
    CHECK(waited(none) == 0);
    CHECK(waited(group) > 0);
    CHECK(waited(all) >= waited(group));
    CHECK(none.cycles < group.cycles);
    CHECK(group.cycles <= all.cycles);
  }
}

}  // namespace copies_test
