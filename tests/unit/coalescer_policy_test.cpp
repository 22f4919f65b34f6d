#include <set>

#include <catch2/catch.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/policy/coalescer.h"
#include "subcore/model/policy/random.h"

namespace coalescer_policy_test {

using namespace subcore;

namespace {

std::vector<MemoryRange> ranges(const LaneAddresses& lanes, unsigned bytes) {
  std::vector<MemoryRange> out;
  coalesce(lanes, bytes, out);
  return out;
}

LaneAddresses strided(std::uint64_t base, std::int64_t stride, std::uint32_t mask = ~0u) {
  LaneAddresses lanes;
  lanes.mask = mask;
  for (unsigned i = 0; i < warp_lanes; ++i) {
    lanes.address[i] = base + static_cast<std::uint64_t>(stride * static_cast<std::int64_t>(i));
  }
  return lanes;
}

void check_ranges(const std::vector<MemoryRange>& got, const std::vector<MemoryRange>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i].address == expected[i].address);
    CHECK(got[i].bytes == expected[i].bytes);
  }
}

// The sectors that each byte of each lane touches, one by one.
std::set<std::uint64_t> touched_sectors(const LaneAddresses& lanes, unsigned bytes) {
  std::set<std::uint64_t> sectors;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if (((lanes.mask >> lane) & 1u) == 0) continue;
    for (unsigned b = 0; b < bytes; ++b) sectors.insert((lanes.address[lane] + b) / 32);
  }
  return sectors;
}

void check_properties(const LaneAddresses& lanes, unsigned bytes) {
  const std::vector<MemoryRange> got = ranges(lanes, bytes);
  std::set<std::uint64_t> covered;
  bool shape = true, ascending = true, minimal = true;
  std::uint64_t end_of_previous = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const MemoryRange& m = got[i];
    const std::uint64_t end = m.address + m.bytes;
    shape &= m.bytes > 0 && m.address % 32 == 0 && m.bytes % 32 == 0;
    shape &= m.address / 128 == (end - 1) / 128;
    ascending &= i == 0 || m.address >= end_of_previous;  // and therefore disjoint
    // Two ranges that touch inside a line could have been one.
    minimal &= i == 0 || m.address != end_of_previous || m.address % 128 == 0;
    for (std::uint64_t s = m.address / 32; s < end / 32; ++s) covered.insert(s);
    end_of_previous = end;
  }
  REQUIRE(shape);
  REQUIRE(ascending);
  REQUIRE(minimal);
  REQUIRE(covered == touched_sectors(lanes, bytes));
}

}  // namespace

TEST_CASE("all lanes in one sector are one request") {
  check_ranges(ranges(strided(0x1004, 0), 4), {{0x1000, 32}});
}

TEST_CASE("a stride of 4 bytes is one line") {
  check_ranges(ranges(strided(0x2000, 4), 4), {{0x2000, 128}});
  check_ranges(ranges(strided(0x2000 + 31 * 4, -4), 4), {{0x2000, 128}});
}

TEST_CASE("a misaligned warp touches five sectors of two lines") {
  check_ranges(ranges(strided(0x2010, 4), 4), {{0x2000, 128}, {0x2080, 32}});
}

TEST_CASE("16 bytes a lane are four lines") {
  check_ranges(ranges(strided(0x4000, 16), 16), {{0x4000, 128}, {0x4080, 128}, {0x4100, 128}, {0x4180, 128}});
}

TEST_CASE("a misaligned 16-byte lane touches both sectors") {
  check_ranges(ranges(strided(0x1018, 0, 1), 16), {{0x1000, 64}});
  check_ranges(ranges(strided(0x1010, 0, 1), 16), {{0x1000, 32}});
  check_ranges(ranges(strided(0x1011, 0, 1), 16), {{0x1000, 64}});
}

TEST_CASE("a lane across a line border is two requests") {
  check_ranges(ranges(strided(0x107c, 0, 1), 8), {{0x1060, 32}, {0x1080, 32}});
}

TEST_CASE("a hole inside a line splits the request") {
  check_ranges(ranges(strided(0x1000, 64, 3), 4), {{0x1000, 32}, {0x1040, 32}});
}

TEST_CASE("only active lanes count, and none means nothing") {
  check_ranges(ranges(strided(0x1000, 4096, 0x80000001u), 4), {{0x1000, 32}, {0x1000 + 31 * 4096, 32}});
  CHECK(ranges(strided(0x1000, 4, 0), 4).empty());
}

TEST_CASE("requests are appended to what is there") {
  std::vector<MemoryRange> out{{7, 7}};
  coalesce(strided(0x1000, 0), 4, out);
  check_ranges(out, {{7, 7}, {0x1000, 32}});
}

TEST_CASE("addresses at the top of the address space") {
  check_ranges(ranges(strided(0xffffffffffffff80ull, 4), 4), {{0xffffffffffffff80ull, 128}});
}

TEST_CASE("an access past the top of the address space goes on at the bottom") {
  // The last two bytes and the first two.
  check_ranges(ranges(strided(~std::uint64_t{0} - 1, 0, 1), 4), {{0, 32}, {0xffffffffffffffe0ull, 32}});
  // Lanes from 0x40 downwards: 0 to 16 at 0x40 to 0, the other 15 below, at the top.
  check_ranges(ranges(strided(0x40, -4), 4), {{0, 96}, {0xffffffffffffffc0ull, 64}});
}

TEST_CASE("the bytes of accesses around the end of the address space") {
  Random r(31);
  for (int round = 0; round < 4000; ++round) {
    const unsigned bytes = 1 + r.below(32);
    const unsigned span = 32u << r.below(6);
    LaneAddresses lanes;
    lanes.mask = static_cast<std::uint32_t>(r.next()) | 1u;
    for (auto& a : lanes.address) a = r.below(2 * span) - std::uint64_t{span};
    std::set<std::uint64_t> expected, got;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) {
      for (unsigned b = 0; b < bytes && ((lanes.mask >> lane) & 1u) != 0; ++b)
        expected.insert(lanes.address[lane] + b);
    }
    const std::vector<MemoryRange> touched = ranges(lanes, bytes);
    std::vector<ByteMask> masks;
    accessed_bytes(lanes, bytes, touched, masks);
    REQUIRE(masks.size() == touched.size());
    std::set<std::uint64_t> sectors;
    for (std::size_t i = 0; i < touched.size(); ++i) {
      for (unsigned b = 0; b < touched[i].bytes; b += 32) sectors.insert((touched[i].address + b) / 32);
      for (unsigned b = 0; b < 128; ++b) {
        if (((masks[i][b / 32] >> b % 32) & 1u) != 0) got.insert(touched[i].address + b);
      }
    }
    REQUIRE(sectors == touched_sectors(lanes, bytes));
    REQUIRE(got == expected);
  }
}

TEST_CASE("random accesses cover exactly the touched sectors, as few ranges as possible") {
  Random r(23);
  for (int round = 0; round < 4000; ++round) {
    const unsigned bytes = 1u << r.below(6);
    // Addresses from a single line to far apart, aligned as hardware demands or not at all.
    const unsigned span = 64u << r.below(10);
    const bool aligned = r.below(2) != 0;
    LaneAddresses lanes;
    lanes.mask = static_cast<std::uint32_t>(r.next());
    for (auto& a : lanes.address) {
      a = 0x7f0000000000ull + r.below(span);
      if (aligned) a -= a % bytes;
    }
    check_properties(lanes, bytes);
  }
}

TEST_CASE("random strides and widths that are no power of two") {
  Random r(29);
  for (int round = 0; round < 4000; ++round) {
    const auto stride = static_cast<std::int64_t>(r.below(400)) - 200;
    check_properties(strided(0x100000 + r.below(1000), stride, static_cast<std::uint32_t>(r.next())),
                     1 + r.below(32));
  }
}

TEST_CASE("accessed bytes: lanes 0 and 2 of a store of 4 bytes, and one across two sectors and lines") {
  std::vector<ByteMask> masks;
  LaneAddresses lanes = strided(0x1000, 4, 0b101);
  accessed_bytes(lanes, 4, ranges(lanes, 4), masks);
  REQUIRE(masks.size() == 1);
  CHECK(masks[0] == ByteMask{0xf0f, 0, 0, 0});
  CHECK(!all_bytes(masks[0], 32));
  // Bytes 0x107c to 0x1083: the end of one line and the begin of the next.
  masks.clear();
  lanes = strided(0x107c, 8, 1);
  accessed_bytes(lanes, 8, ranges(lanes, 8), masks);
  CHECK(masks == std::vector<ByteMask>{{0xf0000000, 0, 0, 0}, {0xf, 0, 0, 0}});
  // A whole warp of 4 bytes fills a line. If a warp touches all of two sectors, both are needed.
  masks.clear();
  lanes = strided(0x1000, 4);
  accessed_bytes(lanes, 4, ranges(lanes, 4), masks);
  CHECK(masks == std::vector<ByteMask>{{whole_sector, whole_sector, whole_sector, whole_sector}});
  CHECK(all_bytes(masks[0], 128));
  CHECK(all_bytes({whole_sector, 1, 0, 0}, 32));
  CHECK(!all_bytes({whole_sector, 1, 0, 0}, 64));
}

TEST_CASE("accessed bytes: any lanes, byte by byte") {
  Random random(5);
  for (unsigned n = 0; n < 500; ++n) {
    LaneAddresses lanes;
    lanes.mask = static_cast<std::uint32_t>(random.next()) | 1u;
    const unsigned bytes = 1u << random.below(5);
    for (auto& a : lanes.address) a = 0x4000 + random.below(random.below(2) == 0 ? 200 : 2000);
    const std::vector<MemoryRange> touched = ranges(lanes, bytes);
    std::vector<ByteMask> masks;
    accessed_bytes(lanes, bytes, touched, masks);
    REQUIRE(masks.size() == touched.size());
    std::set<std::uint64_t> expected, got;
    for (unsigned l = 0; l < warp_lanes; ++l) {
      if (((lanes.mask >> l) & 1u) == 0) continue;
      for (unsigned b = 0; b < bytes; ++b) expected.insert(lanes.address[l] + b);
    }
    for (std::size_t r = 0; r < touched.size(); ++r) {
      for (unsigned b = 0; b < 128; ++b) {
        if (((masks[r][b / 32] >> b % 32) & 1u) != 0) got.insert(touched[r].address + b);
      }
    }
    CHECK(got == expected);
  }
}

TEST_CASE("lanes whose stride is known give the same requests and bytes as any others") {
  Random r(31);
  for (int round = 0; round < 4000; ++round) {
    const unsigned bytes = 1 + r.below(32);
    const std::uint64_t stride = r.below(4) == 0 ? 1 + r.below(40) : bytes;
    LaneAddresses lanes;
    lanes.mask = r.below(3) == 0 ? ~0u : static_cast<std::uint32_t>(r.next());
    // At times around the end of the address space.
    std::uint64_t at = std::uint64_t{r.below(4) == 0 ? 0u : 0x100000u} + r.below(600) - 300;
    for (const unsigned lane : bits::each(lanes.mask)) {
      lanes.address[lane] = at;
      at += stride;
    }
    LaneAddresses known = lanes;
    known.stride = stride;
    const std::vector<MemoryRange> expected = ranges(lanes, bytes);
    check_ranges(ranges(known, bytes), expected);
    for (const RequestShape shape : {RequestShape::sectors, RequestShape::single_sectors}) {
      std::vector<MemoryRange> shaped = expected;
      shape_requests(shaped, shape);
      std::vector<ByteMask> one_by_one, at_once;
      accessed_bytes(lanes, bytes, shaped, one_by_one);
      accessed_bytes(known, bytes, shaped, at_once);
      REQUIRE(at_once == one_by_one);
    }
  }
}

TEST_CASE("requests of a power-of-two shape are as few as their alignment allows") {
  for (unsigned first = 0; first < 4; ++first) {
    for (unsigned count = 1; first + count <= 4; ++count) {
      const std::uint64_t begin = 0x1000 + first * sector_bytes;
      std::vector<MemoryRange> ranges{{begin, count * sector_bytes}};
      shape_requests(ranges, RequestShape::sectors);
      REQUIRE(ranges.size() == 1);
      shape_requests(ranges, RequestShape::power_of_two);
      std::uint64_t next = begin;
      for (const MemoryRange& r : ranges) {
        CHECK(r.address == next);
        CHECK((r.bytes & (r.bytes - 1)) == 0);
        CHECK(r.address % r.bytes == 0);
        next += r.bytes;
      }
      CHECK(next == begin + count * sector_bytes);
      const bool aligned = (count & (count - 1)) == 0 && first % count == 0;
      CHECK(ranges.size() == (aligned ? 1 : 2));
    }
  }
}

}  // namespace coalescer_policy_test
