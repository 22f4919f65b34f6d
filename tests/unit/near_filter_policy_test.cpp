#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"
#include "subcore/model/policy/steering/near_filter.h"

namespace near_filter_policy_test {

using namespace subcore;

namespace {

WriteFilter::Options options(bool cache_results, bool near_filter, bool stale_invalidate,
                             std::uint32_t ports) {
  WriteFilter::Options o;
  o.cache_results = cache_results;
  o.near_filter = near_filter;
  o.stale_invalidate = stale_invalidate;
  o.ports = ports;
  return o;
}

}  // namespace

TEST_CASE("near results enter, far ones outdate the copy") {
  WriteFilter f({}, 2);
  CHECK(f.decide(0, true, true) == PortDAction::write);
  CHECK(f.decide(1, false, true) == PortDAction::invalidate);
}

TEST_CASE("port D takes one near result per collector and cycle, the first to come") {
  WriteFilter f({}, 2);
  CHECK(f.decide(0, false, true) == PortDAction::invalidate);  // a far one does not use up the port
  CHECK(f.decide(0, true, true) == PortDAction::write);
  CHECK(f.decide(0, true, true) == PortDAction::invalidate);  // dropped
  CHECK(f.decide(1, true, true) == PortDAction::write);       // every collector has its own port
  f.begin_cycle();
  CHECK(f.decide(0, true, true) == PortDAction::write);
}

TEST_CASE("more and unlimited ports") {
  WriteFilter two(options(true, true, true, 2), 1);
  CHECK(two.decide(0, true, true) == PortDAction::write);
  CHECK(two.decide(0, true, true) == PortDAction::write);
  CHECK(two.decide(0, true, true) == PortDAction::invalidate);
  WriteFilter unlimited(options(true, true, true, 0), 1);
  for (int i = 0; i < 100; ++i) REQUIRE(unlimited.decide(0, true, true) == PortDAction::write);
}

TEST_CASE("without the near filter far results enter too") {
  WriteFilter f(options(true, false, true, 1), 1);
  CHECK(f.decide(0, false, true) == PortDAction::write);
}

TEST_CASE("an older collector of the warp never takes a result") {
  WriteFilter f({}, 1);
  CHECK(f.decide(0, true, false) == PortDAction::invalidate);
  CHECK(f.decide(0, true, true) == PortDAction::write);  // and its port stays free
}

TEST_CASE("with results kept out, nothing is written") {
  WriteFilter f(options(false, false, true, 0), 1);
  CHECK(f.decide(0, true, true) == PortDAction::invalidate);
}

TEST_CASE("stale_invalidate off leaves the old copy") {
  WriteFilter f(options(true, true, false, 1), 1);
  CHECK(f.decide(0, false, true) == PortDAction::none);
  CHECK(f.decide(0, true, false) == PortDAction::none);
  CHECK(f.decide(0, true, true) == PortDAction::write);
  CHECK(f.decide(0, true, true) == PortDAction::none);
}

TEST_CASE("random results against a count of what each cycle let in") {
  Random r(3);
  for (unsigned config = 0; config < 8 * 3; ++config) {
    const WriteFilter::Options o =
        options((config & 1u) != 0, (config & 2u) != 0, (config & 4u) != 0, config / 8);
    constexpr unsigned collectors = 3;
    WriteFilter f(o, collectors);
    for (int cycle = 0; cycle < 200; ++cycle) {
      f.begin_cycle();
      std::vector<unsigned> let_in(collectors, 0);
      for (unsigned results = r.below(8); results > 0; --results) {
        const unsigned c = r.below(collectors);
        const bool near = r.below(2) != 0, newest = r.below(4) != 0;
        PortDAction expected = o.stale_invalidate ? PortDAction::invalidate : PortDAction::none;
        if (o.cache_results && newest && !(o.near_filter && !near) &&
            !(o.ports != 0 && let_in[c] == o.ports)) {
          expected = PortDAction::write;
          ++let_in[c];
        }
        REQUIRE(f.decide(c, near, newest) == expected);
      }
    }
  }
}

}  // namespace near_filter_policy_test
