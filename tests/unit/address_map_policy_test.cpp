// Memory maps against a reference that looks at one byte at a time.
#include <catch2/catch.hpp>

#include "subcore/model/policy/address_map.h"
#include "subcore/model/policy/random.h"

namespace address_map_policy_test {

using namespace subcore;

namespace {

using Range = AddressMap::Range;
using Ranges = std::vector<Range>;
constexpr std::uint64_t all = ~std::uint64_t{0};

struct Seen {
  unsigned range = AddressMap::Destination::nowhere;
  std::uint64_t address = 0;
  bool operator==(const Seen& o) const { return range == o.range && address == o.address; }
};

// A reference that counts granules instead of dividing.
Seen reference(const Ranges& ranges, std::uint64_t address) {
  for (unsigned n = 0; n < ranges.size(); ++n) {
    const Range& r = ranges[n];
    if (address < r.begin || address >= r.end) continue;
    std::uint64_t seen = address - r.base;
    if (r.interleave.ways > 1) {
      std::uint64_t granule = 0, own = 0, at = 0;
      for (; at + r.interleave.granule <= seen; at += r.interleave.granule, ++granule)
        if (granule % r.interleave.ways == r.interleave.way) ++own;
      if (granule % r.interleave.ways != r.interleave.way) continue;
      if (r.interleave.squeeze) seen = own * r.interleave.granule + (seen - at);
    }
    while (seen > r.mask) seen -= r.mask + 1;
    return {n, seen};
  }
  return {};
}

// Ranges below 3000, one after the other, with gaps.
Ranges random_map(Random& random) {
  Ranges map;
  for (std::uint64_t at = random.below(40); at < 2000; at += random.below(3) * random.below(100)) {
    Range r{at, at + random.below(300), 0, all};
    at = r.end;
    r.base = random.below(2) == 0 ? r.begin : r.begin - random.below(static_cast<std::uint32_t>(r.begin) + 1);
    if (random.below(3) == 0) r.mask = (std::uint64_t{1} << (3 + random.below(8))) - 1;
    const std::uint32_t ways = random.below(2) == 0 ? 1 : 1 + random.below(5);
    for (std::uint32_t way = 0; way < ways; ++way) {
      if (ways > 1 && random.below(8) == 0) continue;  // a hole
      if (ways > 1) r.interleave = {std::uint64_t{8} << random.below(4), ways, way, random.below(2) == 0};
      if (way > 0 && !map.empty() && map.back().begin == r.begin && map.back().interleave.ways == ways)
        r.interleave.granule = map.back().interleave.granule;
      map.push_back(r);
    }
  }
  return map;
}

}  // namespace

TEST_CASE("memory map: random maps lead every byte where the reference does") {
  Random random(7);
  unsigned spread = 0, masked = 0;
  for (unsigned n = 0; n < 150; ++n) {
    const Ranges ranges = random_map(random);
    const AddressMap map(ranges);
    REQUIRE(map.problem().empty());
    for (const Range& r : ranges) {
      spread += r.interleave.ways > 1;
      masked += r.mask != all;
    }
    std::vector<Seen> seen;
    for (std::uint64_t a = 0; a < 2600; ++a) seen.push_back(reference(ranges, a));
    for (std::uint64_t a = 0; a < 2500; ++a) {
      const AddressMap::Destination p = map.find(a);
      REQUIRE(Seen{p.range, p.address} == seen[a]);
      if (p.range == AddressMap::Destination::nowhere) continue;
      // The next `more` bytes behind the address are in the span, and the byte after them is not.
      bool follow = true;
      for (std::uint64_t b = 1; b <= p.more; ++b) follow &= seen[a + b] == Seen{p.range, p.address + b};
      REQUIRE(follow);
      if (ranges[p.range].interleave.squeeze) continue;
      const Seen next = seen[a + p.more + 1];
      const bool border = (a + p.more + 1 - ranges[p.range].base) % 8 == 0;
      REQUIRE((!(next == Seen{p.range, p.address + p.more + 1}) || border));
    }
    // Every address that leads into a span of a target lies in the span that is found for it.
    for (unsigned r = 0; r < ranges.size(); ++r) {
      for (unsigned k = 0; k < 20; ++k) {
        const std::uint64_t first = random.below(400);
        const AddressMap::Span wanted{first, first + random.below(200)};
        AddressMap::Span found{1, 0};
        const bool any = map.find_back(r, wanted, found);
        bool hit = false, inside = true;
        for (std::uint64_t a = 0; a < seen.size(); ++a) {
          if (seen[a].range != r || seen[a].address < wanted.first || seen[a].address > wanted.second)
            continue;
          hit = true;
          inside &= any && a >= found.first && a <= found.second;
        }
        REQUIRE(inside);
        if (any) {
          REQUIRE(found.first >= ranges[r].begin);
          REQUIRE(found.second < ranges[r].end);
        }
        // The span is exact at both ends if addresses are one to one with the target's.
        if (any && ranges[r].interleave.ways == 1 && ranges[r].mask == all) {
          REQUIRE(hit);
          REQUIRE(seen[found.first].address >= wanted.first);
          REQUIRE(seen[found.second].address <= wanted.second);
        }
      }
    }
  }
  CHECK(spread > 300);
  CHECK(masked > 300);
}

TEST_CASE("memory map: to the end of the address space") {
  const AddressMap map({{0x1000, 0, 0x1000}});
  CHECK(map.find(0xfff).range == AddressMap::Destination::nowhere);
  CHECK(map.find(all).address == all - 0x1000);
  CHECK(map.find(all).more == 0);
  CHECK(AddressMap({{0, 0}}).find(0).more == all);
  AddressMap::Span span;
  CHECK(map.find_back(0, {0x10, all}, span));
  CHECK(span == AddressMap::Span{0x1010, all});
  CHECK(AddressMap(Ranges{{0, 0, 0, all, {64, 3, 2}}}).find_back(0, {0, all}, span));
  CHECK(span == AddressMap::Span{128, all});
}

TEST_CASE("memory map: one that cannot be is told what is wrong") {
  const auto problem = [](const Ranges& r) { return AddressMap(r).problem(); };
  CHECK(problem({{0, 0x1000}, {0x1000, 0}}).empty());
  CHECK(problem({{0x3000, 0x3000}, {0, 0}}).empty());  // an empty range overlaps no other
  CHECK(problem({{0, 0x1001}, {0x1000, 0}}) ==
        "range 1 (0x1000 to 0xffffffffffffffff) overlaps range 0 (0x0 to 0x1000)");
  CHECK(problem({{0x20, 0x10}}) == "range 0 (0x20 to 0xf): ends before it begins");
  CHECK_THAT(problem({{0x20, 0x30, 0x21}}),
             Catch::Contains("range 0") && Catch::Contains("its base 0x21 lies above its begin"));
  CHECK_THAT(problem({{0, 64, 0, 0xff0}}), Catch::Contains("mask 0xff0; expected a power of two minus 1"));
  CHECK_THAT(problem({{0, 64, 0, all, {24, 2, 0}}}),
             Catch::Contains("a granule of 24 bytes; expected a power of two"));
  CHECK_THAT(problem({{0, 64, 0, all, {0, 2, 0}}}), Catch::Contains("a granule of 0 bytes"));
  CHECK_THAT(problem({{0, 64, 0, all, {16, 2, 2}}}), Catch::Contains("way 2 of 2; expected a way below"));
  CHECK_THAT(problem({{0, 64, 0, all, {16, 0, 0}}}), Catch::Contains("way 0 of 0"));
  const Range even{0, 64, 0, all, {16, 2, 0}}, odd{0, 64, 0, all, {16, 2, 1}};
  CHECK(problem({even, odd}).empty());
  CHECK_THAT(problem({even, even}), Catch::Contains("overlaps") && Catch::Contains("expected another way"));
  for (const Range& other : Ranges{
           {0, 64, 0, all, {32, 2, 1}}, {0, 64, 0, all, {16, 3, 1}}, {0, 128, 0, all, {16, 2, 1}}, {0, 64}})
    CHECK_THAT(problem({even, other}), Catch::Contains("overlaps"));
}

}  // namespace address_map_policy_test
