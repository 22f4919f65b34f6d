#include <array>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"

namespace random_policy_test {

using namespace subcore;

TEST_CASE("the generator is splitmix64") {
  // Reference values of the published algorithm for seed 1234567.
  Random r(1234567);
  CHECK(r.next() == 6457827717110365317ull);
  CHECK(r.next() == 3203168211198807973ull);
  CHECK(r.next() == 9817491932198370423ull);
}

TEST_CASE("equal seeds draw equal sequences, different ones do not") {
  Random a(5), b(5), c(6);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t x = a.next();
    CHECK(x == b.next());
    differs |= x != c.next();
  }
  CHECK(differs);
}

TEST_CASE("below stays below its bound and reaches every value") {
  Random r(7);
  for (const unsigned n : {1u, 2u, 3u, 7u, 64u}) {
    std::vector<unsigned> seen(n, 0);
    for (unsigned i = 0; i < 200 * n; ++i) {
      const unsigned x = r.below(n);
      REQUIRE(x < n);
      ++seen[x];
    }
    for (const unsigned count : seen) CHECK(count > 100);
  }
  for (int i = 0; i < 1000; ++i) REQUIRE(r.below(0xffffffffu) < 0xffffffffu);
}

TEST_CASE("one candidate costs no draw") {
  Random a(9), b(9);
  CHECK(a.below(1) == 0);
  CHECK(a.pick(std::uint64_t{1} << 63) == 63);
  CHECK(a.next() == b.next());
}

TEST_CASE("pick returns set bits only, each about equally often") {
  Random masks(1), r(2);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t mask = masks.next() & masks.next();
    if (mask == 0) continue;
    const unsigned bit = r.pick(mask);
    REQUIRE(bit < 64);
    REQUIRE(((mask >> bit) & 1u) == 1);
  }
  const std::uint64_t mask = 0x8000000100000011ull;  // bits 0, 4, 32, 63
  std::array<unsigned, 64> seen{};
  for (int i = 0; i < 8000; ++i) ++seen[r.pick(mask)];
  for (const unsigned bit : {0u, 4u, 32u, 63u}) {
    CHECK(seen[bit] > 1800);
    CHECK(seen[bit] < 2200);
  }
}

}  // namespace random_policy_test
