// Bulk copies (TMA) and mbarriers on whole platforms, from traces made by hand, because no trace with any is
// at hand. Forms of lines are those of Accel-Sim 2.0.
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/platform/invariants.h"
#include "tests/platform/runs.h"
#include "tests/temporary_folder.h"

namespace bulk_copies_test {

using namespace subcore;
using namespace subcore::test;

namespace {

std::string hex(std::uint64_t number) {
  std::ostringstream out;
  out << std::hex << number;
  return out.str();
}

// Instructions of a warp. Each kind of line has a `pc` of its own, so that the instructions of a loop have
// one pc.
class Warp {
 public:
  void add(unsigned pc, const std::string& operands, const std::string& mask = "ffffffff") {
    char text[16];
    std::snprintf(text, sizeof text, "%04x ", pc);
    lines_ << text << mask << ' ' << operands << '\n';
    ++count_;
  }
  // SYNCS of a kind, with the value of its last register.
  void syncs(unsigned pc, const std::string& kind, unsigned mbarrier, std::uint64_t value,
             const std::string& mask = "00000001") {
    const std::string result = kind.find("PHASECHK") == 0 ? "1 P0 " : "1 R255 ";
    add(pc,
        result + "SYNCS." + kind + " 2 UR4 R2 8 1 0x" + hex(mbarrier) + " 0 0 0 Val 1 0 1 0 1 " + hex(value),
        mask);
  }
  void init(unsigned pc, unsigned mbarrier, unsigned threads) {
    syncs(pc, "EXCH.64", mbarrier, 0x7ff0000000000000u | (0x200000u - 2 * threads));
  }
  void arrive(unsigned pc, unsigned mbarrier, const std::string& mask = "00000001") {
    syncs(pc, "ARRIVE.TRANS64.A1T0", mbarrier, 0, mask);
  }
  void expect(unsigned pc, unsigned mbarrier, unsigned bytes) {
    syncs(pc, "ARRIVE.TRANS64", mbarrier, bytes);
  }
  // Asks until the phase is complete, `times` times, as a loop does.
  void wait(unsigned pc, unsigned mbarrier, bool parity, unsigned times = 1) {
    for (unsigned n = 0; n < times; ++n) {
      syncs(pc, "PHASECHK.TRANS64.TRYWAIT", mbarrier, parity ? 0x80000000u : 0u, "ffffffff");
      add(pc + 16, "0 BRA 0 0 0 0 NoVal");
    }
  }
  // A bulk copy of whole lines.
  void copy(unsigned pc, const std::string& opcode, unsigned mbarrier, std::uint64_t from, unsigned bytes,
            const std::string& multicast = "0") {
    std::ostringstream words;
    words << " 2 UR4 UR6 16 " << hex(mbarrier) << ' ' << multicast << ' ' << bytes << " 0 4 " << hex(from)
          << ' ' << bytes / 128;
    for (unsigned line = 1; line < bytes / 128; ++line) words << " 128";
    add(pc, "0 " + opcode + words.str() + " 0 0 NoVal", "00000001");
  }
  std::string text() const { return "insts = " + std::to_string(count_) + "\n" + lines_.str(); }
  unsigned count() const { return count_; }

 private:
  std::ostringstream lines_;
  unsigned count_ = 0;
};

std::filesystem::path write_trace(const TemporaryFolder& folder, const std::vector<Warp>& warps,
                                  unsigned ctas = 1) {
  std::ostringstream out;
  out << "-kernel name = bulk\n-kernel id = 1\n-grid dim = (" << ctas << ",1,1)\n-block dim = ("
      << 32 * warps.size()
      << ",1,1)\n-shmem = 65536\n-nregs = 32\n-binary version = 90\n-cuda stream id = 0\n"
         "-shmem base_addr = 0x00007f3000000000\n-local mem base_addr = 0x00007f2000000000\n"
         "-nvbit version = none\n-accelsim tracer version = 6\n\n#traces format = PC mask ...\n";
  for (unsigned cta = 0; cta < ctas; ++cta) {
    out << "\n#BEGIN_TB\n\nthread block = " << cta << ",0,0\n";
    for (std::size_t w = 0; w < warps.size(); ++w) out << "\nwarp = " << w << '\n' << warps[w].text();
    out << "\n#END_TB\n";
  }
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg", out.str());
  return folder.path();
}

constexpr unsigned stages = 2, tiles = 6, tile_bytes = 4096;

unsigned full(unsigned stage) {
  return 0x400 + 8 * stage;
}
unsigned empty(unsigned stage) {
  return 0x440 + 8 * stage;
}
bool parity_of(unsigned tile) {
  return tile / stages % 2 != 0;
}

// The warps of a kernel that works tile by tile. One warp brings tiles, and three use them. The first of
// these writes results by bulk copies. `retries`: how often a waiting warp asks in the trace.
std::vector<Warp> pipeline(unsigned retries = 1) {
  std::vector<Warp> warps(4);
  for (unsigned s = 0; s < stages; ++s) {
    warps[0].init(0x10, full(s), 1);
    warps[0].init(0x20, empty(s), 3);
  }
  for (Warp& w : warps) w.add(0x30, "0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal");
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const unsigned s = tile % stages;
    Warp& producer = warps[0];
    producer.wait(0x100, empty(s), !parity_of(tile), retries);
    producer.expect(0x120, full(s), 2 * tile_bytes);
    producer.copy(0x130, "UTMALDG.2D", full(s), 0x7f4000000000 + std::uint64_t{tile} * tile_bytes,
                  tile_bytes);
    producer.copy(0x140, "UBLKCP.S.G", full(s), 0x7f5000000000 + std::uint64_t{tile} * tile_bytes,
                  tile_bytes);
    for (unsigned w = 1; w < 4; ++w) {
      warps[w].wait(0x200, full(s), parity_of(tile), retries);
      warps[w].add(0x220, "1 R8 LDS 1 R3 4 1 0x7f3000000800 4 0 0 NoVal");
      warps[w].add(0x230, "1 R9 FADD 2 R8 R9 0 0 0 NoVal");
      warps[w].arrive(0x240, empty(s));
    }
  }
  Warp& writer = warps[1];
  for (unsigned n = 0; n < 2; ++n) {
    writer.add(0x300, "0 STS 2 R3 R9 4 1 0x7f3000000800 4 0 0 NoVal");
    writer.add(0x310, "0 FENCE.VIEW.ASYNC.S 0 0 0 0 NoVal");
    writer.copy(0x320, "UTMASTG.2D", 0, 0x7f6000000000 + 2048 * n, 2048);
    writer.add(0x330, "0 UTMACMDFLUSH 0 0 0 0 NoVal", "00000001");
  }
  writer.add(0x340, "0 DEPBAR.LE 0 0 1 0 NoVal");
  writer.add(0x350, "0 DEPBAR.LE 0 0 0 0 NoVal");
  writer.copy(0x360, "UTMAREDG.2D", 0, 0x7f7000000000, 1024);
  writer.copy(0x370, "UTMAPF.L2.2D", 0, 0x7f8000000000, 512);
  for (Warp& w : warps) w.add(0x400, "0 EXIT 0 0 0 0 NoVal");
  return warps;
}

unsigned instructions_of(const std::vector<Warp>& warps) {
  unsigned n = 0;
  for (const Warp& w : warps) n += w.count();
  return n;
}

std::uint64_t stalls(const RunResult& r, const std::string& cause) {
  const auto is_it = [&](const auto& of) { return of.first == cause; };
  return std::find_if(r.stall_cycles.begin(), r.stall_cycles.end(), is_it)->second;
}

const std::vector<std::string> systems{"baseline",
                                       "malekeh",
                                       "bow_wr",
                                       "rfc",
                                       "ltrf_plus",
                                       "software_rfc",
                                       "socgpu",
                                       "malekeh_socgpu",
                                       "nvidia_hopper",
                                       "nvidia_near",
                                       "nvidia_turing_scoreboard"};

}  // namespace

TEST_CASE("bulk copies are waited for on every system, and each run proves itself") {
  const TemporaryFolder folder;
  const auto warps = pipeline();
  const auto trace = write_trace(folder, warps, 3);
  const auto runs = run(jobs_by_trace(systems, {trace}));
  check_invariants(runs);
  for (const RunResult& r : runs) {
    INFO(r.platform);
    CHECK(r.instructions_retired == 3 * instructions_of(warps));
    CHECK(value_of(r.own, "bulk_copies") == 3 * (2 * tiles + 4));
    CHECK(value_of(r.own, "bulk_bytes") == 3 * (2 * tiles * tile_bytes + 2 * 2048 + 1024 + 512));
    CHECK(value_of(r.own, "bulk_requests") == 3 * (2 * tiles * tile_bytes + 2 * 2048 + 1024 + 512) / 128);
    CHECK(value_of(r.own, "mbarrier_waits") == 3 * 4 * tiles);
    CHECK(value_of(r.own, "incomplete_mbarriers") == 0);
    CHECK(stalls(r, "mbarrier") > 1000);
    // Each CTA brings 48 KB, at 105 bytes a cycle at best, and two stages at a time.
    CHECK(r.cycles > 2 * tiles * tile_bytes / 105 + 300 * tiles / stages);
  }
  for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
    const auto again = run(jobs_by_trace(systems, {trace}, {order}));
    for (std::size_t n = 0; n < runs.size(); ++n) {
      INFO(runs[n].platform << " " << order);
      CHECK(without_time(again[n]) == without_time(runs[n]));
    }
  }
}

TEST_CASE("bulk copies go past the L1 of a whole GPU, in any order of ticks") {
  const TemporaryFolder folder;
  const auto trace = write_trace(folder, pipeline(), 8);
  const std::vector<std::string> some{"baseline", "socgpu", "nvidia_hopper"};
  const auto runs = run(jobs_by_trace(some, {trace}, {"gpu.sms=2"}, "h100"));
  check_invariants(runs);
  for (const RunResult& r : runs) CHECK(value_of(r.own, "incomplete_mbarriers") == 0);
  const auto again = run(jobs_by_trace(some, {trace}, {"gpu.sms=2", "tick_order=shuffled"}, "h100"));
  for (std::size_t n = 0; n < runs.size(); ++n) CHECK(without_time(again[n]) == without_time(runs[n]));
}

TEST_CASE("questions that were answered no on the GPU are waited for once") {
  const TemporaryFolder once, often;
  const auto warps = pipeline(4);
  const auto trace = write_trace(often, warps);
  const auto runs = run(jobs_by_trace({"baseline", "nvidia_hopper"}, {write_trace(once, pipeline()), trace}));
  check_invariants(runs);
  for (const RunResult& r : runs) CHECK(value_of(r.own, "mbarrier_waits") == 4 * tiles);
  for (std::size_t n = 0; n < 2; ++n) {
    CHECK(runs[n + 2].instructions_retired == instructions_of(warps));
    CHECK(static_cast<double>(runs[n + 2].cycles) ==
          Approx(static_cast<double>(runs[n].cycles)).epsilon(0.1));
  }
}

TEST_CASE("stores by bulk copies are waited for in groups") {
  const auto cycles = [](bool waits) {
    const TemporaryFolder folder;
    std::vector<Warp> warps(1);
    warps[0].copy(0x10, "UTMASTG.2D", 0, 0x7f4000000000, 8192);
    warps[0].add(0x20, "0 UTMACMDFLUSH 0 0 0 0 NoVal", "00000001");
    if (waits) warps[0].add(0x30, "0 DEPBAR.LE 0 0 0 0 NoVal");
    for (unsigned n = 0; n < 100; ++n) warps[0].add(0x40, "1 R4 FADD 2 R4 R5 0 0 0 NoVal");
    warps[0].add(0x50, "0 EXIT 0 0 0 0 NoVal");
    const auto runs = run(jobs_by_trace({"baseline"}, {write_trace(folder, warps)}));
    check_invariants(runs);
    CHECK((stalls(runs[0], "copy_groups") > 60) == waits);  // 8192 bytes take 78 cycles and more
    return runs[0].cycles;
  };
  CHECK(cycles(true) > cycles(false));
}

TEST_CASE("LDGSTS of a warp arrive at an mbarrier when their data are there") {
  const auto cycles = [](bool arrives) {
    const TemporaryFolder folder;
    std::vector<Warp> warps(2);
    warps[0].init(0x10, 0x400, 32);
    for (Warp& w : warps) w.add(0x20, "0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal");
    warps[0].add(0x30, "0 LDGSTS.E.BYPASS.128 2 R2 R4 16 1 0x7f4000000000 16 0 0 NoVal");
    if (arrives)
      warps[0].add(0x40, "0 ARRIVES.LDGSTSBAR.64.ARVCNT 1 R2 8 1 0x400 0 0 0 NoVal");
    else
      warps[0].arrive(0x40, 0x400, "ffffffff");
    warps[1].wait(0x50, 0x400, false);
    for (Warp& w : warps) w.add(0x70, "0 EXIT 0 0 0 0 NoVal");
    const auto runs = run(jobs_by_trace({"baseline"}, {write_trace(folder, warps)}));
    check_invariants(runs);
    CHECK(value_of(runs[0].own, "incomplete_mbarriers") == 0);
    return stalls(runs[0], "mbarrier");
  };
  CHECK(cycles(true) > cycles(false) + 150);  // the way to memory
}

TEST_CASE("a wait that nothing can end is ended and counted") {
  const TemporaryFolder folder;
  std::vector<Warp> warps(3);
  warps[0].init(0x10, 0x400, 7);  // only two threads arrive
  for (Warp& w : warps) w.add(0x20, "0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal");
  for (unsigned w = 0; w < 2; ++w) {
    warps[w].arrive(0x30, 0x400);
    warps[w].wait(0x40, 0x400, false);
    warps[w].wait(0x60, 0x400, true);  // again no thread arrives
  }
  for (Warp& w : warps) w.add(0x80, "0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal");
  for (Warp& w : warps) w.add(0x90, "0 EXIT 0 0 0 0 NoVal");
  const auto runs = run(jobs_by_trace(systems, {write_trace(folder, warps)}));
  check_invariants(runs);
  for (const RunResult& r : runs) {
    INFO(r.platform);
    CHECK(r.instructions_retired == instructions_of(warps));
    CHECK(value_of(r.own, "incomplete_mbarriers") == 4);
    CHECK(std::any_of(r.notes.begin(), r.notes.end(), [](const std::string& note) {
      return note.find("4 of 4 waits at mbarriers") != std::string::npos;
    }));
  }
}

TEST_CASE("a copy to several CTAs of a cluster counts as if theirs came, too") {
  const TemporaryFolder folder;
  std::vector<Warp> warps(1);
  warps[0].init(0x10, 0x400, 1);
  warps[0].expect(0x20, 0x400, 2048);
  warps[0].copy(0x30, "UTMALDG.2D.MULTICAST", 0x1000400, 0x7f4000000000, 1024, "1 3");
  warps[0].wait(0x40, 0x400, false);
  warps[0].add(0x90, "0 EXIT 0 0 0 0 NoVal");
  const auto runs = run(jobs_by_trace({"baseline"}, {write_trace(folder, warps)}));
  check_invariants(runs);
  CHECK(value_of(runs[0].own, "incomplete_mbarriers") == 0);
  CHECK(value_of(runs[0].own, "bulk_bytes") == 1024);
}

TEST_CASE("lines without values wait for the copies that name the mbarrier") {
  const TemporaryFolder folder;
  std::vector<Warp> warps(1);
  warps[0].add(0x10, "0 SYNCS.EXCH.64 2 UR4 UR6 8 1 0x400 0 0 0 NoVal", "00000001");
  warps[0].copy(0x30, "UTMALDG.2D", 0x400, 0x7f4000000000, 8192);
  warps[0].add(0x40, "1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 UR4 R2 8 1 0x400 0 0 0 NoVal");
  warps[0].add(0x90, "0 EXIT 0 0 0 0 NoVal");
  const auto runs = run(jobs_by_trace({"baseline"}, {write_trace(folder, warps)}));
  check_invariants(runs);
  CHECK(value_of(runs[0].own, "incomplete_mbarriers") == 0);
  CHECK(stalls(runs[0], "mbarrier") > 200);
}

TEST_CASE("machines without a copy engine take bulk copies and mbarriers for nothing") {
  const TemporaryFolder folder;
  const auto warps = pipeline(2);
  const auto runs = run(jobs({"rtx2060/baseline"}, {write_trace(folder, warps)}));
  check_invariants(runs);
  CHECK(runs[0].instructions_retired == instructions_of(warps));
  CHECK(stalls(runs[0], "mbarrier") == 0);
}

// One thread, round after round, as in scripts/measure/copies.cu, by the difference of more and fewer rounds.
// The rest of its loop is an addition, a shift, a comparison and two branches.
TEST_CASE("a bulk copy and an mbarrier take as long as an H200 measures") {
  const auto measure = [](unsigned bytes) {
    std::vector<std::uint64_t> cycles;
    for (const unsigned rounds : {8u, 16u}) {
      const TemporaryFolder folder;
      std::vector<Warp> warps(1);
      Warp& w = warps[0];
      w.init(0x10, 0x400, 1);
      for (unsigned n = 0; n < rounds; ++n) {
        if (bytes == 0) {
          w.arrive(0x20, 0x400);
        } else {
          w.expect(0x20, 0x400, bytes);
          w.copy(0x30, "UBLKCP.S.G", 0x400, 0x7f4000000000, bytes);
        }
        w.wait(0x40, 0x400, n % 2 != 0);
        w.add(0x60, "1 R4 IADD3 2 R4 R5 0 0 0 NoVal");
        w.add(0x70, "1 R3 SHF.L.U32 1 R4 0 0 0 NoVal");
        w.add(0x80, "1 P1 ISETP.NE.AND 1 R4 0 0 0 NoVal");
        w.add(0x90, "0 BRA 0 0 0 0 NoVal");
      }
      w.add(0xa0, "0 EXIT 0 0 0 0 NoVal");
      cycles.push_back(
          run(jobs_by_trace({"nvidia_hopper"}, {write_trace(folder, warps)}, {"gpu.sms=1"}, "h200"))[0]
              .cycles);
    }
    return static_cast<double>(cycles[1] - cycles[0]) / 8;
  };
  // A tenth for a copy of 1 KB, whose measurements are 430 and 445; else a twentieth.
  CHECK(measure(0) == Approx(140).epsilon(0.05));
  CHECK(measure(1024) == Approx(437).epsilon(0.05));
  const double long_copy = measure(32768);
  CHECK(long_copy == Approx(745).epsilon(0.05));
  CHECK((32768 - 1024) / (long_copy - measure(1024)) == Approx(105).epsilon(0.05));
}

}  // namespace bulk_copies_test
