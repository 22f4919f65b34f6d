// RFC: by example, and with every operand right over random programs.
#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/rfc.h"
#include "tests/unit/operand_cache_rig.h"

namespace rfc_policy_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Back = std::vector<std::pair<unsigned, std::uint32_t>>;

// The values that the policy has pushed out since the last look.
Back back(OperandCachePolicy& policy) {
  Back all;
  for (const auto& d : policy.dirty()) all.emplace_back(d.reg, d.version.write);
  policy.clear_dirty();
  return all;
}

void write(OperandCachePolicy& policy, const Instruction& i) {
  for (unsigned d = 0; d < i.destination_count; ++d) CHECK(policy.written(i, d));
}

void enter(OperandCachePolicy& policy, std::initializer_list<unsigned> warp_slots = {0}) {
  std::vector<Register> missing;
  for (const unsigned s : warp_slots) policy.enter(s, Instruction{}, missing);
  CHECK(missing.empty());
}

}  // namespace

TEST_CASE("RFC: results are found, reads do not allocate") {
  Rfc cache(2, 2, PartialWrite::safe);
  enter(cache, {0, 1});
  CachedWarp warp(7, 1), other(8, 0);
  const Instruction& reads = warp.add({}, {1});
  CHECK_FALSE(cache.read(reads, 0).hit);
  CHECK(cache.read(reads, 0).searched);
  cache.issued(reads);
  CHECK(cache.size(1) == 0);
  CHECK_FALSE(cache.read(reads, 0).hit);

  const Instruction& writes = warp.add({1}, {});
  CHECK(cache.to_banks(writes) == 0);
  write(cache, writes);
  const Instruction& again = warp.add({}, {1});
  CHECK(cache.read(again, 0).hit);
  CHECK(cache.read(again, 0).version.write == 1);
  CHECK_FALSE(cache.read(other.add({}, {1}), 0).hit);  // each warp slot has its own cache
  CHECK(back(cache).empty());
}

TEST_CASE("RFC: the oldest entry goes, and an overwritten one does not grow younger") {
  Rfc cache(1, 2, PartialWrite::safe);
  enter(cache);
  CachedWarp warp;
  write(cache, warp.add({1}, {}));
  write(cache, warp.add({2}, {}));
  write(cache, warp.add({1}, {}));
  CHECK(back(cache).empty());
  write(cache, warp.add({3}, {}));
  CHECK(back(cache) == Back{{1, 2}});
  write(cache, warp.add({4}, {}));
  CHECK(back(cache) == Back{{2, 1}});
  CHECK(cache.size(0) == 2);
}

TEST_CASE("RFC: an overwritten entry may count as new") {
  Rfc cache(1, 3, PartialWrite::safe, Overwrite::counts_as_new);
  enter(cache);
  CachedWarp warp;
  for (const Register r : std::vector<Register>{1, 2, 3}) write(cache, warp.add({r}, {}));
  write(cache, warp.add({1}, {}));
  write(cache, warp.add({4}, {}));
  CHECK(back(cache) == Back{{2, 1}});
  write(cache, warp.add({3}, {}));
  write(cache, warp.add({5}, {}));
  CHECK(back(cache) == Back{{1, 2}});
  CHECK(cache.read(warp.add({}, {3}), 0).version.write == 2);
}

TEST_CASE("RFC: what comes for a pending warp goes to the banks") {
  Rfc cache(1, 2, PartialWrite::safe);
  CachedWarp warp;
  const Instruction& early = warp.add({1}, {});
  CHECK(cache.to_banks(early) == 0xff);
  CHECK_FALSE(cache.written(early, 0));
  enter(cache);
  const Instruction& held = warp.add({1}, {});
  CHECK(cache.to_banks(held) == 0);
  write(cache, held);
  cache.leave(0);
  CHECK(back(cache) == Back{{1, 2}});
  const Instruction& late = warp.add({1}, {});  // issued before the warp was demoted
  CHECK(cache.to_banks(late) == 0xff);
  CHECK_FALSE(cache.written(late, 0));
  CHECK(cache.size(0) == 0);
  enter(cache);
  CHECK_FALSE(cache.read(warp.add({}, {1}), 0).hit);
}

TEST_CASE("RFC: what was read for the last time is dropped, unless it is written again") {
  Rfc cache(1, 2, PartialWrite::safe);
  enter(cache);
  CachedWarp warp;
  write(cache, warp.add({1}, {}));
  write(cache, warp.add({2}, {}));
  const Instruction& last = warp.add({}, {1, 2});
  warp.annotation(2).last_use = 0b11;
  CHECK(cache.read(last, 0).hit);
  CHECK(cache.read(last, 1).hit);
  const Instruction& revived = warp.add({2}, {});
  write(cache, revived);
  write(cache, warp.add({3}, {}));
  CHECK(back(cache).empty());  // R1 was dead
  write(cache, warp.add({4}, {}));
  CHECK(back(cache) == Back{{2, 2}});
}

TEST_CASE("RFC: long-latency results go to the banks, and end the copy when they issue") {
  Rfc cache(1, 4, PartialWrite::safe);
  enter(cache);
  CachedWarp warp;
  write(cache, warp.add({1, 2}, {}));
  const Instruction& load = warp.add({1}, {}, ~0u, true);
  cache.issued(load);
  CHECK(back(cache).empty());  // all lanes will be written
  CHECK(cache.size(0) == 1);
  CHECK(cache.to_banks(load) == 0xff);
  CHECK_FALSE(cache.written(load, 0));
  CHECK_FALSE(cache.read(warp.add({}, {1}), 0).hit);
  // The other lanes have to be in the banks by then.
  const Instruction& some = warp.add({2}, {}, 0xff, true);
  cache.issued(some);
  CHECK(back(cache) == Back{{2, 1}});
  CHECK(cache.size(0) == 0);
}

TEST_CASE("RFC: a partial result merges but does not allocate, and goes to the banks, too") {
  for (const PartialWrite p : {PartialWrite::safe, PartialWrite::ignore}) {
    const bool safe = p == PartialWrite::safe;
    Rfc cache(1, 4, p);
    enter(cache);
    CachedWarp warp;
    const Instruction& absent = warp.add({1}, {}, 0xff);
    CHECK(cache.to_banks(absent) == (safe ? 0xff : 0));
    CHECK(cache.written(absent, 0) != safe);
    write(cache, warp.add({2}, {}));
    const Instruction& present = warp.add({2}, {}, 0xff);
    CHECK(cache.to_banks(present) == (safe ? 0xff : 0));
    CHECK(cache.written(present, 0));
    CHECK(cache.read(warp.add({}, {2}), 0).version.write == 2);
    CHECK(cache.size(0) == (safe ? 1 : 2));
  }
}

// R24 and R40 have not been read. The product's accumulators are R24 to R31.
TEST_CASE(
    "RFC: a warpgroup's product takes its accumulators out of the cache, and live ones go to the banks") {
  Rfc cache(1, 4, PartialWrite::safe);
  enter(cache);
  CachedWarp warp;
  write(cache, warp.add({24, 40}, {}));
  Instruction& product = warp.add({}, {});
  StaticInstruction code;
  code.warpgroup = WarpgroupStep::product;
  code.accumulators = {24, 8, true};
  product.code = &code;
  cache.issued(product);
  CHECK(back(cache) == Back{{24, 1}});
  CHECK(cache.size(0) == 1);
  CHECK(cache.use().unused == 1);
  CHECK(*cache.unread() == 1);
  CHECK_FALSE(cache.read(warp.add({}, {24}), 0).hit);
  CHECK(cache.read(warp.add({}, {40}), 0).hit);
}

// Six entries a warp: a place in the order of replacement takes 3 bits, and valid and dirty a bit each.
TEST_CASE("RFC: an entry has a value, a tag, and its state") {
  Inventory list;
  RfcChoice().inventory(list, 8, 6, 2);
  REQUIRE(list.parts().size() == 3);
  const HardwarePart &values = list.parts()[0], &tags = list.parts()[1], &state = list.parts()[2];
  CHECK(values.words == 8 * 6);
  CHECK(values.ports == 2);
  CHECK(tags.all_bits() == 8 * 6 * register_bits);
  CHECK(state.words == 8 * 6);
  CHECK(state.bits == 5);
}

TEST_CASE("RFC: a warp that leaves takes its live values to the banks, oldest first") {
  Rfc cache(2, 4, PartialWrite::safe);
  enter(cache, {0, 1});
  CachedWarp warp, other(2, 1);
  write(cache, warp.add({3}, {}));
  write(cache, warp.add({1, 2}, {}));
  write(cache, other.add({9}, {}));
  const Instruction& last = warp.add({}, {1});
  warp.annotation(2).last_use = 1;
  cache.read(last, 0);
  cache.leave(0);
  CHECK(back(cache) == Back{{3, 1}, {2, 1}});
  CHECK(cache.size(0) == 0);
  CHECK(cache.size(1) == 1);
  cache.leave(0);
  CHECK(back(cache).empty());
}

TEST_CASE("RFC: every operand is right, whatever leaves when") {
  CacheRig::Counters sum;
  std::uint64_t dropped = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Overwrite overwrite = seed % 3 == 0 ? Overwrite::counts_as_new : Overwrite::keeps_place;
    Rfc cache(1, 1 + random.below(8), PartialWrite::safe, overwrite);
    CacheRig rig(cache, random);
    std::vector<Register> registers;
    for (unsigned r = 4 + random.below(12); r > 0; --r) registers.push_back(static_cast<Register>(r));
    for (std::uint32_t uid = 1; uid <= 3; ++uid) {
      INFO("seed " << seed << ", warp " << uid);
      CachedWarp warp(uid);
      for (unsigned n = 0; n < 100; ++n) add_random(warp, random, registers);
      const std::vector<RegisterSet> live = warp.live_in();
      for (std::size_t n = 0; n < warp.all.size() && seed % 2 == 0; ++n) {
        const Instruction& i = warp.all[n];
        Annotation& h = warp.annotation(n);
        for (unsigned s = 0; s < i.source_count; ++s) {
          bool over = !live[n + 1][i.source(s)];
          for (unsigned d = 0; d < i.destination_count; ++d)  // the source is written by some lanes or all
            over = (over || i.destination(d) == i.source(s)) && i.mask == ~0u;
          if (over) h.last_use = h.last_use | 1u << s;
          dropped += over;
        }
      }
      rig.run(warp);
      CHECK(cache.size(0) == 0);
    }
    sum.hits += rig.counters.hits;
    sum.misses += rig.counters.misses;
    sum.write_backs += rig.counters.write_backs;
    sum.kept_from_banks += rig.counters.kept_from_banks;
    sum.leaves += rig.counters.leaves;
  }
  CHECK(sum.hits > 10000);
  CHECK(sum.misses > 10000);
  CHECK(sum.write_backs > 5000);
  CHECK(sum.kept_from_banks > 10000);
  CHECK(sum.leaves > 1000);
  CHECK(dropped > 1000);
}

}  // namespace rfc_policy_test
