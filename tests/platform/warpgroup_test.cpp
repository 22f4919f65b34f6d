// Matrix products of warpgroups on whole platforms, from traces made by hand, because no compiler's is at
// hand. Forms of lines are those of Accel-Sim 2.0.
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/platform/invariants.h"
#include "tests/platform/runs.h"
#include "tests/temporary_folder.h"

namespace warpgroup_platform_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Instructions of a warp, each at its own program counter.
class Warp {
 public:
  void add(const std::string& operands, const std::string& tail = "0 0 0 NoVal") {
    char text[16];
    std::snprintf(text, sizeof text, "%04x", 16 * count_);
    lines_ << text << " ffffffff " << operands << ' ' << tail << '\n';
    ++count_;
  }
  std::string text() const { return "insts = " + std::to_string(count_) + "\n" + lines_.str(); }
  unsigned count() const { return count_; }

 private:
  std::ostringstream lines_;
  unsigned count_ = 0;
};

void hgmma(Warp& w, const std::string& shape, const std::string& sources, bool ends_group) {
  w.add("1 R24 HGMMA." + shape + ' ' + sources + (ends_group ? " 1" : " 0"));
}

// The accumulators are set. Two groups of products run on them, with A in shared memory and in registers, and
// the results are stored. Then a new sum begins, whose first product does not read the accumulators.
Warp gemm(unsigned warp) {
  Warp w;
  for (unsigned r = 24; r < 88; r += 8) w.add("1 R" + std::to_string(r) + " MOV 1 R2");
  for (unsigned r = 4; r < 8; ++r) w.add("1 R" + std::to_string(r) + " F2FP.BF16.F32.PACK_AB 2 R2 R3");
  for (unsigned round = 0; round < 2; ++round) {
    w.add("0 WARPGROUP.ARRIVE 0");
    hgmma(w, "64x128x16.F32.BF16", round == 0 ? "3 UR4 UR8 R24" : "3 UR4 UR8 R255", false);
    hgmma(w, "64x128x16.F32.BF16", "2 UR4 R24", true);
    hgmma(w, "64x128x16.F32.BF16", "3 R4 UR8 R24", false);
    hgmma(w, "64x128x16.F32.BF16", "3 R4 UR8 R24", true);
    w.add("1 R9 IADD3 2 R10 R11");
    w.add("1 R12 LDS 1 R13", "4 1 0x7f3000000000 4 0 0 NoVal");
    w.add("0 WARPGROUP.DEPBAR.LE 0", "0 0 1 NoVal");
    w.add("0 WARPGROUP.DEPBAR.LE 0", "0 0 0 NoVal");
    for (unsigned r = 24; r < 88; r += 21) w.add("1 R14 FADD 2 R" + std::to_string(r) + " R9");
    std::ostringstream address;
    address << "16 1 0x7f40" << std::hex << 0x10000000 + 0x1000 * warp << " 16 0 0 NoVal";
    w.add("0 STG.E.128 2 R16 R24", address.str());
    w.add("1 R30 FMUL 2 R30 R12");
    w.add("1 R31 FADD 2 R30 R31");
  }
  w.add("0 EXIT 0");
  return w;
}

// A kernel of CTAs of two warpgroups.
std::filesystem::path write_trace(const TemporaryFolder& folder, unsigned ctas = 2, unsigned warps = 8) {
  std::ostringstream out;
  out << "-kernel name = products\n-kernel id = 1\n-grid dim = (" << ctas
      << ",1,1)\n-block dim = (256,1,1)\n"
         "-shmem = 4096\n-nregs = 96\n-binary version = 90\n-cuda stream id = 0\n"
         "-shmem base_addr = 0x00007f3000000000\n-local mem base_addr = 0x00007f2000000000\n"
         "-nvbit version = none\n-accelsim tracer version = 6\n\n#traces format = PC mask ...\n";
  for (unsigned cta = 0; cta < ctas; ++cta) {
    out << "\n#BEGIN_TB\n\nthread block = " << cta << ",0,0\n";
    for (unsigned w = 0; w < warps; ++w) out << "\nwarp = " << w << '\n' << gemm(8 * cta + w).text();
    out << "\n#END_TB\n";
  }
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg", out.str());
  return folder.path();
}

const std::vector<std::string> systems{"baseline",
                                       "traditional",
                                       "malekeh",
                                       "malekeh_private",
                                       "bow",
                                       "bow_wr",
                                       "bow_wr_half",
                                       "bow_wr_hints",
                                       "rfc",
                                       "rfc_monolithic",
                                       "software_rfc",
                                       "software_rfc_monolithic",
                                       "ltrf",
                                       "ltrf_plus",
                                       "register_cache",
                                       "reuse_ocu",
                                       "socgpu",
                                       "malekeh_socgpu",
                                       "monolithic_baseline",
                                       "nvidia_hopper",
                                       "nvidia_near",
                                       "nvidia_turing_scoreboard"};

}  // namespace

TEST_CASE("products of warpgroups run on every system, and each run proves itself") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder);
  const std::uint64_t instructions = 16u * gemm(0).count();
  const auto runs = run(jobs_by_trace(systems, {trace}));
  check_invariants(runs);
  for (const RunResult& r : runs) {
    INFO(r.platform);
    CHECK(r.instructions_retired == instructions);
    const auto is_wait = [](const auto& of) { return of.first == "products"; };
    CHECK(std::find_if(r.stall_cycles.begin(), r.stall_cycles.end(), is_wait)->second > 0);
    // Of 16 warps twice four products: 64 registers are written by each, and read by all but one.
    CHECK(value_of(r.own, "accumulator_writes") == 16 * 8 * 64);
    CHECK(value_of(r.own, "accumulator_reads") == 16 * 7 * 64);
    CHECK(r.bank_writes >= 16 * 8 * 64);
  }
  for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
    const auto again = run(jobs_by_trace(systems, {trace}, {order}));
    for (std::size_t n = 0; n < runs.size(); ++n) {
      INFO(runs[n].platform << " " << order);
      CHECK(without_time(again[n]) == without_time(runs[n]));
    }
  }
}

TEST_CASE("warps that a trace leaves out of a warpgroup are not waited for") {
  const TemporaryFolder folder;
  const auto runs = run(jobs_by_trace({"baseline", "nvidia_hopper"}, {write_trace(folder, 1, 7)}));
  check_invariants(runs);
  for (const RunResult& r : runs) CHECK(r.instructions_retired == 7u * gemm(0).count());
}

TEST_CASE("machines without warpgroups take a product for an ordinary tensor instruction") {
  const TemporaryFolder folder;
  const auto runs = run(jobs({"rtx2060/baseline"}, {write_trace(folder)}));
  check_invariants(runs);
  CHECK(runs[0].instructions_retired == 16u * gemm(0).count());
}

}  // namespace warpgroup_platform_test
