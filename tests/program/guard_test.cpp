// Ends of a run from outside: by the guard in wall time, and by the end of the program that started the run.
#include <csignal>
#include <thread>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "tests/program/lease.h"
#include "tests/program/program.h"

namespace guard_test {

using namespace subcore::test;

TEST_CASE("a tick that never ends is one clear line, and leaves nothing") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Lease lease(desk.path() / "t/kernel-1.traceg");
  desk.refuse(everything({"run", "-p", "rtx2060_sm/baseline", "-t", "t", "-s", "checks.watchdog_seconds=1"}),
              {"platform rtx2060_sm/baseline on trace t: no cycle has ended in 1 s of wall time "
               "(checks.watchdog_seconds): "
               "gpu.driver.kernel_dispatcher is in its tick of cycle 0"});
}

TEST_CASE("a run whose tick never ends leaves its views and its profile up to there") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  desk.write("t/kernel-2.traceg", desk.file("t/kernel-1.traceg"));
  const Lease lease(desk.path() / "t/kernel-2.traceg");
  const Outcome o = desk.run({"run", "-p", "rtx2060_sm/baseline", "-t", "t", "-s",
                              "checks.watchdog_seconds=2", "--vcd", "w.vcd", "-r", "r", "--profile"});
  CHECK(o.code == 1);
  CHECK_THAT(
      o.err,
      Catch::Contains(
          "up to there: waveform w.partial.vcd, profile r/rtx2060_sm/baseline/t/profile.partial.json"));
  CHECK(desk.json("r/rtx2060_sm/baseline/t/profile.partial.json")["cycles"] > 10);
}

TEST_CASE("a run ends with the program that started it, whatever ended that") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Lease lease(desk.path() / "t/kernel-1.traceg");
  // A pipe that the program and its runs have open for writing. The pipe ends when the last of them has
  // ended.
  int alive[2];
  REQUIRE(pipe(alive) == 0);
  const pid_t program =
      desk.start({"run", "-p", "rtx2060_sm/baseline", "-t", "t", "-s", "checks.watchdog_seconds=0"});
  close(alive[1]);
  lease.await_other();
  kill(program, SIGKILL);
  CHECK(desk.finish(program).signal == SIGKILL);
  pollfd ended{alive[0], POLLIN, 0};
  CHECK(poll(&ended, 1, 20000) == 1);
  CHECK((ended.revents & POLLHUP) != 0);
  close(alive[0]);
}

}  // namespace guard_test
