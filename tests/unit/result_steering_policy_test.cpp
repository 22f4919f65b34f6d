// Result steering by example: the warps that hold collectors, and the results for which a window keeps a
// place.
#include <catch2/catch.hpp>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/random.h"
#include "subcore/model/policy/steering/near_filter.h"
#include "subcore/model/policy/steering/window.h"

namespace result_steering_policy_test {

using namespace subcore;

namespace {

struct Made {
  StaticInstruction code;
  Instruction i;
  Made(std::uint32_t warp_uid, std::uint16_t warp_slot, std::uint8_t destinations = 1,
       std::uint32_t mask = ~0u) {
    code.destination_count = destinations;
    for (std::uint8_t d = 0; d < destinations; ++d) code.destinations[d] = static_cast<Register>(10 + d);
    i.code = &code;
    i.warp_uid = warp_uid;
    i.warp_slot = warp_slot;
    i.destination_count = destinations;
    i.mask = mask;
    i.destination_near = 1;  // destination 0
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
};

SteeringUpdate holder(std::uint32_t warp_uid, Cycle issued) {
  return {SteeringUpdate::Kind::holder, 0, warp_uid, issued, nullptr};
}
SteeringUpdate reserved(const Instruction& i, std::uint8_t destinations) {
  return {SteeringUpdate::Kind::reserved, destinations, 0, 0, &i};
}
SteeringUpdate released(const Instruction& i, std::uint8_t destinations) {
  return {SteeringUpdate::Kind::released, destinations, 0, 0, &i};
}

}  // namespace

TEST_CASE("a near result goes to the collector that holds its warp, from the stamp of the update on") {
  NearFilter f({}, 2);
  CHECK_FALSE(f.steers_at_arrival());
  Made m(7, 0, 2);
  std::vector<SteeredResult> out;
  f.update(1, 5, holder(7, 4));
  f.begin_cycle(4);
  CHECK(f.written(m.i, 0, out) == 0);
  CHECK(out.empty());  // no collector holds the warp yet
  f.begin_cycle(5);
  CHECK(f.written(m.i, 0, out) == 0);
  REQUIRE(out.size() == 1);
  CHECK(out[0].collector == 1);
  CHECK(out[0].near);
  CHECK_FALSE(out[0].invalidate);
  CHECK(f.written(m.i, 1, out) == 1);  // far: only outdates the copy
  REQUIRE(out.size() == 2);
  CHECK(out[1].invalidate);
  CHECK(out[1].destination == 1);
}

TEST_CASE("with write-back the banks do not get what enters a collector, unless they need it") {
  NearFilter f({true, true, true, 1}, 2, true);
  CHECK(f.steers_at_arrival());
  f.update(1, 1, holder(7, 0));
  Made m(7, 0, 3);
  m.i.destination_near = 0b101;
  Annotation a;
  a.needs_banks = 0;
  m.code.annotation = &a;
  std::vector<SteeredResult> out;
  f.begin_cycle(1);
  CHECK(f.arrived(m.i, 1, out) == 0b1);  // 1 is far; 2 is near, but the port has been taken
  CHECK(f.kept_out() == 2);
  REQUIRE(out.size() == 3);
  CHECK(out[0].only_copy);
  CHECK_FALSE(out[0].invalidate);
  for (const unsigned d : {1u, 2u}) {
    CHECK(out[d].invalidate);
    CHECK_FALSE(out[d].only_copy);
  }
  out.clear();
  a.needs_banks = 0b1;
  f.begin_cycle(2);
  CHECK(f.arrived(m.i, 2, out) == 0b0);
  CHECK_FALSE(out[0].only_copy);
  CHECK_FALSE(out[0].invalidate);
  out.clear();
  m.code.annotation = nullptr;  // no annotation says what the banks need
  f.begin_cycle(3);
  CHECK(f.arrived(m.i, 3, out) == 0);
  CHECK_FALSE(out[0].only_copy);
  Made other(8, 1);  // of a warp that no collector holds
  other.code.annotation = &a;
  out.clear();
  a.needs_banks = 0;
  f.begin_cycle(4);
  CHECK(f.arrived(other.i, 4, out) == 0);
  CHECK(out.empty());
}

TEST_CASE("of several collectors of a warp only the last used one takes results") {
  NearFilter f({}, 3);
  f.update(0, 1, holder(7, 0));
  f.update(2, 9, holder(7, 8));
  f.begin_cycle(9);
  Made m(7, 0, 1, 0xff);
  std::vector<SteeredResult> out;
  CHECK(f.written(m.i, 0, out) == 1);
  REQUIRE(out.size() == 2);
  CHECK(out[0].collector == 0);
  CHECK(out[0].invalidate);
  CHECK(out[1].collector == 2);
  CHECK_FALSE(out[1].invalidate);
  CHECK(out[1].lanes == 0xff);
}

TEST_CASE("an update that is due counts before a younger one of the same collector") {
  NearFilter f({}, 1);
  f.update(0, 3, holder(7, 2));
  f.update(0, 6, holder(8, 5));
  f.begin_cycle(5);
  std::vector<SteeredResult> out;
  Made old(7, 0), young(8, 1);
  f.written(old.i, 0, out);
  CHECK(out.size() == 1);
  f.begin_cycle(6);
  f.written(old.i, 0, out);
  CHECK(out.size() == 1);
  f.written(young.i, 0, out);
  CHECK(out.size() == 2);
}

TEST_CASE("a window gets the results for which it has reserved entries, once") {
  WindowSteering w({true, true}, 4);
  CHECK(w.steers_at_arrival());
  Made m(7, 3, 3);
  w.update(3, 2, reserved(m.i, 0b101));
  std::vector<SteeredResult> out;
  CHECK(w.arrived(m.i, 9, out) == 0b101);  // write-back: these results need not go to the banks
  REQUIRE(out.size() == 2);
  CHECK(out[0].destination == 0);
  CHECK(out[1].destination == 2);
  CHECK(out[0].collector == 3);
  CHECK(w.arrived(m.i, 9, out) == 0);
  CHECK(out.size() == 2);
  w.update(3, 10, released(m.i, 0b1));  // too late, and no harm
}

TEST_CASE("an entry that is released is reserved until the stamp of the update") {
  for (const Cycle now : {4, 5}) {
    WindowSteering w({false, true}, 1);
    Made m(7, 0, 2);
    w.update(0, 2, reserved(m.i, 0b11));
    w.update(0, 5, released(m.i, 0b01));
    std::vector<SteeredResult> out;
    CHECK(w.arrived(m.i, now, out) == 0);  // write-through: the banks get everything
    CHECK(out.size() == (now < 5 ? 2u : 1u));
  }
}

TEST_CASE("a result of some lanes goes to the banks as well, unless lanes are ignored") {
  for (const bool safe : {true, false}) {
    WindowSteering w({true, safe}, 1);
    Made m(7, 0, 1, 0xf);
    w.update(0, 2, reserved(m.i, 1));
    std::vector<SteeredResult> out;
    CHECK(w.arrived(m.i, 3, out) == (safe ? 0u : 1u));
    REQUIRE(out.size() == 1);
    CHECK(out[0].lanes == (safe ? 0xfu : ~0u));
  }
}

// Reserved entries against a list of events that is replayed for every question.
TEST_CASE("a window's reserved entries agree with a replay of the updates") {
  struct Event {
    Cycle stamp;
    unsigned destination;
  };
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    WindowSteering w({true, true}, 2);
    struct Pending {
      std::unique_ptr<Made> made;
      unsigned reserved;
      std::vector<Event> given_up;
    };
    std::vector<Pending> pending;
    Cycle now = 1;
    for (unsigned n = 0; n < 60; ++n, now += random.below(2)) {
      const unsigned what = random.below(3);
      if (what == 0) {
        pending.push_back({std::make_unique<Made>(1, static_cast<std::uint16_t>(random.below(2)), 4),
                           1 + random.below(15),
                           {}});
        w.update(pending.back().made->i.warp_slot, now + 1,
                 reserved(pending.back().made->i, static_cast<std::uint8_t>(pending.back().reserved)));
      } else if (!pending.empty()) {
        Pending& p = pending[random.below(static_cast<unsigned>(pending.size()))];
        if (what == 1) {
          const unsigned d = random.below(4);
          p.given_up.push_back({now + 1, d});
          w.update(p.made->i.warp_slot, now + 1, released(p.made->i, static_cast<std::uint8_t>(1u << d)));
        } else {
          unsigned expected = p.reserved;
          for (const Event& e : p.given_up)
            if (e.stamp <= now) expected &= ~(1u << e.destination);
          std::vector<SteeredResult> out;
          INFO("seed " << seed << " step " << n);
          REQUIRE(w.arrived(p.made->i, now, out) == expected);
          REQUIRE(out.size() == static_cast<std::size_t>(__builtin_popcount(expected)));
          std::swap(p, pending.back());
          pending.pop_back();
        }
      }
    }
  }
}

}  // namespace result_steering_policy_test
