#include "subcore/modules/conductor/calendar.h"

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"

namespace calendar_test {

using namespace subcore;

TEST_CASE("a calendar agrees with a list of all members' cycles") {
  for (const unsigned members : {1u, 12u, 83u}) {
    CAPTURE(members);
    Random r(members);
    Calendar calendar;
    calendar.resize(members);
    std::vector<Cycle> reference(members, never);
    const auto move = [&](unsigned member, Cycle to) {
      calendar.move(member, to);
      reference[member] = to;
    };
    const auto first = [&] { return *std::min_element(reference.begin(), reference.end()); };
    // A cycle that is mostly near, at times far or the present one, and at times none.
    const auto some_cycle = [&](Cycle now) {
      const std::uint64_t kind = r.below(10);
      return kind == 0 ? never : now + (kind == 1 ? r.below(500) : kind == 2 ? 0 : r.below(70));
    };
    Cycle now = 0;
    for (int round = 0; round < 5000; ++round) {
      for (std::uint64_t n = r.below(4); n != 0; --n)
        move(static_cast<unsigned>(r.below(members)), some_cycle(now));
      REQUIRE(calendar.next() == first());
      if (first() == never) continue;
      // Now and then a cycle is taken in which no member has a pass.
      now = r.below(8) == 0 ? now + r.below(static_cast<std::uint32_t>(first() - now + 1)) : first();
      std::vector<unsigned> expected, seen;
      for (unsigned m = 0; m < members; ++m)
        if (reference[m] == now) expected.push_back(m);
      calendar.take(now, [&](unsigned member) {
        seen.push_back(member);
        REQUIRE(calendar.at(member) == never);
        reference[member] = never;
        move(member, now + 1 + r.below(100));
        // Another member that is not due is put off, or brought forward.
        const auto other = static_cast<unsigned>(r.below(members));
        if (reference[other] != now) move(other, now + 1 + r.below(100));
      });
      REQUIRE(seen == expected);
      for (unsigned m = 0; m < members; ++m) REQUIRE(calendar.at(m) == reference[m]);
    }
  }
}

TEST_CASE("a member that gets the present cycle while it is taken has its pass in it") {
  Calendar calendar;
  calendar.resize(100);
  calendar.move(5, 10);
  calendar.move(80, 10);
  std::vector<unsigned> seen;
  calendar.take(10, [&](unsigned member) {
    seen.push_back(member);
    if (member == 5) calendar.move(6, 10);   // a member behind it
    if (member == 80) calendar.move(2, 10);  // a member before it
  });
  CHECK(seen == std::vector<unsigned>{5, 6, 80});
  CHECK(calendar.next() == 10);
  calendar.take(10, [&](unsigned member) { seen.push_back(member); });
  CHECK(seen == std::vector<unsigned>{5, 6, 80, 2});
  CHECK(calendar.next() == never);
}

}  // namespace calendar_test
