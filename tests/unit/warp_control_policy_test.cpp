#include <deque>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/hold_clock.h"
#include "subcore/model/policy/issue/warp_control.h"
#include "subcore/model/policy/random.h"

namespace warp_control_policy_test {

using namespace subcore;

namespace {

ControlBits stall(unsigned cycles, bool yield = false) {
  ControlBits c;
  c.stall = static_cast<std::uint8_t>(cycles);
  c.yield = yield;
  return c;
}

// The first cycle behind `now` in which the warp may issue `next`, if nothing holds.
Cycle next_issue(const WarpControl& w, const ControlBits& next, Cycle now) {
  do {
    ++now;
  } while (w.stalled(now) != 0 || w.yields(now) || w.awaited(next, now) != 0);
  return now;
}

Cycle distance(const ControlBits& first) {
  WarpControl w(46);
  w.issue(first, 100, 100);
  return next_issue(w, ControlBits{}, 100) - 100;
}

}  // namespace

TEST_CASE("a stall count is the distance to the warp's next instruction") {
  for (unsigned n = 1; n <= 11; ++n) CHECK(distance(stall(n)) == n);
  for (unsigned n = 2; n <= 15; ++n) CHECK(distance(stall(n, true)) == n);
}

TEST_CASE("a yield leaves out a cycle, and a stall count of 0 with it takes long") {
  CHECK(distance(stall(1, true)) == 2);
  CHECK(distance(stall(0, true)) == 46);
  CHECK(distance(stall(0)) == 1);
}

TEST_CASE("stall counts above 11 without a yield hardly stall") {
  for (unsigned n = 12; n <= 15; ++n) CHECK(distance(stall(n)) == 2);
}

TEST_CASE("a counter is seen from the second cycle on, and waited for until it is 0") {
  ControlBits load = stall(1), user;
  load.write_barrier = 0;
  load.read_barrier = 1;
  user.wait_mask = 1;
  WarpControl w(46);
  w.issue(load, 10, 10);
  CHECK(w.awaited(user, 11) == 0);
  CHECK(w.rises(11) == 12);
  CHECK(w.awaited(user, 12) == 1);
  CHECK(w.rises(12) == 0);
  w.issue(load, 12, 12);
  w.results_written(load);
  CHECK(w.awaited(user, 20) == 1);
  w.results_written(load);
  CHECK(w.awaited(user, 20) == 0);
  user.wait_mask = 3;
  CHECK(w.awaited(user, 20) == 2);
  CHECK(!w.clear());
  w.sources_read(load);
  w.sources_read(load);
  CHECK(w.awaited(user, 20) == 0);
  CHECK(w.clear());
}

TEST_CASE("a counter of six bits is full at 63") {
  ControlBits load = stall(1);
  load.write_barrier = 3;
  WarpControl w(46);
  for (Cycle now = 0; now < 63; ++now) {
    CHECK(w.awaited(load, now) == 0);
    w.issue(load, now, now);
  }
  CHECK(w.awaited(load, 63) == 8);
  w.results_written(load);
  CHECK(w.awaited(load, 63) == 0);
}

// Counters compared with counts of what was raised two cycles ago and lowered.
TEST_CASE("counters rise two cycles behind issue and fall when they are told") {
  Random random(21);
  for (int round = 0; round < 200; ++round) {
    WarpControl w(46);
    struct Raised {
      Cycle seen_from;
      ControlBits control;
      bool written = false, read = false;
    };
    std::vector<Raised> raised;
    for (Cycle now = 0; now < 60; ++now) {
      for (Raised& r : raised) {
        if (r.seen_from + 1 >= now) continue;  // a counter does not fall before it has risen
        if (!r.written && random.below(6) == 0) r.written = true, w.results_written(r.control);
        if (!r.read && random.below(6) == 0) r.read = true, w.sources_read(r.control);
      }
      unsigned expected = 0;
      for (const Raised& r : raised) {
        if (r.seen_from > now) continue;
        if (!r.written && r.control.write_barrier != no_barrier) expected |= 1u << r.control.write_barrier;
        if (!r.read && r.control.read_barrier != no_barrier) expected |= 1u << r.control.read_barrier;
      }
      ControlBits all;
      all.wait_mask = 63;
      REQUIRE(w.awaited(all, now) == expected);
      if (random.below(3) == 0) continue;
      ControlBits c;
      const auto any = [&] {
        return random.below(2) == 0 ? no_barrier : static_cast<std::uint8_t>(random.below(6));
      };
      c.write_barrier = any();
      c.read_barrier = any();
      w.issue(c, now, now);
      raised.push_back({now + 2, c});
    }
  }
}

TEST_CASE("a clock stands still in cycles that hold, unless it drifts") {
  HoldClock freezes(HoldEffect::freeze), drifts(HoldEffect::drift);
  for (HoldClock* c : {&freezes, &drifts}) {
    CHECK(c->at(3) == 3);
    c->hold(4, 6);
  }
  const std::vector<Cycle> frozen{3, 3, 4, 5};
  for (Cycle now = 4; now < 8; ++now) {
    CHECK(freezes.at(now) == frozen[now - 4]);
    CHECK(drifts.at(now) == now);
  }
}

TEST_CASE("a frozen clock counts every cycle that does not hold") {
  Random random(4);
  HoldClock clock(HoldEffect::freeze);
  std::deque<bool> holds;
  Cycle told = 0, runs = 0;
  for (Cycle now = 0; now < 5000; ++now) {
    while (told < now + 8) {
      const Cycle first = told + random.below(5), end = first + random.below(4);
      clock.hold(first, end);
      holds.resize(first, false);
      holds.resize(end, true);
      told = end;
    }
    if (now > 0) runs += !holds[now];
    if (now == 0) runs = holds[0] ? Cycle{0} - 1 : 0;
    REQUIRE(clock.at(now) == runs);
  }
}

}  // namespace warp_control_policy_test
