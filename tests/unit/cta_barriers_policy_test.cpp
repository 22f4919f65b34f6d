#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/cta_barriers.h"
#include "subcore/model/policy/random.h"

namespace cta_barriers_policy_test {

using namespace subcore;

namespace {

using Groups = std::vector<std::vector<unsigned>>;

// The barriers of a CTA whose warps all run, and the warps that the last call let go.
struct Cta {
  CtaBarriers barriers;
  unsigned live;
  Groups arrive(unsigned warp, std::uint8_t name = 0, std::uint8_t warps = 0, bool waits = true) {
    Groups went;
    barriers.arrive({warp, name, warps, waits}, live,
                    [&](const CtaBarriers::Warps& w) { went.emplace_back(w.begin(), w.end()); });
    return went;
  }
  Groups finish() {
    Groups went;
    barriers.finished(--live, [&](const CtaBarriers::Warps& w) { went.emplace_back(w.begin(), w.end()); });
    return went;
  }
};

}  // namespace

TEST_CASE("CTA barriers: without a number all warps that run meet, in the order of their arrivals") {
  Cta c{{}, 3};
  CHECK(c.arrive(2).empty());
  CHECK(c.arrive(0).empty());
  CHECK(c.barriers.waiting() == 2);
  CHECK(c.arrive(1) == Groups{{2, 0, 1}});
  CHECK(c.barriers.waiting() == 0);
  CHECK(c.arrive(0, 4).empty());
  CHECK(c.arrive(1, 4).empty());
  CHECK(c.finish() == Groups{{0, 1}});
  CHECK(c.finish().empty());
  CHECK(c.finish().empty());
}

TEST_CASE("CTA barriers: with a number as many meet, and barriers of other names do not count") {
  Cta c{{}, 5};
  CHECK(c.arrive(0, 1, 2).empty());
  CHECK(c.arrive(1, 2, 2).empty());
  CHECK(c.arrive(2, 1, 2) == Groups{{0, 2}});
  CHECK(c.arrive(3, 2, 2) == Groups{{1, 3}});
  // Twice at the same one.
  CHECK(c.arrive(0, 1, 2).empty());
  CHECK(c.arrive(2, 1, 2) == Groups{{0, 2}});
}

TEST_CASE("CTA barriers: who announces itself goes on, and counts") {
  Cta c{{}, 3};
  CHECK(c.arrive(0, 1, 2, false).empty());
  CHECK(c.barriers.waiting() == 0);
  CHECK(c.arrive(1, 1, 2) == Groups{{1}});
  CHECK(c.arrive(1, 1, 2).empty());
  CHECK(c.arrive(0, 1, 2, false) == Groups{{1}});
  CHECK(c.arrive(0, 1, 2, false).empty());
  CHECK(c.arrive(2, 1, 2, false) == Groups{{}});
}

TEST_CASE("CTA barriers: where all warps wait and none can go on, the trace has told too little") {
  Cta c{{}, 4};
  CHECK(c.arrive(0, 1).empty());
  CHECK(c.arrive(1, 1).empty());
  CHECK(c.arrive(2, 2).empty());
  CHECK(c.arrive(3, 2) == Groups{{0, 1}, {2, 3}});
  CHECK(c.arrive(0, 1, 3).empty());
  CHECK(c.arrive(1, 1, 3).empty());
  CHECK(c.finish().empty());
  CHECK(c.finish() == Groups{{0, 1}});
}

// The reference keeps a list of arrivals at each barrier. Warps come at random. A warp that waits never
// comes, nor does the last one that runs.
TEST_CASE("CTA barriers: random arrivals agree with lists of arrivals") {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    Cta c{{}, 8};
    std::map<unsigned, std::vector<std::pair<unsigned, bool>>> lists;  // warps, and whether each waits
    std::set<unsigned> waiting;
    for (int n = 0; n < 60 && waiting.size() + 1 < c.live; ++n) {
      unsigned warp = random.below(8);
      while (waiting.count(warp) != 0) warp = random.below(8);
      const auto name = static_cast<std::uint8_t>(random.below(17));
      const auto warps = static_cast<std::uint8_t>(1 + name % 4);
      const bool waits = random.below(3) != 0;
      const Groups went = c.arrive(warp, name, warps, waits);
      lists[name].push_back({warp, waits});
      if (waits) waiting.insert(warp);
      Groups wanted;
      if (lists[name].size() == warps) {
        wanted.emplace_back();
        for (const auto& [w, waited] : lists[name]) {
          if (!waited) continue;
          wanted.back().push_back(w);
          waiting.erase(w);
        }
        lists[name].clear();
      }
      REQUIRE(went == wanted);
      REQUIRE(c.barriers.waiting() == waiting.size());
    }
  }
}

}  // namespace cta_barriers_policy_test
