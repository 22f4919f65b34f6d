#include "subcore/base/bits.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

namespace bits_test {

using namespace subcore;

namespace {

std::vector<unsigned> members(std::uint64_t set) {
  std::vector<unsigned> out;
  for (const unsigned n : bits::each(set)) out.push_back(n);
  return out;
}

}  // namespace

static_assert(bits::one(63) == 0x8000000000000000u && bits::one<std::uint8_t>(7) == 0x80);
static_assert(bits::below<std::uint8_t>(0) == 0 && bits::below<std::uint8_t>(7) == 0x7f);
static_assert(bits::first(0) == 0 && bits::first<std::uint8_t>(7) == 0x7f &&
              bits::first<std::uint8_t>(8) == 0xff && bits::first(64) == ~std::uint64_t{0});
static_assert(bits::lowest(0b1010) == 1 && bits::highest(0b1010) == 3 &&
              bits::highest(~std::uint64_t{0}) == 63);
static_assert(bits::lowest(0b1000) == 3 && bits::count(~std::uint64_t{0}) == 64);
static_assert(bits::has(std::uint16_t{4}, 2) && !bits::has(std::uint16_t{4}, 1));

TEST_CASE("bits: the members of a word") {
  CHECK(members(0).empty());
  CHECK(members(0b100110) == std::vector<unsigned>{1, 2, 5});
  CHECK(members(bits::one(0) | bits::one(63)) == std::vector<unsigned>{0, 63});
  CHECK(bits::without_lowest(0b1100) == 0b1000);
}

TEST_CASE("bits: a loop walks the set as it was when it began") {
  std::uint64_t set = 0b1011;
  std::vector<unsigned> seen;
  for (const unsigned n : bits::each(set)) {
    seen.push_back(n);
    bits::remove(set, n);
    bits::add(set, 7);
  }
  CHECK(seen == std::vector<unsigned>{0, 1, 3});
  CHECK(set == 0b10000000);
}

// Words of every width against std::set.
TEMPLATE_TEST_CASE("bits: a word does what a set does", "", std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  std::mt19937_64 random(7);
  TestType word = 0;
  std::set<unsigned> reference;
  for (unsigned step = 0; step < 2000; ++step) {
    const auto n = static_cast<unsigned>(random() % (8 * sizeof(TestType)));
    if (random() % 2 == 0) {
      bits::add(word, n);
      reference.insert(n);
    } else {
      bits::remove(word, n);
      reference.erase(n);
    }
    REQUIRE(members(word) == std::vector<unsigned>(reference.begin(), reference.end()));
    REQUIRE(bits::count(word) == reference.size());
    REQUIRE(bits::has(word, n) == (reference.count(n) != 0));
    if (!reference.empty()) REQUIRE(bits::lowest(word) == *reference.begin());
    if (!reference.empty()) REQUIRE(bits::highest(word) == *reference.rbegin());
    TestType other = word;
    bits::set(other, n, reference.count(n) == 0);  // the other way round
    REQUIRE((other ^ word) == bits::one<TestType>(n));
    bits::set(other, n, reference.count(n) != 0);
    REQUIRE(other == word);
  }
}

}  // namespace bits_test
