#include "model/policy/sthld_machine.h"

#include <vector>

#include <catch2/catch.hpp>

using namespace subcore;

namespace {

constexpr double flat = 1.0;

SthldMachine machine(std::uint32_t initial = 0, std::uint32_t maximum = 255, std::uint32_t step = 1,
                     std::uint32_t minimum = 0) {
  SthldMachine::Limits limits;
  limits.initial = initial;
  limits.minimum = minimum;
  limits.maximum = maximum;
  limits.step = step;
  return SthldMachine(default_sthld_table(), limits);
}

// Drives a machine by "small" and "large" changes and keeps the IPC that this takes.
class Driver {
 public:
  explicit Driver(SthldMachine m) : m_(m) {}
  Driver& small() { return apply(); }
  Driver& large() {
    ipc_ *= 2;
    return apply();
  }
  unsigned state() const { return m_.state(); }
  std::uint32_t sthld() const { return m_.sthld(); }

 private:
  Driver& apply() {
    m_.interval(ipc_);
    return *this;
  }
  SthldMachine m_;
  double ipc_ = flat;
};

// From the start to each state with STHLD well away from the limits.
Driver in_state(unsigned state) {
  Driver d(machine(10));
  if (state >= 2) d.small();  // 2, 11
  if (state >= 3 && state != 6) d.large();
  if (state >= 4 && state != 6) d.large();
  if (state == 5) d.large();
  if (state == 6) d.large().large().large().small();
  return d;
}

// An SM whose IPC is flat up to the knee and falls by 5 % per step beyond.
double knee_ipc(std::uint32_t sthld, std::uint32_t knee, double level = 1.0) {
  double ipc = level;
  for (std::uint32_t s = knee; s < sthld; ++s) ipc *= 0.95;
  return ipc;
}

void run(SthldMachine& m, std::uint32_t knee, int intervals, double level = 1.0) {
  for (int i = 0; i < intervals; ++i) m.interval(knee_ipc(m.sthld(), knee, level));
}

}  // namespace

TEST_CASE("the STHLD machine starts in state 1 with its first value") {
  SthldMachine m(default_sthld_table(), {});
  CHECK(m.state() == 1);
  CHECK(m.sthld() == 0);
  CHECK(machine(7).sthld() == 7);
  CHECK(machine(300).sthld() == 255);
  CHECK(machine(1, 255, 1, 4).sthld() == 4);
}

TEST_CASE("every edge of the default table") {
  struct Edge {
    unsigned from;
    bool small;
    unsigned to;
    int move;
  };
  for (const Edge& e : std::vector<Edge>{{1, false, 2, +1},  // the first interval has no predecessor: large
                                         {2, true, 2, +1},
                                         {2, false, 3, +1},
                                         {3, true, 2, +1},
                                         {3, false, 4, -1},
                                         {4, true, 5, -1},
                                         {4, false, 5, -1},
                                         {5, true, 6, +1},  // undo of the decrement 4 -> 5
                                         {5, false, 5, -1},
                                         {6, true, 6, 0},
                                         {6, false, 3, +1}}) {
    CAPTURE(e.from, e.small);
    Driver d = in_state(e.from);
    REQUIRE(d.state() == e.from);
    const auto before = static_cast<int>(d.sthld());
    if (e.small)
      d.small();
    else
      d.large();
    CHECK(d.state() == e.to);
    CHECK(static_cast<int>(d.sthld()) - before == e.move);
  }
  // State 1 with a small change cannot be reached by the default table, as nothing returns to 1; it is data.
  const SthldTable table = default_sthld_table();
  CHECK(table[0].small.next == 2);
  CHECK(table[0].small.steps == 1);
}

TEST_CASE("a change equal to the threshold is large, in both directions") {
  // Thresholds and IPCs that are exact in binary: no rounding decides.
  SthldMachine::Limits limits;
  limits.threshold = 0.25;
  const auto state_after = [&](double second) {
    SthldMachine m(default_sthld_table(), limits);
    m.interval(4.0);
    m.interval(second);
    return m.state();
  };
  CHECK(state_after(4.0) == 2);
  CHECK(state_after(4.9375) == 2);
  CHECK(state_after(5.0) == 3);
  CHECK(state_after(3.0625) == 2);
  CHECK(state_after(3.0) == 3);
}

TEST_CASE("an interval without any instruction makes the next change large") {
  SthldMachine m = machine();
  m.interval(0.0);
  CHECK(m.state() == 2);
  m.interval(0.0);
  CHECK(m.state() == 3);
}

TEST_CASE("the step scales every move and the limits clamp it") {
  SthldMachine m = machine(0, 10, 4);
  const auto next = [&](double ipc) { return m.interval(ipc); };
  CHECK(next(1) == 4);
  CHECK(next(1) == 8);
  CHECK(next(1) == 10);  // clamped
  CHECK(next(2) == 10);  // 2 -> 3, clamped
  CHECK(next(4) == 6);   // 3 -> 4
  CHECK(next(8) == 2);   // 4 -> 5
  CHECK(next(16) == 0);  // 5 -> 5, clamped to a move of 2
  CHECK(next(16) == 2);  // 5 -> 6 takes back what was applied, not a whole step
  CHECK(m.state() == 6);
  SthldMachine bounded = machine(5, 9, 1, 5);
  run(bounded, 0, 200);
  CHECK(bounded.sthld() >= 5);
}

TEST_CASE("undo never passes the maximum and happens once") {
  SthldTable table = default_sthld_table();
  table[5].small = {5, 0, false};  // 6 -> 5 again: a second undo has nothing to take back
  SthldMachine m(table, {});
  for (const double ipc : {1.0, 2.0, 4.0, 8.0, 8.0}) m.interval(ipc);  // 2 3 4 5 6
  const std::uint32_t held = m.sthld();
  m.interval(8.0);
  REQUIRE(m.state() == 5);
  m.interval(8.0);
  CHECK(m.state() == 6);
  CHECK(m.sthld() == held);
}

TEST_CASE("on a knee curve the machine settles in state 6 on the last flat point") {
  for (std::uint32_t knee = 0; knee <= 40; ++knee) {
    CAPTURE(knee);
    SthldMachine m = machine();
    run(m, knee, 100);
    CHECK(m.state() == 6);
    CHECK(m.sthld() == knee);
  }
}

TEST_CASE("a knee at 0 does not oscillate") {
  SthldMachine m = machine();
  run(m, 0, 20);
  for (int i = 0; i < 50; ++i) {
    run(m, 0, 1);
    CHECK(m.state() == 6);
    CHECK(m.sthld() == 0);
  }
}

TEST_CASE("jumps of the IPC level do not make STHLD drift") {
  for (const std::uint32_t knee : {0u, 1u, 5u, 20u}) {
    SthldMachine m = machine();
    run(m, knee, 100);
    for (int jump = 0; jump < 50; ++jump) {
      run(m, knee, 30, jump % 2 == 0 ? 2.0 : 1.0);
      CAPTURE(knee, jump);
      CHECK(m.state() == 6);
      CHECK(m.sthld() == knee);
    }
  }
}

TEST_CASE("without a knee STHLD climbs to the maximum and stays") {
  SthldMachine m = machine(0, 30);
  run(m, 1000, 100);
  CHECK(m.sthld() == 30);
  CHECK(m.state() == 2);
}
