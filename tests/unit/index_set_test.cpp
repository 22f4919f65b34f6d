#include "subcore/base/index_set.h"

#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"

namespace index_set_test {

using namespace subcore;

TEST_CASE("an index set agrees with a set of numbers") {
  for (const unsigned size : {1u, 64u, 65u, 200u}) {
    CAPTURE(size);
    Random r(size);
    IndexSet set(size);
    std::set<unsigned> reference;
    for (int round = 0; round < 2000; ++round) {
      const auto n = static_cast<unsigned>(r.below(size));
      if (r.below(2) == 0) {
        set.add(n);
        reference.insert(n);
      } else {
        set.remove(n);
        reference.erase(n);
      }
      REQUIRE(set.has(n) == (reference.count(n) != 0));
      REQUIRE(set.empty() == reference.empty());
      std::vector<unsigned> seen;
      set.each([&](unsigned m) { seen.push_back(m); });
      REQUIRE(seen == std::vector<unsigned>(reference.begin(), reference.end()));
      if (r.below(100) != 0) continue;
      seen.clear();
      set.take([&](unsigned m) {
        seen.push_back(m);
        REQUIRE_FALSE(set.has(m));
      });
      REQUIRE(seen == std::vector<unsigned>(reference.begin(), reference.end()));
      REQUIRE(set.empty());
      reference.clear();
    }
  }
}

TEST_CASE("numbers of an index set may come and go while it is walked") {
  IndexSet set(130);
  for (const unsigned n : {3u, 64u, 70u, 129u}) set.add(n);
  std::vector<unsigned> seen;
  set.each([&](unsigned n) {
    seen.push_back(n);
    set.remove(n);
    if (n == 70) set.add(3);
  });
  CHECK(seen == std::vector<unsigned>{3, 64, 70, 129});
  set.add(65);
  seen.clear();
  set.take([&](unsigned n) {
    seen.push_back(n);
    if (n == 65) set.add(66);  // in the same word of 64
  });
  CHECK(seen == std::vector<unsigned>{3, 65, 66});
  CHECK(set.empty());
}

}  // namespace index_set_test
