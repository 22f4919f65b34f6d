#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/index_function.h"
#include "subcore/model/policy/mshr_table.h"
#include "subcore/model/policy/random.h"
#include "subcore/model/policy/sectored_tags.h"

namespace sectored_tags_policy_test {

using namespace subcore;

namespace {

// Brings `sectors` of a line in, as a cache that fills at once would.
void fill(SectoredTags& tags, std::uint64_t line, SectorMask sectors) {
  SectoredTags::Line* l = tags.find(line);
  if (l == nullptr) {
    l = tags.victim(line);
    tags.install(*l, line);
  }
  tags.touch(*l);
  l->valid = static_cast<SectorMask>(l->valid | sectors);
}

}  // namespace

TEST_CASE("counting uses from the beginning again changes no victim") {
  SectoredTags tags(4, 5), counted_again(4, 5);
  Random random(11);
  for (int n = 0; n < 5000; ++n) {
    if (random.next() % 50 == 0) counted_again.renumber();
    const std::uint64_t line = random.next() % 40;
    if (tags.find(line) == nullptr) {
      REQUIRE(counted_again.find(line) == nullptr);
      REQUIRE(tags.victim(line)->number == counted_again.victim(line)->number);
    }
    fill(tags, line, 1);
    fill(counted_again, line, 1);
  }
}

// A fill of an absent line counts two uses: the line gets its place, and is touched.
TEST_CASE("uses are counted one by one, and from the number of ways on once they are counted again") {
  SectoredTags tags(1, 2);
  fill(tags, 1, 1);
  fill(tags, 5, 1);
  tags.touch(*tags.find(1));
  CHECK(tags.find(5)->used == 4);
  CHECK(tags.find(1)->used == 5);
  tags.renumber();
  CHECK(tags.find(5)->used == 1);
  CHECK(tags.find(1)->used == 2);
  tags.touch(*tags.find(5));
  CHECK(tags.find(5)->used == 3);
}

TEST_CASE("a line is found with the sectors that came, and no others") {
  SectoredTags tags(4, 2);
  CHECK(tags.find(0) == nullptr);  // not even line 0 of an empty store
  fill(tags, 9, 0b0100);
  REQUIRE(tags.find(9) != nullptr);
  CHECK(tags.find(9)->valid == 0b0100);
  fill(tags, 9, 0b0001);
  CHECK(tags.find(9)->valid == 0b0101);
  CHECK(tags.find(5) == nullptr);  // same set
  CHECK(tags.find(8) == nullptr);
}

TEST_CASE("the least recently used line of the set makes room, without its sectors") {
  SectoredTags tags(4, 2);
  fill(tags, 1, 0b1111);
  fill(tags, 5, 0b1111);
  tags.touch(*tags.find(1));
  fill(tags, 2, 0b1111);  // another set
  CHECK(tags.victim(9)->number == 5);
  fill(tags, 9, 0b0010);
  CHECK(tags.find(5) == nullptr);
  CHECK(tags.find(9)->valid == 0b0010);
  CHECK(tags.find(1) != nullptr);
  CHECK(tags.find(2) != nullptr);
}

TEST_CASE("a line that waits for a sector keeps its place, and a full set of them has none to give") {
  SectoredTags tags(1, 2);
  fill(tags, 1, 1);
  fill(tags, 2, 1);
  tags.find(1)->pending = 0b0010;
  CHECK(tags.victim(3)->number == 2);
  tags.find(2)->pending = 0b1000;
  CHECK(tags.victim(3) == nullptr);
}

TEST_CASE("sets are chosen above the bits that name the slice") {
  SectoredTags tags(2, 1, 2);
  fill(tags, 0, 1);
  fill(tags, 4, 1);  // the other set
  CHECK(tags.find(0) != nullptr);
  fill(tags, 8, 1);
  CHECK(tags.find(0) == nullptr);
}

TEST_CASE("written lines make room once so many have been, or nothing else could") {
  // 8 lines; a quarter must be dirty.
  SectoredTags tags(4, 2, 0, IndexFunction::linear, 25);
  fill(tags, 0, 1);
  tags.mark_dirty(*tags.find(0), 1);
  fill(tags, 4, 1);
  CHECK(tags.victim(8)->number == 4);  // not line 0, which is older but dirty
  tags.find(4)->pending = 2;
  CHECK(tags.victim(8) == nullptr);  // every line has a sector on its way
  tags.find(4)->pending = 0;
  fill(tags, 1, 1);
  tags.mark_dirty(*tags.find(1), 1);
  tags.mark_dirty(*tags.find(1), 2);  // the same line
  CHECK(tags.victim(8)->number == 0);
  tags.install(*tags.victim(8), 8);
  CHECK(tags.victim(12)->number == 4);  // a single line is dirty again
  tags.install(*tags.victim(5), 5);
  tags.mark_dirty(*tags.find(5), 1);
  tags.clear(2);
  tags.install(*tags.victim(1), 1);
  tags.mark_dirty(*tags.find(1), 1);
  fill(tags, 5, 1);
  CHECK(tags.victim(9)->number == 5);
  // A whole set of dirty lines, though fewer than the share: waiting would not help.
  SectoredTags all(8, 1, 0, IndexFunction::linear, 100);
  fill(all, 3, 1);
  all.mark_dirty(*all.find(3), 1);
  REQUIRE(all.victim(11) != nullptr);
  CHECK(all.victim(11)->number == 3);
}

// The work of a cache, at random. The reference looks at every line of a set.
TEST_CASE("the line that makes room agrees with a search of the whole set") {
  for (const unsigned percent : {0u, 30u, 100u}) {
    CAPTURE(percent);
    Random r(percent + 7);
    constexpr unsigned sets = 4, ways = 5;
    SectoredTags tags(sets, ways, 0, IndexFunction::linear, percent);
    std::vector<std::vector<std::uint64_t>> in_order(sets);  // numbers, the least recently used first
    const auto expected = [&](std::uint64_t line) -> std::optional<std::uint64_t> {
      const auto& set = in_order[line % sets];
      unsigned dirty = 0;
      for (const auto& other : in_order)
        for (const std::uint64_t n : other) dirty += tags.find(n)->dirty != 0 ? 1 : 0;
      const bool keeps_dirty = dirty < (sets * ways * percent + 99) / 100;
      if (set.size() < ways) return ~std::uint64_t{0};  // an unused place
      std::optional<std::uint64_t> first_dirty;
      bool waits = false;
      for (const std::uint64_t n : set) {
        const SectoredTags::Line& l = *tags.find(n);
        waits |= l.pending != 0;
        if (l.pending != 0) continue;
        if (!keeps_dirty || l.dirty == 0) return n;
        if (!first_dirty) first_dirty = n;
      }
      return waits ? std::nullopt : first_dirty;
    };
    const auto use = [&](SectoredTags::Line& line) {
      auto& set = in_order[line.number % sets];
      set.erase(std::find(set.begin(), set.end(), line.number));
      set.push_back(line.number);
      tags.touch(line);
    };
    for (int round = 0; round < 20000; ++round) {
      const std::uint64_t number = r.below(40);
      SectoredTags::Line* line = tags.find(number);
      if (r.below(1000) == 0) {
        tags.clear(ways);
        for (auto& set : in_order) set.clear();
      } else if (r.below(500) == 0) {
        tags.renumber();
      } else if (line == nullptr) {
        SectoredTags::Line* place = tags.victim(number);
        const auto other = expected(number);
        REQUIRE((place != nullptr) == other.has_value());
        if (place == nullptr) continue;
        REQUIRE(place->number == *other);
        auto& set = in_order[number % sets];
        if (place->used != 0) set.erase(std::find(set.begin(), set.end(), place->number));
        set.push_back(number);
        tags.install(*place, number);
        place->pending = static_cast<SectorMask>(r.below(3));
      } else if (r.below(2) == 0) {
        line->pending = static_cast<SectorMask>(r.below(3) / 2);
      } else if (r.below(2) == 0) {
        tags.mark_dirty(*line, static_cast<SectorMask>(r.below(3)));
      } else {
        use(*line);
      }
    }
  }
}

TEST_CASE("sets by lowest bits, or with the bits above folded on") {
  const SetMap linear(IndexFunction::linear, 4, 0), hashed(IndexFunction::hashed, 4, 0),
      sliced(IndexFunction::hashed, 4, 3), one(IndexFunction::hashed, 1, 0);
  CHECK(linear.set(7) == 3);
  CHECK(linear.set(64) == 0);
  CHECK(hashed.set(2) == 2);
  CHECK(hashed.set(4) == 1);           // 01 00
  CHECK(hashed.set(0b11'01'10) == 0);  // 11 ^ 01 ^ 10
  CHECK(sliced.set(0b11'01'10'111) == 0);
  CHECK(one.set(12345) == 0);
  for (unsigned shift = 0; shift < 40; ++shift) {
    std::array<int, 4> seen{};
    for (std::uint64_t n = 0; n < 64; ++n) ++seen[hashed.set(n << shift)];
    CAPTURE(shift);
    for (const int lines : seen) CHECK(lines == 16);
  }
  // Lines with the same upper bits are in different sets.
  Random r(5);
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t upper = std::uint64_t{r.below(1u << 30)} << 20;
    unsigned seen = 0;
    for (std::uint64_t low = 0; low < 4; ++low) seen |= 1u << hashed.set(upper * 4 + low);
    REQUIRE(seen == 0b1111);
  }
}

TEST_CASE("random fills agree with lists in order of use") {
  Random r(43);
  constexpr unsigned sets = 8, ways = 3;
  SectoredTags tags(sets, ways);
  struct Line {
    std::uint64_t number;
    SectorMask valid;
  };
  std::map<std::uint64_t, std::list<Line>> reference;  // by set, latest first
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t line = r.below(60);
    const auto sectors = static_cast<SectorMask>(1 + r.below(15));
    auto& set = reference[line % sets];
    auto at = set.begin();
    while (at != set.end() && at->number != line) ++at;
    const SectoredTags::Line* found = tags.find(line);
    REQUIRE((found != nullptr) == (at != set.end()));
    if (found != nullptr) REQUIRE(found->valid == at->valid);
    Line l{line, sectors};
    if (at != set.end()) {
      l.valid = static_cast<SectorMask>(l.valid | at->valid);
      set.erase(at);
    } else if (set.size() == ways) {
      set.pop_back();
    }
    set.push_front(l);
    fill(tags, line, sectors);
  }
}

TEST_CASE("an MSHR answers each request when its last sector has come, in the order of arrival") {
  MshrTable<int> mshrs(2, 3);
  const std::uint32_t a = mshrs.allocate(70), b = mshrs.allocate(80);
  CHECK_FALSE(mshrs.room(MshrTable<int>::none, 1));
  CHECK(mshrs.find(70) == a);
  CHECK(mshrs.find(80) == b);
  CHECK(mshrs.find(90) == MshrTable<int>::none);
  mshrs.expect(a, 0b1011);
  mshrs.add(a, 1, 0b1001);
  mshrs.add(a, 2, 0b0001);
  CHECK(mshrs.joins(a, 0b0010));
  mshrs.add(a, 3, 0b0010);
  CHECK_FALSE(mshrs.joins(a, 0b0010));
  std::vector<int> done;
  const auto note = [&](int n) { done.push_back(n); };
  mshrs.filled(a, 0b0011, note);
  CHECK(done == std::vector<int>{2, 3});
  CHECK(mshrs.pending(a) == 0b1000);
  CHECK(mshrs.joins(a, 0b1000));
  CHECK(mshrs.find(70) == a);  // a sector is still on its way
  CHECK(mshrs.lines() == 2);
  CHECK_FALSE(mshrs.room(MshrTable<int>::none, 1));
  mshrs.filled(a, 0b1000, note);
  CHECK(done == std::vector<int>{2, 3, 1});
  CHECK(mshrs.room(MshrTable<int>::none, 1));
  CHECK(mshrs.find(70) == MshrTable<int>::none);
  CHECK(mshrs.find(80) == b);
}

TEST_CASE("an MSHR is not free while a sector is on its way that no request waits for") {
  const MshrUnit unit = GENERATE(MshrUnit::line, MshrUnit::sector);
  MshrTable<int> mshrs(2, 1, unit);
  const std::uint32_t a = mshrs.allocate(70);
  mshrs.expect(a, 0b0011);
  mshrs.add(a, 1, 0b0001);
  mshrs.filled(a, 0b0001, [](int) {});
  CHECK(mshrs.find(70) == a);
  CHECK(mshrs.pending(a) == 0b0010);
  CHECK(mshrs.room(MshrTable<int>::none, 1));
  CHECK(mshrs.allocate(80) != a);
  mshrs.filled(a, 0b0010, [](int) {});
  CHECK(mshrs.find(70) == MshrTable<int>::none);
}

TEST_CASE("the lines of MSHRs agree with a map") {
  Random r(3);
  constexpr std::uint32_t none = MshrTable<int>::none;
  for (const std::uint32_t registers : {1u, 7u, 48u}) {
    CAPTURE(registers);
    MshrTable<int> mshrs(registers, 1);
    std::map<std::uint64_t, std::uint32_t> reference;  // entries by line
    for (int round = 0; round < 20000; ++round) {
      const std::uint64_t line = r.below(2 * registers) * 8;
      const auto at = reference.find(line);
      REQUIRE(mshrs.find(line) == (at == reference.end() ? none : at->second));
      REQUIRE(mshrs.lines() == reference.size());
      REQUIRE(mshrs.empty() == reference.empty());
      REQUIRE(mshrs.room(none, 1) == (reference.size() < registers));
      if (at != reference.end()) {
        mshrs.filled(at->second, 1, [](int) {});
        reference.erase(at);
      } else if (reference.size() < registers) {
        const std::uint32_t entry = mshrs.allocate(line);
        mshrs.expect(entry, 1);
        REQUIRE(mshrs.line(entry) == line);
        reference[line] = entry;
      }
    }
  }
}

TEST_CASE("MSHRs of sectors: a line takes one for each sector, and a request waits in each of its own") {
  MshrTable<int> mshrs(5, 2, MshrUnit::sector);
  constexpr std::uint32_t none = MshrTable<int>::none;
  CHECK(mshrs.room(none, 0b1111));
  const std::uint32_t a = mshrs.allocate(70);
  mshrs.expect(a, 0b0111);
  mshrs.add(a, 1, 0b0111);
  CHECK(mshrs.room(a, 0b1000));
  CHECK(mshrs.room(none, 0b0011));
  CHECK_FALSE(mshrs.room(none, 0b0111));
  CHECK(mshrs.joins(a, 0b0001));
  mshrs.add(a, 2, 0b0001);
  CHECK_FALSE(mshrs.joins(a, 0b0001));  // sector 0 has two requests, which is the limit
  CHECK(mshrs.joins(a, 0b0110));
  const std::uint32_t b = mshrs.allocate(80);
  mshrs.expect(b, 0b0011);
  mshrs.add(b, 3, 0b0011);
  CHECK_FALSE(mshrs.room(a, 0b1000));
  std::vector<int> done;
  const auto note = [&](int n) { done.push_back(n); };
  mshrs.filled(a, 0b0001, note);
  CHECK(done == std::vector<int>{2});
  CHECK(mshrs.room(a, 0b1000));
  CHECK(mshrs.joins(a, 0b0110));
  mshrs.filled(a, 0b0110, note);
  mshrs.filled(b, 0b0011, note);
  CHECK(done == std::vector<int>{2, 1, 3});
  CHECK(mshrs.empty());
  CHECK(mshrs.room(none, 0b1111));
}

TEST_CASE("slices by the lowest bits") {
  const SliceMap map(8, IndexFunction::linear);
  CHECK(map.bits() == 3);
  for (std::uint64_t line = 0; line < 100; ++line) CHECK(map.slice(line) == line % 8);
  CHECK(map.slice(1u << 20) == 0);
}

// Four slices: groups of two bits of a line's number begin at bits 0, 2, 4 and 8. A line with a single bit is
// in the slice that this bit alone names.
TEST_CASE("a slice's number is folded of the lowest bits and of three groups above") {
  const SliceMap map(4);
  for (unsigned bit = 0; bit < 20; ++bit) {
    CAPTURE(bit);
    const bool folded = bit < 6 || bit == 8 || bit == 9;
    CHECK(map.slice(std::uint64_t{1} << bit) == (folded ? 1u << bit % 2 : 0u));
  }
  CHECK(map.slice(0b10'00'11'01'00) == 0);  // 10 ^ 11 ^ 01
}

TEST_CASE("strides of powers of two spread over the slices, and a line has one place") {
  const SliceMap map(4);
  CHECK(map.bits() == 2);
  for (unsigned shift = 0; shift <= 8; shift += 2) {
    std::array<int, 4> lines{};
    for (std::uint64_t n = 0; n < 256; ++n) ++lines[map.slice(n << shift)];
    CAPTURE(shift);
    for (const int l : lines) CHECK(l == 64);
  }
  // Lines with the same upper bits are in different slices: upper bits and slice tell a line.
  for (std::uint64_t upper = 0; upper < 1000; ++upper) {
    unsigned seen = 0;
    for (std::uint64_t low = 0; low < 4; ++low) seen |= 1u << map.slice(upper * 4 + low);
    REQUIRE(seen == 0b1111);
  }
  CHECK(SliceMap(1).slice(12345) == 0);
}

}  // namespace sectored_tags_policy_test
