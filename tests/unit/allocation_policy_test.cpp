#include <optional>
#include <set>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/model/policy/allocation/allocation.h"
#include "subcore/model/policy/random.h"
#include "subcore/platforms/config/reader.h"

namespace allocation_policy_test {

using namespace subcore;

namespace {

constexpr std::uint32_t me = 100, other = 200, third = 300;

struct View {
  std::uint32_t warp_uid;
  bool holds, has_near, free;
  std::uint64_t last_use;
};
View view(std::uint32_t warp, bool near, bool free, std::uint64_t last_use = 0) {
  return {warp, warp != 0, near, free, last_use};
}
View empty() {
  return view(0, false, true);
}

std::unique_ptr<AllocationPolicy> allocation(const char* word, std::uint64_t seed) {
  return Chosen<AllocationChoice>(word)->make(seed);
}
std::unique_ptr<AllocationPolicy> malekeh(std::uint32_t sthld, std::uint64_t seed = 1) {
  auto p = allocation("malekeh", seed);
  p->set_sthld(sthld);
  p->begin_cycle();
  return p;
}

Allocation choose(AllocationPolicy& p, std::uint32_t warp, unsigned slot, const std::vector<View>& views) {
  CollectorViews collectors(views.size());
  for (unsigned c = 0; c < views.size(); ++c) {
    const View& v = views[c];
    bits::set(collectors.free, c, v.free);
    bits::set(collectors.held, c, v.holds);
    bits::set(collectors.near, c, v.has_near);
    collectors.each[c] = {v.warp_uid, v.last_use};
  }
  return p.choose(warp, slot, collectors);
}

void check(const Allocation& a, int collector, bool waiting) {
  CHECK(a.collector == collector);
  CHECK(a.waiting == waiting);
}

}  // namespace

TEST_CASE("any_free takes a free collector, each about equally often over seeds") {
  const std::vector<View> three{view(me, true, true), view(me, false, false), empty(),
                                view(other, false, true)};
  std::vector<unsigned> seen(4, 0);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Allocation a = choose(*allocation("any_free", seed), me, 0, three);
    REQUIRE(a.collector >= 0);
    REQUIRE_FALSE(a.waiting);
    ++seen[static_cast<std::size_t>(a.collector)];
  }
  CHECK(seen[1] == 0);
  for (const unsigned c : {0u, 2u, 3u}) {
    CHECK(seen[c] > 880);
    CHECK(seen[c] < 1120);
  }
  check(choose(*allocation("any_free", 1), me, 0, {view(me, false, false)}), -1, false);
}

TEST_CASE("malekeh case 3: its own collector, when free, however full of near values") {
  const auto p = malekeh(5);
  check(choose(*p, me, 0, {empty(), view(me, true, true)}), 1, false);
  check(choose(*p, me, 0, {view(other, true, true), view(me, true, true)}), 1, false);
}

TEST_CASE("malekeh case 4: never two collectors for one warp") {
  const auto p = malekeh(0);
  check(choose(*p, me, 0, {empty(), view(me, false, false)}), -1, false);
  p->begin_cycle();
  CHECK(p->waiting_counter() == 0);
}

TEST_CASE("malekeh case 5: a random one of the free collectors without near values") {
  std::set<int> seen;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const Allocation a =
        choose(*malekeh(5, seed), me, 0,
               {view(other, true, true), empty(), view(third, false, true), view(other, false, false)});
    REQUIRE_FALSE(a.waiting);
    seen.insert(a.collector);
  }
  CHECK(seen == std::set<int>{1, 2});
}

TEST_CASE("malekeh case 6: none free is no reason to count") {
  const auto p = malekeh(5);
  check(choose(*p, me, 0, {view(other, true, false), view(third, false, false)}), -1, false);
  p->begin_cycle();
  CHECK(p->waiting_counter() == 0);
}

TEST_CASE("malekeh cases 7 and 8: below the threshold it waits, counting each cycle at most once") {
  const auto p = malekeh(3);
  const std::vector<View> near{view(other, true, true), view(third, true, false)};
  check(choose(*p, me, 0, near), -1, true);
  check(choose(*p, third + 1, 1, near), -1, true);
  check(choose(*p, third + 2, 2, near), -1, true);
  CHECK(p->waiting_counter() == 0);  // seen from the next cycle on
  p->begin_cycle();
  CHECK(p->waiting_counter() == 1);
  p->begin_cycle();  // a cycle in which no warp waited
  CHECK(p->waiting_counter() == 1);
}

TEST_CASE("malekeh case 9: at the threshold it gives a near value up and starts counting anew") {
  const auto p = malekeh(2);
  const std::vector<View> near{view(other, true, false), view(third, true, true)};
  check(choose(*p, me, 0, near), -1, true);
  p->begin_cycle();
  check(choose(*p, me, 0, near), -1, true);
  p->begin_cycle();
  CHECK(p->waiting_counter() == 2);
  check(choose(*p, me, 0, near), 1, false);
  CHECK(p->waiting_counter() == 0);
  p->begin_cycle();
  CHECK(p->waiting_counter() == 0);
  check(choose(*p, me, 0, near), -1, true);
}

TEST_CASE("malekeh: only case 9 resets the counter") {
  const auto p = malekeh(2);
  const std::vector<View> near{view(other, true, true)};
  choose(*p, me, 0, near);
  p->begin_cycle();
  check(choose(*p, me, 0, {empty()}), 0, false);               // 5
  check(choose(*p, me, 0, {view(me, true, true)}), 0, false);  // 3
  p->begin_cycle();
  CHECK(p->waiting_counter() == 1);
}

TEST_CASE("malekeh: a threshold of 0 never waits, and a new threshold counts at once") {
  const std::vector<View> near{view(other, true, true)};
  check(choose(*malekeh(0), me, 0, near), 0, false);
  const auto p = malekeh(100);
  check(choose(*p, me, 0, near), -1, true);
  p->begin_cycle();
  p->set_sthld(1);
  check(choose(*p, me, 0, near), 0, false);
}

TEST_CASE("malekeh: a flushed collector still belongs to nobody once its warp is gone") {
  // The view of a collector whose warp has left: warp_uid is stale, holds is false.
  View left = view(me, false, true);
  left.holds = false;
  left.free = false;
  const auto p = malekeh(0);
  check(choose(*p, me, 0, {left, empty()}), 1, false);
}

TEST_CASE("malekeh: random views against Fig. 6 read as a list of conditions") {
  Random r(31);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const std::uint32_t sthld = r.below(4);
    auto p = allocation("malekeh", seed);
    p->set_sthld(sthld);
    std::uint32_t counter = 0;
    for (int cycle = 0; cycle < 500; ++cycle) {
      p->begin_cycle();
      REQUIRE(p->waiting_counter() == counter);
      bool waited = false;
      for (unsigned asked = r.below(4); asked > 0; --asked) {
        std::vector<View> views;
        const unsigned n = 1 + r.below(4);
        for (unsigned c = 0; c < n; ++c) {
          // Warps 1 to 4, at most one collector each.
          const std::uint32_t warp = c + 1;
          views.push_back(view(r.below(4) == 0 ? 0 : warp, r.below(3) != 0, r.below(2) != 0));
          if (!views.back().holds) views.back().has_near = false;
        }
        const std::uint32_t warp = 1 + r.below(6);
        std::optional<unsigned> own;
        std::set<int> free, far;
        for (unsigned c = 0; c < n; ++c) {
          if (views[c].holds && views[c].warp_uid == warp) own = c;
          if (views[c].free) free.insert(static_cast<int>(c));
          if (views[c].free && !views[c].has_near) far.insert(static_cast<int>(c));
        }
        const Allocation a = choose(*p, warp, warp, views);
        if (own) {
          REQUIRE(a.collector == (views[*own].free ? static_cast<int>(*own) : -1));
          REQUIRE_FALSE(a.waiting);
        } else if (free.empty()) {
          REQUIRE(a.collector == -1);
          REQUIRE_FALSE(a.waiting);
        } else if (!far.empty()) {
          REQUIRE(far.count(a.collector) == 1);
        } else if (counter < sthld) {
          REQUIRE(a.collector == -1);
          REQUIRE(a.waiting);
          waited = true;
        } else {
          REQUIRE(free.count(a.collector) == 1);
          counter = 0;
          waited = false;
        }
      }
      if (waited) ++counter;
    }
  }
}

TEST_CASE("private collectors follow the warp slot") {
  const auto p = allocation("private", 1);
  check(choose(*p, me, 1, {empty(), view(other, true, true)}), 1, false);
  check(choose(*p, me, 0, {view(me, true, false), empty()}), -1, false);
}

TEST_CASE("malekeh by age gives up the collector whose warp has not come for STHLD cycles") {
  const auto p = load_platform(find_platform("malekeh_age")).sub_core.collector.allocation->make(1);
  p->set_sthld(3);
  const std::vector<View> both{view(me, true, true), view(other, true, true)};
  p->begin_cycle();
  check(choose(*p, me, 0, {empty(), view(other, true, false)}), 0, false);
  p->begin_cycle();
  check(choose(*p, other, 1, both), 1, false);
  p->begin_cycle();
  check(choose(*p, third, 2, both), -1, true);  // two cycles and one
  p->begin_cycle();
  check(choose(*p, third, 2, both), 0, false);  // three and two
  CHECK(p->waiting_counter() == 0);
  p->begin_cycle();
  check(choose(*p, me, 0, {view(third, true, true), view(other, true, true)}), 1, false);
  p->begin_cycle();
  check(choose(*p, other, 1, {view(third, true, true), view(me, true, true)}), -1, true);
  check(choose(*p, other, 1, {view(third, false, true), view(me, true, true)}), 0, false);  // nothing near
}

// STHLD and the waiting counter have 8 bits each. By age there are STHLD and an age for each of two
// collectors.
TEST_CASE("malekeh stores a threshold, and a counter or two ages") {
  const auto bits_of = [](const AllocationPolicy& p) {
    Inventory list;
    p.inventory(list);
    REQUIRE(list.parts().size() == 1);
    return list.parts()[0].all_bits();
  };
  CHECK(bits_of(*allocation("malekeh", 1)) == 2 * 8);
  const auto by_age = load_platform(find_platform("malekeh_age"));
  CHECK(bits_of(*by_age.sub_core.collector.allocation->make(1)) == 3 * 8);
}

TEST_CASE("own_or_lru takes its own free collector, else the least recently used free one") {
  const auto p = allocation("own_or_lru", 1);
  check(choose(*p, me, 0, {view(other, false, true, 1), view(me, false, true, 9)}), 1, false);
  check(choose(*p, me, 0, {view(other, false, true, 7), view(third, false, true, 3)}), 1, false);
  check(choose(*p, me, 0, {view(other, false, false, 1), view(third, false, true, 3)}), 1, false);
  // The warp's own collector is busy, so it takes another one. A warp can hold two here (hence the WAR guard
  // of `traditional`).
  check(choose(*p, me, 0, {view(me, false, false, 9), view(third, false, true, 3)}), 1, false);
  check(choose(*p, me, 0, {view(me, false, false, 9), view(third, false, false, 3)}), -1, false);
}

TEST_CASE("policies without a threshold ignore it") {
  for (const auto kind : {"any_free", "private", "own_or_lru"}) {
    const auto p = allocation(kind, 1);
    p->set_sthld(100);
    p->begin_cycle();
    check(choose(*p, me, 0, {view(other, true, true)}), 0, false);
    CHECK(p->waiting_counter() == 0);
  }
}

}  // namespace allocation_policy_test
