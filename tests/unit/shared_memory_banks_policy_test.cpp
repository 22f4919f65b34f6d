#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"
#include "subcore/model/policy/shared_memory_banks.h"

namespace shared_memory_banks_policy_test {

using namespace subcore;

namespace {

LaneAddresses strided(std::uint64_t base, std::uint64_t stride, std::uint32_t mask = ~0u) {
  LaneAddresses lanes;
  lanes.mask = mask;
  for (unsigned i = 0; i < warp_lanes; ++i) lanes.address[i] = base + stride * i;
  return lanes;
}

unsigned passes(const LaneAddresses& lanes, unsigned bytes = 4, bool atomic = false, unsigned banks = 32) {
  return shared_memory_passes(lanes, bytes, banks, atomic).passes;
}

// A reference that puts every byte of every lane into sets.
unsigned reference(const LaneAddresses& lanes, unsigned bytes, unsigned banks, bool atomic) {
  const unsigned part = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  unsigned sum = 0;
  for (unsigned begin = 0; begin < 32; begin += part) {
    std::map<std::uint64_t, std::multiset<std::uint64_t>> wanted;  // by bank
    for (unsigned lane = begin; lane < begin + part; ++lane) {
      if (((lanes.mask >> lane) & 1u) == 0) continue;
      std::set<std::uint64_t> words;
      for (unsigned b = 0; b < bytes; ++b) words.insert((lanes.address[lane] + b) / 4);
      for (const std::uint64_t w : words) {
        auto& bank = wanted[w % banks];
        if (atomic || bank.count(w) == 0) bank.insert(w);
      }
    }
    std::size_t most = 0;
    for (const auto& bank : wanted) most = std::max(most, bank.second.size());
    sum += static_cast<unsigned>(most);
  }
  return sum;
}

}  // namespace

TEST_CASE("lanes in different banks need one pass, whatever their order") {
  CHECK(passes(strided(0, 4)) == 1);
  CHECK(passes(strided(0x1c, 4)) == 1);
  CHECK(passes(strided(0, 12)) == 1);   // 3 is odd: all 32 banks
  CHECK(passes(strided(0, 132)) == 1);  // a column of a padded 32 x 33 array
  CHECK(passes(strided(0, 4, 0)) == 0);
}

TEST_CASE("a stride of n words conflicts as often as n and the banks have a common divisor") {
  CHECK(passes(strided(0, 8)) == 2);
  CHECK(passes(strided(0, 16)) == 4);
  CHECK(passes(strided(0, 128)) == 32);
  CHECK(passes(strided(0, 128, 0xff)) == 8);
  CHECK(passes(strided(0, 8), 4, false, 16) == 4);
}

TEST_CASE("a word is given to every lane that wants it, and parts of a word are the word") {
  CHECK(passes(strided(0x40, 0)) == 1);
  CHECK(passes(strided(0, 1), 1) == 1);
  CHECK(passes(strided(0, 2), 2) == 1);
  LaneAddresses two = strided(0, 0);
  for (unsigned l = 16; l < 32; ++l) two.address[l] = 128;  // the same bank, another word
  CHECK(passes(two) == 2);
}

TEST_CASE("8 bytes a lane are served in halves, 16 bytes in quarters") {
  CHECK(passes(strided(0, 8), 8) == 2);
  CHECK(passes(strided(0, 16), 16) == 4);
  CHECK(passes(strided(0, 16, 0xff), 16) == 1);
  CHECK(passes(strided(0, 16), 8) == 4);   // each half: every second pair of banks
  CHECK(passes(strided(0, 32), 16) == 8);  // rows of 32 bytes
  CHECK(shared_memory_passes(strided(0, 32), 16, 32, false).parts == 4);
}

TEST_CASE("matrices are served one after another, and only passes beyond one for each are conflicts") {
  const auto moved = [](const LaneAddresses& lanes, unsigned matrices, unsigned banks = 32) {
    const SharedMemoryPasses p = matrix_passes(lanes, matrices, banks);
    return std::pair(p.passes, p.parts);
  };
  using Pair = std::pair<unsigned, unsigned>;
  for (const unsigned matrices : {1u, 2u, 4u}) {
    CHECK(moved(strided(0x400, 16), matrices) == Pair(matrices, matrices));      // rows side by side
    CHECK(moved(strided(0x400, 144), matrices) == Pair(matrices, matrices));     // rows of 128 bytes, padded
    CHECK(moved(strided(0x400, 32), matrices) == Pair(2 * matrices, matrices));  // every second row
    CHECK(moved(strided(0x400, 128), matrices) == Pair(8 * matrices, matrices));
    CHECK(moved(strided(0x400, 16), matrices, 16) == Pair(2 * matrices, matrices));
  }
  // The lanes behind the rows repeat an address, or have any.
  LaneAddresses lanes = strided(0, 16);
  for (unsigned l = 8; l < 32; ++l) lanes.address[l] = std::uint64_t{4096} * l;
  CHECK(moved(lanes, 1) == Pair(1, 1));
  CHECK(moved(lanes, 2) == Pair(9, 2));
  CHECK(moved(strided(0, 16, 0xff00), 1) == Pair(1, 1));
}

TEST_CASE("atomics on one word take turns") {
  CHECK(passes(strided(0, 4), 4, true) == 1);
  CHECK(passes(strided(0x40, 0), 4, true) == 32);
  CHECK(passes(strided(0x40, 0, 0x111), 4, true) == 3);
}

TEST_CASE("random accesses agree with counting words in sets") {
  Random r(41);
  for (int round = 0; round < 4000; ++round) {
    const unsigned bytes = round % 4 == 0 ? 1 + r.below(32) : 1u << r.below(6);
    const unsigned banks = 1u << r.below(7);
    const unsigned span = 16u << r.below(10);
    const bool atomic = r.below(4) == 0;
    LaneAddresses lanes;
    lanes.mask = static_cast<std::uint32_t>(r.next());
    // Some around the end of the address space, where addresses wrap.
    const std::uint64_t base = r.below(4) == 0 ? std::uint64_t{0} - span / 2 : 0x100;
    for (auto& a : lanes.address) a = base + r.below(span);
    REQUIRE(shared_memory_passes(lanes, bytes, banks, atomic).passes ==
            reference(lanes, bytes, banks, atomic));
  }
}

TEST_CASE("a walk through an array agrees with counting words in sets, also with a lane out of place") {
  Random r(42);
  for (int round = 0; round < 4000; ++round) {
    const unsigned bytes = 1u << r.below(4);
    const unsigned banks = 1u << r.below(7);
    LaneAddresses lanes = strided(r.below(4) == 0 ? std::uint64_t{0} - 64 : 0x100 + r.below(8), 4);
    lanes.mask = r.below(4) == 0 ? ~0u : static_cast<std::uint32_t>(r.next());
    if (r.below(2) == 0) lanes.address[r.below(32)] += 4 * r.below(64);
    for (const bool atomic : {false, true})
      REQUIRE(shared_memory_passes(lanes, bytes, banks, atomic).passes ==
              reference(lanes, bytes, banks, atomic));
  }
}

}  // namespace shared_memory_banks_policy_test
