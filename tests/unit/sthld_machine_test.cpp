#include "subcore/model/policy/sthld/sthld_machine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

namespace sthld_machine_test {

using namespace subcore;

namespace {

constexpr double flat = 1.0;

SthldMachine::Limits limits(std::uint32_t initial = 0, std::uint32_t maximum = 255, std::uint32_t step = 1,
                            std::uint32_t minimum = 0) {
  SthldMachine::Limits l;
  l.initial = initial;
  l.minimum = minimum;
  l.maximum = maximum;
  l.step = step;
  return l;
}

// The machine of sthld/literal.yaml: compared with the previous interval, large either way, equal steps.
SthldTable literal_table() {
  const SthldTransition up{2, 1}, down{5, -1};
  return {{
      {up, up},
      {up, {3, 1}},
      {up, {4, -1}},
      {down, down},
      {{6, 0, true}, down},
      {{6, 0}, {3, 1}},
  }};
}

SthldMachine literal(SthldMachine::Limits l = limits(), const SthldTable& table = literal_table()) {
  l.reference = SthldReference::previous;
  l.large = SthldLarge::change;
  l.hold_expiry = 0;
  return SthldMachine(table, l);
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

// A driver taken from the start to `state`, with STHLD well away from the limits.
Driver in_state(unsigned state) {
  Driver d(literal(limits(10)));
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
  SthldMachine m = literal();
  CHECK(m.state() == 1);
  CHECK(m.sthld() == 0);
  CHECK(literal(limits(7)).sthld() == 7);
  CHECK(literal(limits(300)).sthld() == 255);
  CHECK(literal(limits(1, 255, 1, 4)).sthld() == 4);
}

TEST_CASE("every edge of the literal table") {
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
}

TEST_CASE("a change equal to the threshold is large, for the literal machine in both directions") {
  // Thresholds and IPCs that are exact in binary: no rounding decides.
  SthldMachine::Limits quarter = limits();
  quarter.threshold = 0.25;
  const auto state_after = [&](double second) {
    SthldMachine m = literal(quarter);
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
  SthldMachine m = literal();
  m.interval(0.0);
  CHECK(m.state() == 2);
  m.interval(0.0);
  CHECK(m.state() == 3);
}

TEST_CASE("the step scales every move and the limits clamp it") {
  SthldMachine m = literal(limits(0, 10, 4));
  const auto next = [&](double ipc) { return m.interval(ipc); };
  CHECK(next(1) == 4);
  CHECK(next(1) == 8);
  CHECK(next(1) == 10);  // clamped
  CHECK(next(2) == 10);  // 2 -> 3, clamped
  CHECK(next(4) == 6);   // 3 -> 4
  CHECK(next(8) == 2);   // 4 -> 5
  CHECK(next(16) == 0);  // 5 -> 5, clamped to a move of 2
  CHECK(next(16) == 2);  // 5 -> 6 takes back the applied decrement, not a whole step
  CHECK(m.state() == 6);
  SthldMachine bounded = literal(limits(5, 9, 1, 5));
  run(bounded, 0, 200);
  CHECK(bounded.sthld() >= 5);
}

TEST_CASE("undo never passes the maximum and happens once") {
  SthldTable table = literal_table();
  table[5].small = {5, 0, false};  // 6 -> 5 again: a second undo has nothing to take back
  SthldMachine m = literal(limits(), table);
  for (const double ipc : {1.0, 2.0, 4.0, 8.0, 8.0}) m.interval(ipc);  // 2 3 4 5 6
  const std::uint32_t held = m.sthld();
  m.interval(8.0);
  REQUIRE(m.state() == 5);
  m.interval(8.0);
  CHECK(m.state() == 6);
  CHECK(m.sthld() == held);
}

TEST_CASE("on a knee curve the literal machine settles in state 6 on the last flat point") {
  for (std::uint32_t knee = 0; knee <= 40; ++knee) {
    CAPTURE(knee);
    SthldMachine m = literal();
    run(m, knee, 100);
    CHECK(m.state() == 6);
    CHECK(m.sthld() == knee);
  }
}

TEST_CASE("a knee at 0 does not make the literal machine oscillate") {
  SthldMachine m = literal();
  run(m, 0, 20);
  for (int i = 0; i < 50; ++i) {
    run(m, 0, 1);
    CHECK(m.state() == 6);
    CHECK(m.sthld() == 0);
  }
}

TEST_CASE("jumps of the IPC level do not make the literal machine drift") {
  for (const std::uint32_t knee : {0u, 1u, 5u, 20u}) {
    SthldMachine m = literal();
    run(m, knee, 100);
    for (int jump = 0; jump < 50; ++jump) {
      run(m, knee, 30, jump % 2 == 0 ? 2.0 : 1.0);
      CAPTURE(knee, jump);
      CHECK(m.state() == 6);
      CHECK(m.sthld() == knee);
    }
  }
}

TEST_CASE("without a knee the literal machine climbs to the maximum and stays") {
  SthldMachine m = literal(limits(0, 30));
  run(m, 1000, 100);
  CHECK(m.sthld() == 30);
  CHECK(m.state() == 2);
}

// From here on the default machine: the phase's best IPC as reference, only drops are large, and holds
// expire.

namespace {

// Drives the default machine by IPCs that are exact in binary; the threshold is a quarter.
class Phase {
 public:
  explicit Phase(std::uint32_t initial, std::uint32_t expiry = 10)
      : m_(default_sthld_table(), of(expiry, initial)) {}
  Phase& interval(double ipc) {
    m_.interval(ipc);
    return *this;
  }
  Phase& small() { return interval(4); }
  Phase& drop() { return interval(3); }
  std::pair<unsigned, std::uint32_t> at() const { return {m_.state(), m_.sthld()}; }

 private:
  static SthldMachine::Limits of(std::uint32_t expiry, std::uint32_t initial) {
    SthldMachine::Limits l = limits(initial);
    l.threshold = 0.25;
    l.hold_expiry = expiry;
    return l;
  }
  SthldMachine m_;
};
using At = std::pair<unsigned, std::uint32_t>;

// The IPC of each STHLD, from 0 on; the last one holds for all above.
using Curve = std::vector<double>;
double ipc_of(const Curve& c, std::uint32_t sthld) {
  return c[std::min<std::size_t>(sthld, c.size() - 1)];
}

Curve knee_at(std::uint32_t knee) {
  Curve c;
  for (std::uint32_t s = 0; s < 60; ++s) c.push_back(knee_ipc(s, knee));
  return c;
}

}  // namespace

TEST_CASE("every edge of the default table") {
  CHECK(Phase(10).small().at() == At{2, 11});                                    // 1: nothing to compare with
  CHECK(Phase(10).small().small().at() == At{2, 12});                            // 2 S
  CHECK(Phase(10).small().drop().at() == At{4, 10});                             // 2 L
  CHECK(Phase(10).small().drop().small().at() == At{6, 10});                     // 4 S
  CHECK(Phase(10).small().drop().drop().at() == At{5, 9});                       // 4 L
  CHECK(Phase(10).small().drop().drop().small().at() == At{6, 9});               // 5 S
  CHECK(Phase(10).small().drop().drop().drop().at() == At{5, 8});                // 5 L
  CHECK(Phase(10).small().drop().small().small().at() == At{6, 10});             // 6 S
  CHECK(Phase(10).small().drop().small().drop().at() == At{5, 9});               // 6 L
  CHECK(Phase(10, 1).small().drop().small().small().at() == At{3, 11});          // 6 expired
  CHECK(Phase(10, 1).small().drop().small().small().small().at() == At{2, 12});  // 3 S
  CHECK(Phase(10, 1).small().drop().small().small().drop().at() == At{4, 10});   // 3 L
}

TEST_CASE("only a drop from the phase's best is large, and one equal to the threshold is") {
  CHECK(Phase(10).interval(4).interval(8).at() == At{2, 12});  // a rise
  CHECK(Phase(10).interval(4).interval(3.01).at() == At{2, 12});
  CHECK(Phase(10).interval(4).interval(3).at() == At{4, 10});
  // Two steps are small each, but not together.
  CHECK(Phase(10).interval(4).interval(3.25).interval(2.5).at() == At{4, 11});
  // The best is that of the phase, not of the interval before.
  CHECK(Phase(10).interval(4).interval(8).interval(6).at() == At{4, 11});
}

TEST_CASE("a drop at the minimum begins a phase, one elsewhere does not") {
  Phase p(0);
  p.small().drop().small();  // up to 1 and back
  REQUIRE(p.at() == At{6, 0});
  CHECK(p.interval(2).at() == At{6, 0});     // 2 is the new phase's best
  CHECK(p.interval(1.75).at() == At{6, 0});  // small compared with the reference
  CHECK(p.interval(1).at() == At{6, 0});     // and another phase
  Phase q(2);
  q.small().drop().small();
  REQUIRE(q.at() == At{6, 2});
  CHECK(q.interval(2).at() == At{5, 1});
  CHECK(q.interval(2).at() == At{5, 0});
  CHECK(q.interval(2).at() == At{6, 0});  // not STHLD's doing
  CHECK(q.interval(2).at() == At{6, 0});
}

// Without an instruction in the first interval, the second one has no IPC to compare with, so its change is
// large. Nothing has dropped. STHLD cannot leave its minimum.
TEST_CASE("an IPC equal to the phase's best begins no phase") {
  SthldMachine::Limits l = limits(0, 0);
  l.large = SthldLarge::change;
  SthldMachine m(default_sthld_table(), l);
  m.interval(0);
  REQUIRE(m.state() == 2);
  m.interval(0);
  CHECK(m.state() == 4);  // 2 L
}

TEST_CASE("a hold lasts for its intervals, counted anew after each that is large, and 0 is for ever") {
  Phase p(10, 3);
  p.small().drop().small();
  CHECK(p.small().small().at() == At{6, 10});
  CHECK(p.small().at() == At{3, 11});
  CHECK(p.drop().small().at() == At{6, 10});
  CHECK(p.small().small().drop().small().at() == At{6, 9});
  CHECK(p.small().small().at() == At{6, 9});
  CHECK(p.small().at() == At{3, 10});
  Phase q(10, 0);
  q.small().drop().small();
  for (int i = 0; i < 1000; ++i) q.small();
  CHECK(q.at() == At{6, 10});
}

TEST_CASE("an interval without any instruction is a drop, and the reference recovers") {
  Phase p(0);
  CHECK(p.interval(0).at() == At{2, 1});
  CHECK(p.interval(4).at() == At{2, 2});
  CHECK(p.interval(0).at() == At{4, 1});
}

TEST_CASE("on a knee curve no interval beyond the knee is followed by another") {
  for (std::uint32_t knee = 0; knee <= 40; ++knee) {
    CAPTURE(knee);
    SthldMachine m(default_sthld_table(), limits());
    const Curve curve = knee_at(knee);
    bool beyond = false;
    int losses = 0;
    for (int i = 0; i < 500; ++i) {
      const bool before = beyond;
      beyond = m.sthld() > knee;
      losses += beyond;
      CHECK_FALSE((before && beyond));
      CHECK(m.sthld() <= knee + 1);
      m.interval(ipc_of(curve, m.sthld()));
    }
    CHECK(m.sthld() + 1 >= knee);
    // The climb finds the knee once; then every hold of 10, with the look and the way back, costs one.
    CHECK(losses <= 1 + 500 / 12);
  }
}

TEST_CASE("a slope below the threshold does not bleed") {
  for (const double per_step : {0.019, 0.01, 0.004, 0.001}) {
    Curve slope;
    for (double ipc = 1; slope.size() < 256; ipc *= 1 - per_step) slope.push_back(ipc);
    SthldMachine bound(default_sthld_table(), limits()), bleeds = literal();
    double lowest = 1, held = 0;
    for (int i = 0; i < 400; ++i) {
      const double ipc = ipc_of(slope, bound.sthld());
      lowest = std::min(lowest, ipc);
      if (i >= 200) held += ipc / 200;
      bound.interval(ipc);
      bleeds.interval(ipc_of(slope, bleeds.sthld()));
    }
    CAPTURE(per_step);
    CHECK(lowest > 1 - 0.02 - per_step);  // the step that shows the drop is the last
    CHECK(held > 0.98 - per_step / 10);   // with the looks beyond that expired holds take
    CHECK(ipc_of(slope, bleeds.sthld()) < 0.8);
  }
}

TEST_CASE("jumps of the IPC level, up and down, leave STHLD at the knee") {
  for (const std::uint32_t knee : {0u, 1u, 5u, 20u}) {
    SthldMachine m(default_sthld_table(), limits());
    const Curve curve = knee_at(knee);
    for (int jump = 0; jump < 50; ++jump) {
      CAPTURE(knee, jump);
      const double level = jump % 2 == 0 ? 1 : 2;
      // Down to 0, a hold there, and up again, at most.
      for (int i = 0; i < 60; ++i) m.interval(level * ipc_of(curve, m.sthld()));
      CHECK(m.sthld() <= knee + 1);
      CHECK(m.sthld() + 1 >= knee);
    }
  }
}

TEST_CASE("a flat region that grows is found after a hold, one that shrinks at once") {
  SthldMachine m(default_sthld_table(), limits());
  const auto run_on = [&](std::uint32_t knee, int intervals) {
    for (int i = 0; i < intervals; ++i) m.interval(knee_ipc(m.sthld(), knee));
    return m.sthld();
  };
  CHECK(run_on(5, 30) <= 6);
  CHECK(run_on(15, 40) >= 15);
  run_on(3, 20);
  CHECK(m.sthld() <= 4);
}

}  // namespace sthld_machine_test
