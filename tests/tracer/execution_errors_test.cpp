// A kernel that does what it may not ends in one line with kernel, PC, CTA and warp.
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
  REQUIRE_THROWS_MATCHES(
      made.run(32), ExecutionError,
      Message("made, PC 0x10, CTA (3,2,1), warp 0: opcode 0x9ff (0x79ff 0xfea0000000000) is not "
              "known of sm_75"));
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
  // Threads 0 to 7 wait for their warp at BSYNC, where it never comes, because the others are at the barrier.
  MadeKernel made(
      {thread_to_r0, thread_below(8), begin_convergence(3), guarded(branch(2), 0), barrier, converge, leave});
  REQUIRE_THROWS_MATCHES(
      made.run(64), ExecutionError,
      Message("made, PC 0x50, CTA (3,2,1), warp 0: lanes 0xff wait for lanes 0xffffff00 of their "
              "warp, which never come"));
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
  // BSSY; lanes below 8 jump over a barrier of the warp; all meet at BSYNC, behind which there is one path.
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
