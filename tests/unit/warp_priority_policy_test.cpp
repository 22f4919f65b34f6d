#include <algorithm>

#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"
#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace warp_priority_policy_test {

using namespace subcore;

namespace {

WarpMask slots(std::initializer_list<unsigned> list) {
  WarpMask mask = 0;
  for (const unsigned s : list) mask |= WarpMask{1} << s;
  return mask;
}

bool in(WarpMask mask, unsigned slot) {
  return (mask >> slot) & 1u;
}

// The whole order of preference, spelt out as a sort, which does not depend on the policies' own code.
std::vector<unsigned> reference_order(const std::string& kind, WarpMask candidates, const WarpView& view) {
  std::vector<unsigned> order;
  for (unsigned s = 0; s < view.uid.size(); ++s) {
    if (in(candidates, s)) order.push_back(s);
  }
  const auto n = static_cast<unsigned>(view.uid.size());
  const auto turn = [&](unsigned s) {
    return (s + n - static_cast<unsigned>(view.last_issued + 1)) % n;  // 0 = right after the last-issued
  };
  const auto rank = [&](unsigned s) {
    if (static_cast<int>(s) == view.last_issued) return 0;
    if (kind == "malekeh") return in(view.owners, s) ? 1 : 2;
    return 1;
  };
  std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    if (kind == "lrr") return turn(a) < turn(b);
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return kind == "cggty" ? view.uid[a] > view.uid[b] : view.uid[a] < view.uid[b];
  });
  return order;
}

std::unique_ptr<WarpPriority> priority(const char* word) {
  return Chosen<WarpPriorityChoice>(word)->make();
}

const std::vector<std::uint32_t> ages{40, 10, 30, 20, 60, 50, 80, 70};  // oldest: slot 1, then 3, 2, 0

}  // namespace

TEST_CASE("gto keeps the last-issued warp, then takes the oldest") {
  const auto p = priority("gto");
  CHECK(p->select(slots({0, 1, 6}), {ages, 6, 0}) == 6);
  CHECK(p->select(slots({0, 1, 6}), {ages, 5, 0}) == 1);  // the last-issued is not ready
  CHECK(p->select(slots({0, 2, 3}), {ages, -1, 0}) == 3);
  CHECK(p->select(slots({7}), {ages, -1, 0}) == 7);
  CHECK(p->select(slots({0, 2, 3}), {ages, -1, slots({0})}) == 3);  // owners mean nothing here
}

TEST_CASE("cggty keeps the last-issued warp, then takes the youngest") {
  const auto p = priority("cggty");
  CHECK(p->select(slots({0, 1, 6}), {ages, 1, 0}) == 1);
  CHECK(p->select(slots({0, 1, 6}), {ages, 5, 0}) == 6);  // the last-issued is not ready
  CHECK(p->select(slots({0, 2, 3}), {ages, -1, 0}) == 0);
  CHECK(p->select(slots({7}), {ages, -1, 0}) == 7);
}

TEST_CASE("malekeh prefers the last-issued warp, then owners of a collector, then the oldest") {
  const auto p = priority("malekeh");
  CHECK(p->select(slots({0, 1, 6}), {ages, 6, slots({0})}) == 6);  // greedy although another one owns
  CHECK(p->select(slots({0, 1, 6}), {ages, -1, slots({0, 6})}) == 0);
  CHECK(p->select(slots({0, 1, 6}), {ages, 5, slots({6})}) == 6);
  CHECK(p->select(slots({0, 1, 6}), {ages, -1, slots({3})}) == 1);  // the owner is not ready
  CHECK(p->select(slots({0, 1, 6}), {ages, -1, 0}) == 1);
}

TEST_CASE("lrr goes round from the last-issued warp") {
  const auto p = priority("lrr");
  CHECK(p->select(slots({0, 1, 6}), {ages, -1, 0}) == 0);
  CHECK(p->select(slots({0, 1, 6}), {ages, 0, 0}) == 1);
  CHECK(p->select(slots({0, 1, 6}), {ages, 1, 0}) == 6);
  CHECK(p->select(slots({0, 1, 6}), {ages, 6, 0}) == 0);
  CHECK(p->select(slots({6}), {ages, 6, 0}) == 6);
}

TEST_CASE("lrr wraps at slot 63") {
  std::vector<std::uint32_t> uid(64);
  for (unsigned i = 0; i < 64; ++i) uid[i] = i;
  const auto p = priority("lrr");
  CHECK(p->select(slots({3, 63}), {uid, 62, 0}) == 63);
  CHECK(p->select(slots({3, 63}), {uid, 63, 0}) == 3);
}

TEST_CASE("every priority orders random candidates like a plain sort") {
  Random r(11);
  for (const auto kind : {"gto", "lrr", "malekeh", "cggty"}) {
    const auto p = priority(kind);
    for (int round = 0; round < 3000; ++round) {
      const unsigned n = 1 + r.below(64);
      std::vector<std::uint32_t> uid(n);
      for (unsigned i = 0; i < n; ++i) uid[i] = 3 * i;
      for (unsigned i = n; i > 1; --i) std::swap(uid[i - 1], uid[r.below(i)]);
      const WarpMask all = n == 64 ? ~WarpMask{0} : (WarpMask{1} << n) - 1;
      WarpMask left = r.next() & all;
      const WarpView view{uid, static_cast<int>(r.below(n + 1)) - 1, r.next() & all};
      // The policy is asked several times without the warps that got nothing, as by the issue scheduler. A
      // warp that is taken out may be the last-issued one, so the expectation is not recomputed.
      for (const unsigned expected : reference_order(kind, left, view)) {
        REQUIRE(p->select(left, view) == expected);
        left &= ~(WarpMask{1} << expected);
      }
      REQUIRE(left == 0);
    }
  }
}

}  // namespace warp_priority_policy_test
