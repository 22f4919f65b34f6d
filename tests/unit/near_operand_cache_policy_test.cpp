// The near cache: by example; with every operand right over random programs; and with the hits of Belady's
// replacement if the near bits are Belady's.
#include <catch2/catch.hpp>

#include "subcore/model/passes/reuse.h"
#include "subcore/model/policy/operand_cache/near.h"
#include "tests/unit/operand_cache_rig.h"

namespace near_operand_cache_policy_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// A warp whose instructions name their near operands.
struct NearWarp : CachedWarp {
  using CachedWarp::CachedWarp;
  Instruction& add_near(const std::vector<Register>& destinations, const std::vector<Register>& sources,
                        unsigned near_destinations, unsigned near_sources, std::uint32_t mask = ~0u) {
    Instruction& i = add(destinations, sources, mask);
    i.destination_near = static_cast<std::uint16_t>(near_destinations);
    i.source_near = near_sources;
    i.followed = true;
    return i;
  }
};

bool hits(NearOperandCache& cache, const Instruction& i, unsigned source = 0) {
  return cache.read(i, source).hit;
}
// Issues an instruction that has looked nothing up, and brings its sources and results.
void pass(NearOperandCache& cache, const Instruction& i, std::uint32_t bank = 1) {
  cache.issued(i);
  for (unsigned s = 0; s < i.source_count; ++s) cache.filled(i, s, {bank, 0, i.register_id(i.source(s)), 0});
  for (unsigned d = 0; d < i.destination_count; ++d) cache.written(i, d);
}

}  // namespace

TEST_CASE("near cache: a near source is kept once the banks have brought it, a far one is not") {
  NearOperandCache cache(1, 2, NearScope::warp);
  NearWarp warp;
  const Instruction& first = warp.add_near({}, {1, 2}, 0, 1);
  CHECK_FALSE(hits(cache, first));
  cache.issued(first);
  const Instruction& second = warp.add_near({}, {1}, 0, 1);
  const OperandCachePolicy::Lookup early = cache.read(second, 0);
  REQUIRE(early.hit);
  REQUIRE(early.on_its_way);  // the first source of the first instruction
  CHECK(early.on_its_way->sequence == 0);
  CHECK(early.on_its_way->source == 0);
  cache.issued(second);
  CHECK(cache.filled(first, 0, {7}));
  CHECK_FALSE(cache.filled(first, 1, {8}));
  const Instruction& third = warp.add_near({}, {1, 2}, 0, 0);
  CHECK(cache.read(third, 0).version.write == 7);
  CHECK_FALSE(cache.read(third, 0).on_its_way);
  CHECK_FALSE(hits(cache, third, 1));
  cache.issued(third);  // far: read for the last time
  CHECK_FALSE(hits(cache, warp.add_near({}, {1}, 0, 0)));
}

TEST_CASE("near cache: results go to the banks, and near ones stay here as well") {
  NearOperandCache cache(1, 2, NearScope::warp);
  NearWarp warp;
  const Instruction& writes = warp.add_near({1, 2}, {}, 1, 0);
  CHECK(cache.to_banks(writes) == 0xff);
  cache.issued(writes);
  const Instruction& reads = warp.add_near({}, {1, 2}, 0, 3);
  CHECK_FALSE(hits(cache, reads, 0));  // not written yet
  CHECK(cache.written(writes, 0));
  CHECK_FALSE(cache.written(writes, 1));
  CHECK(hits(cache, reads, 0));
  CHECK_FALSE(hits(cache, reads, 1));
  cache.issued(reads);
  cache.issued(warp.add_near({1}, {}, 0, 0));  // a far result ends the older value
  CHECK_FALSE(hits(cache, reads, 0));
  CHECK(cache.dirty().empty());
}

TEST_CASE("near cache: a result counts as used when it is hit first, or as unused when it leaves unread") {
  NearOperandCache cache(1, 2, NearScope::warp);
  NearWarp warp;
  pass(cache, warp.add_near({1, 2}, {}, 3, 0));
  CHECK(cache.unread() == std::uint64_t{2});
  const Instruction& reads = warp.add_near({}, {1}, 0, 1);
  CHECK(hits(cache, reads));
  CHECK(hits(cache, reads));
  CHECK(cache.use().used == 1);
  CHECK(cache.use().unused == 0);
  CHECK(cache.unread() == std::uint64_t{1});
  pass(cache, warp.add_near({2}, {}, 1, 0));  // another result of R2
  CHECK(cache.use().unused == 1);
  CHECK(cache.unread() == std::uint64_t{1});
  pass(cache, warp.add_near({1}, {}, 0, 0));  // R1 leaves, but has been read
  CHECK(cache.use().used == 1);
  CHECK(cache.use().unused == 1);
  Instruction& last = warp.add_near({}, {}, 0, 0);
  last.followed = false;
  cache.issued(last);
  CHECK(cache.use().unused == 2);
  CHECK(cache.unread() == std::uint64_t{0});
}

TEST_CASE("near cache: accumulators of a warpgroup's product leave, and other values stay") {
  NearOperandCache cache(1, 4, NearScope::warp);
  NearWarp warp;
  pass(cache, warp.add_near({24, 27, 28}, {}, 7, 0));
  StaticInstruction code;
  code.warpgroup = WarpgroupStep::product;
  code.accumulators = {24, 4, true};
  Instruction& product = warp.add_near({}, {}, 0, 0);
  product.code = &code;
  const Instruction& reads = warp.add_near({}, {24, 27, 28}, 0, 7);
  CHECK(hits(cache, reads, 0));
  cache.issued(product);
  CHECK_FALSE(hits(cache, reads, 0));
  CHECK_FALSE(hits(cache, reads, 1));
  CHECK(hits(cache, reads, 2));
}

TEST_CASE("near cache: a result of some lanes completes what is here or comes, and makes no entry") {
  NearOperandCache cache(1, 4, NearScope::warp);
  NearWarp warp;
  pass(cache, warp.add_near({1, 2}, {}, 1, 0));
  const Instruction& some = warp.add_near({1, 2}, {}, 3, 0, 0xff);
  cache.issued(some);
  CHECK(cache.written(some, 0));
  CHECK_FALSE(cache.written(some, 1));
  const Instruction& reads = warp.add_near({}, {1}, 0, 1);
  CHECK(cache.read(reads, 0).version == some.result(0));
  cache.issued(reads);
  // When the instruction issues, its own source is on its way. The value is far as a source, and near as the
  // value that it completes.
  const Instruction& own = warp.add_near({2}, {2}, 1, 1, 0xff);
  CHECK_FALSE(hits(cache, own));
  cache.issued(own);
  CHECK(cache.filled(own, 0, some.result(1)));
  CHECK(cache.written(own, 0));
  CHECK(cache.read(warp.add_near({}, {2}, 0, 0), 0).version == own.result(0));
  const Instruction& again = warp.add_near({2}, {2}, 1, 0, 0xff);
  cache.issued(again);
  CHECK(cache.written(again, 0));
}

TEST_CASE("near cache: a copy lacks the lanes that a result without older value left out") {
  NearOperandCache cache(1, 2, NearScope::warp);
  NearWarp warp;
  pass(cache, warp.add_near({1}, {}, 0, 0));
  Instruction& fresh = warp.add_near({1}, {}, 1, 0, 0xff);
  fresh.fresh = 1;  // the values of the other lanes are not needed
  pass(cache, fresh);
  const Instruction& reads = warp.add_near({}, {1}, 0, 1);
  CHECK(cache.read(reads, 0).version == fresh.result_alone(0));
  const Instruction& some = warp.add_near({1}, {}, 1, 0, 0xff00);
  pass(cache, some);
  CHECK(cache.read(warp.add_near({}, {1}, 0, 1), 0).version.lost == 0xffff0000);
}

TEST_CASE("near cache: the least recently used entry gives way, in a pool whosever it is") {
  for (const NearScope scope : {NearScope::warp, NearScope::pool}) {
    NearOperandCache cache(2, 2, scope);
    NearWarp warp(1, 0), other(2, 1);
    pass(cache, warp.add_near({1}, {}, 1, 0));
    pass(cache, warp.add_near({2}, {}, 1, 0));
    cache.issued(warp.add_near({}, {1}, 0, 1));
    pass(cache, other.add_near({1}, {}, 1, 0));
    const bool pool = scope == NearScope::pool;
    const Instruction& reads = warp.add_near({}, {1, 2}, 0, 3);
    CHECK(hits(cache, reads, 0));
    CHECK(hits(cache, reads, 1) != pool);
    CHECK(hits(cache, other.add_near({}, {1}, 0, 1)));
    if (pool)
      CHECK(cache.taken_from_others() == std::uint64_t{1});
    else
      CHECK_FALSE(cache.taken_from_others());
    Instruction& last = warp.add_near({}, {}, 0, 0);
    last.followed = false;
    cache.issued(last);
    CHECK_FALSE(hits(cache, reads, 0));
    CHECK(hits(cache, other.add_near({}, {1}, 0, 1)));
  }
}

TEST_CASE("near cache: every operand is right over random programs, whatever the near bits", "[property]") {
  CacheRig::Counters sum;
  std::uint64_t early = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    NearOperandCache cache(1, 1 + random.below(6), seed % 2 == 0 ? NearScope::warp : NearScope::pool);
    CacheRig rig(cache, random);
    std::vector<Register> registers;
    for (unsigned r = 4 + random.below(8); r > 0; --r) registers.push_back(static_cast<Register>(r));
    for (std::uint32_t uid = 1; uid <= 3; ++uid) {
      INFO("seed " << seed << ", warp " << uid);
      CachedWarp warp(uid);
      for (unsigned n = 0; n < 100; ++n) add_random(warp, random, registers);
      for (Instruction& i : warp.all) {
        i.source_near = random.below(8);
        i.destination_near = static_cast<std::uint16_t>(random.below(4));
        i.followed = &i != &warp.all.back();
      }
      rig.run(warp);
    }
    sum.hits += rig.counters.hits;
    sum.misses += rig.counters.misses;
    sum.cached += rig.counters.cached;
    sum.fills += rig.counters.fills;
    early += rig.counters.early_hits;
  }
  CHECK(sum.hits > 10000);
  CHECK(sum.misses > 10000);
  CHECK(sum.cached > 5000);
  CHECK(sum.fills > 5000);
  CHECK(early > 500);
}

TEST_CASE("near cache: with the bits of Belady's replacement it hits as often as that", "[property]") {
  std::uint64_t all = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::vector<Register> registers;
    for (unsigned r = 4 + random.below(12); r > 0; --r) registers.push_back(static_cast<Register>(r));
    CachedWarp warp;
    for (unsigned n = 0; n < 200; ++n) add_random(warp, random, registers);
    CodeTable code;
    WarpTrace trace;
    for (const Instruction& i : warp.all) {
      code.instructions.push_back(*i.code);
      trace.records.push_back({static_cast<std::uint32_t>(i.sequence), i.mask});
    }
    NearBitOptions options;
    options.source = NearBitsSource::oracle;
    options.store = {1 + random.below(6), false};
    annotate_dynamic(trace, code, options);
    const std::uint64_t most = run_belady(trace, code, options.store, [](OperandTouch, bool) {});
    NearOperandCache cache(1, options.store.entries, NearScope::warp);
    std::uint64_t found = 0;
    for (Instruction& i : warp.all) {
      const NearBits near = trace.near[i.sequence];
      i.source_near = static_cast<SourceSet>(near);
      i.destination_near = static_cast<std::uint16_t>(near >> max_sources);
      i.followed = &i != &warp.all.back();
      for (unsigned s = 0; s < i.source_count; ++s) found += hits(cache, i, s);
      pass(cache, i);
    }
    CAPTURE(seed);
    REQUIRE(found == most);
    all += found;
  }
  CHECK(all > 10000);
}

}  // namespace near_operand_cache_policy_test
