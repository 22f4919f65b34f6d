#include "subcore/model/trace/addresses.h"

#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

namespace addresses_test {

using namespace subcore;

namespace {

// The step from each active lane to the next, if all steps are the same; else 0.
std::uint64_t stride_of(const LaneAddresses& lanes) {
  std::vector<std::uint64_t> steps;
  std::uint64_t last = 0;
  bool first = true;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes.mask >> lane & 1) == 0) continue;
    if (!first) steps.push_back(lanes.address[lane] - last);
    last = lanes.address[lane];
    first = false;
  }
  const bool same =
      !steps.empty() && std::all_of(steps.begin(), steps.end(), [&](auto s) { return s == steps.front(); });
  return same ? steps.front() : 0;
}

}  // namespace

TEST_CASE("addresses survive encoding", "[trace]") {
  std::mt19937_64 random(12345);
  std::vector<std::uint8_t> buffer;
  std::vector<LaneAddresses> all;
  for (int i = 0; i < 3000; ++i) {
    LaneAddresses lanes;
    lanes.mask = static_cast<std::uint32_t>(random() >> (random() % 40));
    std::uint64_t address = random() >> (random() % 60);
    const unsigned spread = static_cast<unsigned>(random() % 64);  // differences of every width
    const bool strided = random() % 4 == 0;
    const std::uint64_t stride = random() >> spread;
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
      if (lanes.mask >> lane & 1) {
        lanes.address[lane] = address;
        const std::uint64_t step = strided ? stride : random() >> spread;
        address = random() % 2 && !strided ? address - step : address + step;
      }
    encode_addresses(lanes, buffer);
    all.push_back(lanes);
  }
  // Boundaries of every width.
  for (const std::int64_t step : {-128L, 127L, -129L, 128L, -32768L, 32767L, 32768L, -32769L, -2147483648L,
                                  2147483647L, 2147483648L, -2147483649L}) {
    LaneAddresses lanes;
    lanes.mask = 0x80000101u;
    lanes.address[0] = 1u << 20;
    lanes.address[8] = lanes.address[0] + static_cast<std::uint64_t>(step);
    lanes.address[31] = lanes.address[8] + 1;
    encode_addresses(lanes, buffer);
    all.push_back(lanes);
  }
  std::size_t at = 0;
  for (const LaneAddresses& wanted : all) {
    REQUIRE(at < buffer.size());
    LaneAddresses got;
    decode_addresses(buffer.data() + at, wanted.mask, got);
    REQUIRE(got.mask == wanted.mask);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
      if (wanted.mask >> lane & 1) REQUIRE(got.address[lane] == wanted.address[lane]);
    REQUIRE(got.stride == stride_of(wanted));
    at += encoded_size(buffer.data() + at);
  }
  CHECK(at == buffer.size());
}

TEST_CASE("usual accesses take little room", "[trace]") {
  LaneAddresses lanes;
  lanes.mask = 0xffffffffu;
  for (unsigned i = 0; i < warp_lanes; ++i) lanes.address[i] = 0x7f4000100000u + 4 * i;
  std::vector<std::uint8_t> out;
  encode_addresses(lanes, out);
  CHECK(out.size() <= 20);
  lanes.address[16] += 64;
  out.clear();
  encode_addresses(lanes, out);
  CHECK(out.size() <= 48);
  // Pairs of lanes read the same word. Steps of 0 and 4 take a byte each.
  for (unsigned i = 0; i < warp_lanes; ++i) lanes.address[i] = 0x7f4000100000u + 4 * (i / 2);
  out.clear();
  encode_addresses(lanes, out);
  CHECK(out.size() <= 48);
}

TEST_CASE("steps between lanes take as few bytes as the widest of them needs", "[trace]") {
  struct Case {
    std::int64_t step;
    std::size_t bytes;
  };
  for (const Case& c : {Case{127, 1}, Case{-128, 1}, Case{128, 2}, Case{-129, 2}, Case{32767, 2},
                        Case{-32768, 2}, Case{32768, 4}, Case{-32769, 4}, Case{2147483647, 4},
                        Case{-2147483648, 4}, Case{2147483648, 8}, Case{-2147483649, 8}}) {
    CAPTURE(c.step);
    const std::int64_t steps[] = {c.step, 0};
    std::vector<std::uint8_t> out;
    encode_deltas(0x100000000, steps, 2, out);
    CHECK(out.size() == 11 + 2 * c.bytes);  // length, form and first address take 11 bytes
  }
}

}  // namespace addresses_test
