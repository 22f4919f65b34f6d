// A kernel that does something forbidden ends in one line with kernel, PC, CTA and warp.
#include <catch2/catch.hpp>

#include "made_kernel.h"

namespace execution_errors_test {

using namespace tracer_test;
using Catch::Matchers::Contains;
using Catch::Matchers::Message;
using subcore::tracer::ExecutionError;

TEST_CASE("A kernel that leaves at once does nothing else") {
  REQUIRE_NOTHROW(MadeKernel({leave}).run(64));
}

TEST_CASE("An opcode that no row is for is named with its encoding") {
  MadeKernel made({thread_to_r0, {0x00000000000079ff, 0x000fea0000000000}, leave});
  REQUIRE_THROWS_MATCHES(made.run(32), ExecutionError,
                         Message("made, PC 0x10, CTA (3,2,1), warp 0: opcode 0x9ff (0x79ff 0xfea0000000000) "
                                 "is not known for sm_75"));
}

// Encodings as nvcc 13.0 writes them for PTX's tex, mbarrier, cp.async.bulk, barrier.cluster, wgmma and
// others.
TEST_CASE("An instruction that is known and not emulated is named with its kind") {
  struct Case {
    unsigned architecture;
    Encoding encoding;
    const char *name, *kind;
  };
  const Case cases[] = {
      {75, {0x3000580604057b60, 0x001f4200019e01ff}, "TEX", "textures"},
      {80, {0x3000580604057b60, 0x001f4200019e01ff}, "TEX", "textures"},
      {90, {0x2000040004057f60, 0x000f6200099e01ff}, "TEX", "textures"},
      {75, {0x3000580500047b63, 0x001f4200001e0f06}, "TLD4", "textures"},
      {80, {0x100058ff00057b66, 0x001f4200009e01ff}, "TLD", "textures"},
      {80, {0x2000580804057b6c, 0x001f4200001e01ff}, "TXD", "textures"},
      {90, {0x0000040005057f6f, 0x000f6200080001ff}, "TXQ", "textures"},
      {75, {0x7000580004057b99, 0x000f6200001f0900}, "SULD", "surfaces"},
      {90, {0x7000040002007f9d, 0x002fe2000810a900}, "SUST", "surfaces"},
      {80, {0x100058000300759f, 0x002fe20000114100}, "SURED", "surfaces"},
      {80, {0x00000000ff0079b0, 0x000fe20008000a3f}, "ARRIVES.LDGSTSBAR", "mbarriers"},
      {90, {0x00000004063f75b2, 0x0001e20008000100}, "SYNCS.EXCH", "mbarriers"},
      {90, {0x000000ffff0279a7, 0x000e220008100004}, "SYNCS", "mbarriers"},
      {90, {0x00000000ff0075a7, 0x000e220008000144}, "SYNCS", "mbarriers"},
      {90, {0x0000000002007dbd, 0x000fe2000c00083f}, "STAS", "mbarriers"},
      {90, {0x00000004080075b4, 0x0001d80008008000}, "UTMALDG", "bulk copies"},
      {90, {0x00000004080073b5, 0x0001e40008008000}, "UTMASTG", "bulk copies"},
      {90, {0x00000004080073b6, 0x0001d80008008000}, "UTMAREDG", "bulk copies"},
      {90, {0x00000000000079b7, 0x0001e20000000000}, "UTMACMDFLUSH", "bulk copies"},
      {90, {0x00000004060075b8, 0x0001e40008008000}, "UTMAPF", "bulk copies"},
      {90, {0x00000000040079b9, 0x0001e40008040000}, "UTMACCTL", "bulk copies"},
      {90, {0x00000004060073ba, 0x0001d8000800020a}, "UBLKCP", "bulk copies"},
      {90, {0x00000006040073bb, 0x0001d80008000405}, "UBLKRED", "bulk copies"},
      {90, {0x00000000040073bc, 0x0001e40008000006}, "UBLKPF", "bulk copies"},
      {90, {0x00000000000073c6, 0x000fe20000000000}, "FENCE.VIEW.ASYNC", "bulk copies"},
      {90, {0x00000000000079c7, 0x000fec0008000000}, "UCGABAR", "clusters of CTAs"},
      {90, {0x0000000000007dc7, 0x000fe20008000000}, "UCGABAR", "clusters of CTAs"},
      {90, {0x00000000000079c5, 0x000fe20000000000}, "WARPGROUP", "matrix products of warpgroups"},
      {90, {0x00000000041879f0, 0x000fe2000c0008ff}, "HGMMA", "matrix products of warpgroups"},
      {90, {0x00000000041879f1, 0x000fe2000c0410ff}, "IGMMA", "matrix products of warpgroups"},
      {90, {0x00000000041879f2, 0x000fe2000c0140ff}, "BGMMA", "matrix products of warpgroups"},
      {90, {0x00000000041879f3, 0x000fe2000c0008ff}, "QGMMA", "matrix products of warpgroups"},
      {90, {0x0000000900007844, 0x000fe80000000000}, "STSM", "matrices that are stored"},
      {90, {0x00000000003f782f, 0x000fe20003800000}, "ELECT", "elections of a lane"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    MadeKernel made({thread_to_r0, c.encoding, leave}, subcore::tracer::instruction_table(), c.architecture);
    const auto word = [](std::uint64_t w) { return subcore::tracer::hex_text(static_cast<std::int64_t>(w)); };
    REQUIRE_THROWS_MATCHES(
        made.run(32), ExecutionError,
        Message("made, PC 0x10, CTA (3,2,1), warp 0: " + std::string(c.name) + " is of " + c.kind +
                ", which are not emulated (" + word(c.encoding[0]) + " " + word(c.encoding[1]) + ")"));
  }
}

TEST_CASE("An arrival at an mbarrier of sm_80, which is an atomic operation, is named") {
  // ATOMS.ARRIVE.64 R2, [URZ]
  MadeKernel made({{0x00000000ff027f8c, 0x001fe2000c80043f}, leave}, subcore::tracer::instruction_table(),
                  80);
  made.kernel.shared_bytes = made.launch.shared_bytes = 64;
  REQUIRE_THROWS_WITH(made.run(32), Contains("made, PC 0x0, CTA (3,2,1), warp 0: ") &&
                                        Contains("arrives at an mbarrier; mbarriers are not emulated"));
}

TEST_CASE("Code that ends without an exit is an error") {
  MadeKernel made({thread_to_r0});
  REQUIRE_THROWS_MATCHES(made.run(32), ExecutionError,
                         Message("made, PC 0x10, CTA (3,2,1), warp 0: there is no code"));
}

TEST_CASE("An address outside every allocation is named with its lane") {
  // STG.E.SYS [R8], R15 of registers that are zero
  MadeKernel made({{0x0000000f08007386, 0x0001e8000010e900}, leave});
  REQUIRE_THROWS_MATCHES(
      made.run(32), ExecutionError,
      Message("made, PC 0x0, CTA (3,2,1), warp 0: lane 0: 4 bytes at 0x0, which is outside every "
              "allocation"));
}

TEST_CASE("All threads meet at a barrier, and those that have left are not waited for") {
  REQUIRE_NOTHROW(MadeKernel({barrier, leave}).run(96));
  REQUIRE_NOTHROW(MadeKernel({thread_to_r0, thread_below(40), guarded(leave, 0), barrier, leave}).run(96));
}

TEST_CASE("A barrier that not all threads reach is named") {
  // Threads 0 to 7 wait for their warp at BSYNC. The warp never comes there, because the others are at the
  // barrier.
  MadeKernel made(
      {thread_to_r0, thread_below(8), begin_convergence(3), guarded(branch(2), 0), barrier, converge, leave});
  REQUIRE_THROWS_MATCHES(made.run(64), ExecutionError,
                         Message("made, PC 0x50, CTA (3,2,1), warp 0: lanes 0xff wait for lanes 0xffffff00 "
                                 "of their warp, which never arrive"));
}

TEST_CASE("A barrier at which other threads than those that come are waited for is named") {
  // BAR.SYNC 1 of one warp, and BAR.SYNC 0 of the other
  Encoding other = barrier;
  other[0] |= std::uint64_t{1} << 54;
  MadeKernel made({thread_to_r0, thread_below(32), guarded(branch(3), 0), barrier, leave, other, leave});
  REQUIRE_THROWS_MATCHES(
      made.run(64), ExecutionError,
      Message("made, PC 0x50, CTA (3,2,1), warp 0: waits at barrier 1, which 32 of 64 threads reach"));
}

TEST_CASE("A loop without an end is an error after very many instructions") {
  MadeKernel made({branch(0), leave});
  made.launch.most_warp_instructions = 10000;
  REQUIRE_THROWS_WITH(made.run(32), Contains("more than 10000 instructions; expected a warp that ends"));
}

TEST_CASE("Divergent lanes meet again where their convergence barrier is") {
  // BSSY. Lanes below 8 jump over a barrier of the warp. All lanes meet at BSYNC, behind which there is one
  // path.
  struct Paths : subcore::tracer::ExecutionObserver {
    void executed(const subcore::tracer::Warp&, const subcore::tracer::Instruction& i,
                  subcore::tracer::Lanes lanes, const std::array<std::uint64_t, 32>*) override {
      seen.emplace_back(i.pc / 16, lanes);
    }
    std::vector<std::pair<unsigned, subcore::tracer::Lanes>> seen;
  } paths;
  MadeKernel made({thread_to_r0, thread_below(8), begin_convergence(3), guarded(branch(2), 0), thread_to_r0,
                   converge, leave});
  made.run(32, &paths);
  const std::vector<std::pair<unsigned, subcore::tracer::Lanes>> expected{
      {0, ~0u}, {1, ~0u}, {2, ~0u}, {3, 0xff}, {4, 0xffffff00}, {5, 0xffffff00}, {5, 0xff}, {6, ~0u}};
  REQUIRE(paths.seen == expected);
}

}  // namespace execution_errors_test
