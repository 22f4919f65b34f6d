// LTRF and LTRF+: by example, and with every operand right over random programs.
#include <deque>

#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/ltrf.h"
#include "tests/unit/operand_cache_rig.h"

namespace ltrf_policy_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Back = std::vector<std::pair<unsigned, std::uint32_t>>;
using List = std::vector<Register>;

Back back(OperandCachePolicy& policy) {
  Back all;
  for (const auto& d : policy.dirty()) all.emplace_back(d.reg, d.version.write);
  policy.clear_dirty();
  return all;
}

RegisterSet set_of(const List& registers) {
  RegisterSet all;
  for (const Register r : registers) all.set(r);
  return all;
}

// A warp in an interval of R1, R2 and R3, and another of R3 and R4.
struct Intervals {
  explicit Intervals(bool live_only, PartialWrite partial = PartialWrite::safe)
      : partition(1, live_only, partial) {}
  // Adds the next instruction, in one of the two.
  Instruction& add(unsigned interval, const List& destinations, const List& sources, const List& live = {},
                   std::uint32_t mask = ~0u) {
    Instruction& i = warp.add(destinations, sources, mask);
    Annotation& h = warp.annotation(i.sequence);
    h.interval = interval;
    h.working_set = &sets[interval];
    h.live_in = set_of(live);
    return i;
  }
  List enter(const Instruction& next) {
    List missing;
    partition.enter(0, next, missing);
    return missing;
  }
  bool hit(Register r) {
    Instruction& i = warp.add({}, {r});
    return partition.read(i, 0).hit;
  }
  Version copy(Register r) {
    Instruction& i = warp.add({}, {r});
    return partition.read(i, 0).version;
  }
  std::uint32_t version(Register r) { return copy(r).write; }

  const RegisterSet sets[2] = {set_of({1, 2, 3}), set_of({3, 4})};
  Ltrf partition;
  CachedWarp warp;
};

}  // namespace

TEST_CASE("LTRF: an interval's registers are asked for, and hit once they are there") {
  Intervals t(false);
  const Instruction& first = t.add(0, {1}, {2});
  CHECK(t.enter(first) == List{1, 2, 3});
  CHECK_FALSE(t.hit(2));
  t.partition.fetched(0, 2, {7});
  CHECK(t.hit(2));
  CHECK(t.version(2) == 7);
  CHECK_FALSE(t.hit(1));
  CHECK_FALSE(t.hit(4));
  CHECK_FALSE(t.partition.read(first, 0).searched);  // an interval's registers are known
  CHECK(t.partition.to_banks(first) == 0);
  CHECK(t.partition.written(first, 0));
  CHECK(t.version(1) == 1);
}

// A place in a partition of 16 entries takes 4 bits, and a bit says whether the register has a place.
TEST_CASE("LTRF: a table tells the place of each register of a warp") {
  for (const bool live_only : {false, true}) {
    LtrfChoice choice;
    choice.live_only = live_only;
    Inventory list;
    choice.inventory(list, 8, 16, 2);
    REQUIRE(list.parts().size() == 3);
    const HardwarePart &values = list.parts()[0], &places = list.parts()[1], &state = list.parts()[2];
    CHECK(values.words == 8 * 16);
    CHECK(values.ports == 2);
    CHECK(places.words == 8 * 256);
    CHECK(places.bits == 5);
    CHECK(state.words == 8 * 16);
    CHECK(state.bits == (live_only ? 3 : 2));
  }
}

TEST_CASE("LTRF: what leaves and is dirty goes back, what stays is not fetched again") {
  Intervals t(false);
  const Instruction& writes = t.add(0, {1, 3}, {});
  t.enter(writes);
  for (const Register r : List{1, 2, 3}) t.partition.fetched(0, r, {0});
  t.partition.written(writes, 0);
  t.partition.written(writes, 1);
  CHECK(t.enter(t.add(1, {}, {4})) == List{4});
  CHECK(back(t.partition) == Back{{1, 1}});
  CHECK(t.hit(3));
  CHECK_FALSE(t.hit(1));
  CHECK_FALSE(t.hit(2));
  t.partition.leave(0);
  CHECK(back(t.partition) == Back{{3, 1}});
  CHECK_FALSE(t.hit(3));
  // The warp is back: all of its registers are fetched, and clean.
  CHECK(t.enter(t.add(1, {}, {4})) == List{3, 4});
  t.partition.fetched(0, 3, {1});
  t.partition.leave(0);
  CHECK(back(t.partition).empty());
}

TEST_CASE("LTRF: a result that arrives during the prefetch wins") {
  Intervals t(false);
  const Instruction& writes = t.add(0, {1}, {});
  CHECK(t.enter(writes) == List{1, 2, 3});
  CHECK(t.partition.written(writes, 0));
  t.partition.fetched(0, 1, {0});
  CHECK(t.version(1) == 1);
  t.partition.leave(0);
  CHECK(back(t.partition) == Back{{1, 1}});
}

TEST_CASE("LTRF: a result whose register has no place goes to the banks") {
  Intervals t(false);
  const Instruction& outside = t.add(0, {1, 4}, {});
  CHECK((t.partition.to_banks(outside) & 0b11) == 0b11);  // not active at all
  CHECK_FALSE(t.partition.written(outside, 0));
  t.enter(outside);
  CHECK(t.partition.to_banks(outside) == 0b10);
  CHECK(t.partition.written(outside, 0));
  CHECK_FALSE(t.partition.written(outside, 1));
  CHECK_FALSE(t.hit(4));
}

TEST_CASE("LTRF: a partial result merges, or gives the place up") {
  Intervals t(false);
  t.add(0, {1, 2}, {});  // the value of the other lanes
  const Instruction& some = t.add(0, {1, 2}, {}, {}, 0xff);
  t.enter(some);
  t.partition.fetched(0, 1, {1});
  CHECK((t.partition.to_banks(some) & 0b11) == 0b11);
  CHECK(t.partition.written(some, 0));
  CHECK_FALSE(t.partition.written(some, 1));
  t.partition.fetched(0, 2, {1});  // may be older than the value that the banks are about to have
  CHECK(t.version(1) == 2);
  CHECK_FALSE(t.hit(2));
  CHECK(t.partition.to_banks(t.add(0, {2}, {})) == 1);
  t.partition.leave(0);
  CHECK(back(t.partition) == Back{{1, 2}});

  Intervals ignore(false, PartialWrite::ignore);
  ignore.add(0, {1}, {});
  const Instruction& whole = ignore.add(0, {1}, {}, {}, 0xff);
  ignore.enter(whole);
  CHECK(ignore.partition.to_banks(whole) == 0);
  CHECK(ignore.partition.written(whole, 0));
  CHECK(ignore.hit(1));
  CHECK(ignore.copy(1) == whole.result(0));  // counts as whole
}

// A product on R1 and R2. R1 is dirty and unread, R2 is clean.
TEST_CASE(
    "LTRF: accumulators of a warpgroup's product are the banks' until another instruction writes them") {
  Intervals t(false);
  const Instruction& writes = t.add(0, {1, 3}, {});
  t.enter(writes);
  t.partition.fetched(0, 2, {0});
  for (const unsigned d : {0u, 1u}) REQUIRE(t.partition.written(writes, d));
  Instruction& product = t.add(0, {}, {});
  StaticInstruction code = *product.code;
  code.warpgroup = WarpgroupStep::product;
  code.accumulators = {1, 2, true};
  product.code = &code;
  t.partition.issued(product);
  CHECK(back(t.partition) == Back{{1, 1}});
  CHECK(t.partition.use().unused == 1);
  CHECK(t.partition.unread() == std::uint64_t{1});  // R3
  CHECK_FALSE(t.hit(1));
  CHECK_FALSE(t.hit(2));
  CHECK(t.hit(3));
  const Instruction& again = t.add(0, {1}, {});
  CHECK(t.partition.to_banks(again) == 1);
  CHECK(t.enter(again).empty());
  t.partition.issued(again);
  CHECK(t.enter(again) == List{1});
  // Accumulators of the last warp mean nothing to the next one in the slot.
  Instruction& other = t.add(0, {}, {});
  other.warp_uid = 2;
  CHECK(t.enter(other) == List{1, 2});
  t.partition.issued(other);
  CHECK(t.enter(other) == List{1, 2});
}

TEST_CASE("LTRF+: lanes that nobody needs need not come from the banks") {
  for (const bool plus : {false, true}) {
    Intervals t(plus);
    const Instruction& first = t.add(0, {1}, {}, {}, 0xff);  // the warp's first write of R1
    CHECK(t.enter(first) == (plus ? List{} : List{1, 2, 3}));
    CHECK((t.partition.to_banks(first) & 1) == !plus);
    CHECK(t.partition.written(first, 0) == plus);
    CHECK(t.hit(1) == plus);
    const Instruction& second = t.add(0, {1}, {}, {1}, 0xff);  // merges with the first
    CHECK((t.partition.to_banks(second) & 1) == 1);
    CHECK(t.partition.written(second, 0) == plus);
    t.partition.issued(second);
    t.partition.leave(0);
    CHECK(back(t.partition) == (plus ? Back{{1, 2}} : Back{}));
  }
}

// The warp's second write of R1 leaves lanes out whose older value nobody needs. The third write adds lanes 8
// to 15.
TEST_CASE("LTRF+: a copy lacks the lanes that a result without older value left out") {
  Intervals t(true);
  t.add(0, {1}, {});
  Instruction& some = t.add(0, {1}, {}, {}, 0xff);
  some.fresh = 1;
  CHECK(t.enter(some).empty());
  CHECK((t.partition.to_banks(some) & 1) == 0);
  CHECK(t.partition.written(some, 0));
  CHECK(t.copy(1) == some.result_alone(0));
  CHECK(t.copy(1).lost == 0xffffff00);
  const Instruction& more = t.add(0, {1}, {}, {1}, 0xff00);
  CHECK((t.partition.to_banks(more) & 1) == 1);
  CHECK(t.partition.written(more, 0));
  CHECK(t.copy(1).write == 3);
  CHECK(t.copy(1).lost == 0xffff0000);
  const Instruction& all = t.add(0, {1}, {}, {1});
  CHECK(t.partition.written(all, 0));
  CHECK(t.copy(1) == all.result(0));
}

TEST_CASE("LTRF+: dead registers are neither fetched nor written back") {
  for (const bool plus : {false, true}) {
    Intervals t(plus);
    const Instruction& first = t.add(0, {1, 3}, {2}, {2});
    CHECK(t.enter(first) == (plus ? List{2} : List{1, 2, 3}));
    t.partition.issued(first);
    t.partition.written(first, 0);
    t.partition.written(first, 1);
    // R1 is over when the next interval begins.
    const Instruction& second = t.add(1, {}, {3}, {3});
    CHECK(t.enter(second) == (plus ? List{} : List{4}));
    CHECK(back(t.partition) == (plus ? Back{} : Back{{1, 1}}));
    t.partition.issued(second);
    const Instruction& third = t.add(1, {4}, {}, {});  // and R3 before this
    t.partition.issued(third);
    t.partition.written(third, 0);
    t.partition.leave(0);
    CHECK(back(t.partition) == (plus ? Back{{4, 1}} : Back{{3, 1}, {4, 1}}));
  }
}

TEST_CASE("LTRF+: what the last instruction writes is live, whatever was before it") {
  Intervals t(true);
  const Instruction& first = t.add(0, {1}, {1}, {1});
  t.enter(first);
  t.partition.fetched(0, 1, {0});
  t.partition.issued(first);
  t.partition.leave(0);  // clean: its result is still to come, and will go to the banks
  CHECK(back(t.partition).empty());
  CHECK(t.partition.to_banks(first) == 1);
}

TEST_CASE("LTRF: a kernel without intervals leaves everything to the banks") {
  Intervals t(false);
  const Instruction& i = t.warp.add({1}, {2});
  CHECK(t.enter(i).empty());
  CHECK_FALSE(t.partition.read(i, 0).hit);
  CHECK((t.partition.to_banks(i) & 1) == 1);
}

TEST_CASE("LTRF and LTRF+: every operand is right, whatever leaves when") {
  for (const bool plus : {false, true}) {
    CacheRig::Counters sum;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Random random(seed);
      Ltrf partition(1, plus, PartialWrite::safe);
      CacheRig rig(partition, random);
      for (std::uint32_t uid = 1; uid <= 3; ++uid) {
        INFO("seed " << seed << ", warp " << uid);
        CachedWarp warp(uid);
        std::deque<RegisterSet> sets;
        std::vector<std::size_t> interval;
        while (warp.all.size() < 100) {
          std::vector<Register> registers;
          for (unsigned r = 1 + random.below(6); r > 0; --r)
            registers.push_back(static_cast<Register>(random.below(12)));
          sets.push_back(set_of(registers));
          for (unsigned n = 1 + random.below(15); n > 0; --n) {
            add_random(warp, random, registers);
            interval.push_back(sets.size() - 1);
          }
        }
        const std::vector<RegisterSet> live = warp.live_in();
        for (std::size_t n = 0; n < warp.all.size(); ++n) {
          Annotation& h = warp.annotation(n);
          h.interval = static_cast<std::uint32_t>(interval[n]);
          h.working_set = &sets[interval[n]];
          h.live_in = live[n];
        }
        rig.run(warp);
      }
      sum.hits += rig.counters.hits;
      sum.misses += rig.counters.misses;
      sum.write_backs += rig.counters.write_backs;
      sum.leaves += rig.counters.leaves;
      sum.prefetches += rig.counters.prefetches;
      sum.overtaken_prefetches += rig.counters.overtaken_prefetches;
    }
    CHECK(sum.hits > 20000);
    CHECK(sum.misses > 50);  // partial results that gave their place up
    CHECK(sum.write_backs > 5000);
    CHECK(sum.leaves > 1000);
    CHECK(sum.prefetches > 5000);
    CHECK(sum.overtaken_prefetches > 100);
  }
}

}  // namespace ltrf_policy_test
