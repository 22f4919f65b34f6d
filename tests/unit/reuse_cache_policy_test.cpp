#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/fixed_window/reuse_cache.h"
#include "subcore/model/policy/random.h"

namespace reuse_cache_policy_test {

using namespace subcore;

namespace {

struct Operand {
  Register reg;
  bool flagged = false;
};

// An instruction's operands in slots A, B, C; bank = register mod 2. True for each that was there.
std::vector<bool> read(ReuseCache& cache, std::uint64_t sequence, const std::vector<Operand>& operands,
                       std::uint32_t warp = 1) {
  std::vector<bool> hits;
  for (std::size_t s = 0; s < operands.size(); ++s) {
    const ReuseCache::Filler reader{warp, sequence, static_cast<std::uint8_t>(s), 0};
    hits.push_back(
        cache.read(static_cast<unsigned>(s), reader, operands[s].reg, operands[s].flagged).has_value());
  }
  return hits;
}

unsigned hits(const std::vector<bool>& found) {
  return static_cast<unsigned>(std::count(found.begin(), found.end(), true));
}

}  // namespace

// The experiments of Huerta, MICRO 2025. R2 is flagged in slot A of a first instruction, and a third
// instruction reads R2 there. The second instruction decides what happens to R2.
TEST_CASE("an entry lasts until its slot and bank are read again") {
  struct Case {
    std::vector<Operand> second;
    std::array<unsigned, 3> hits;
  };
  const Case cases[] = {{{{2}, {7}, {8}}, {0, 1, 0}},
                        {{{2, true}, {7}, {8}}, {0, 1, 1}},
                        {{{7}, {2}, {8}}, {0, 0, 1}},
                        {{{4}, {7}, {8}}, {0, 0, 0}}};
  for (const Case& c : cases) {
    ReuseCache cache{ReuseCacheParameters()};
    CHECK(hits(read(cache, 0, {{2, true}, {3}, {4}})) == c.hits[0]);
    CHECK(hits(read(cache, 1, c.second)) == c.hits[1]);
    CHECK(hits(read(cache, 2, {{2}, {12}, {13}})) == c.hits[2]);
  }
}

TEST_CASE("another warp does not find an entry, and takes it away") {
  ReuseCache cache{ReuseCacheParameters()};
  read(cache, 0, {{2, true}}, 1);
  CHECK(hits(read(cache, 0, {{2}}, 2)) == 0);
  CHECK(hits(read(cache, 1, {{2}}, 1)) == 0);
}

TEST_CASE("the value is that of the fill, whatever is written later") {
  ReuseCache cache{ReuseCacheParameters()};
  const ReuseCache::Filler first{1, 0, 0, 0}, second{1, 1, 0, 0}, third{1, 2, 0, 0};
  CHECK(!cache.read(0, first, 2, true));
  const auto waiting = cache.read(0, second, 2, true);
  REQUIRE(waiting);
  CHECK(!waiting->filled);
  CHECK(waiting->filler == first);
  CHECK(cache.fill(first, {4}));
  const auto found = cache.read(0, third, 2, false);
  REQUIRE(found);
  CHECK(found->filled);
  CHECK(found->version.write == 4);
  CHECK(!cache.fill(first, {5}));  // the third has emptied the entry
}

TEST_CASE("a fill that comes late does not go into an entry of somebody else") {
  ReuseCache cache{ReuseCacheParameters()};
  const ReuseCache::Filler first{1, 0, 0, 0}, second{1, 1, 0, 0};
  cache.read(0, first, 2, true);
  cache.read(0, second, 4, true);
  CHECK(!cache.fill(first, {1}));
  CHECK(cache.fill(second, {1}));
}

// The instruction that is off would have read R6 in slot A.
TEST_CASE("what does not read empties its slots and banks only, memory where it is told to") {
  const auto kept = [](ExecutionClass execution, bool memory_evicts) {
    ReuseCacheParameters p;
    p.memory_evicts = memory_evicts;
    ReuseCache cache(p);
    read(cache, 0, {{2, true}, {4, true}, {5, true}});
    StaticInstruction code;
    code.execution = execution;
    code.sources[0] = 6;
    code.source_slots[0] = 1;
    code.source_count = 1;
    Instruction off;  // reads nothing
    off.code = &code;
    cache.passed(off);
    return read(cache, 1, {{2}, {4}, {5}});
  };
  CHECK(kept(ExecutionClass::integer, false) == std::vector<bool>{false, true, true});
  CHECK(kept(ExecutionClass::load_store, false) == std::vector<bool>{true, true, true});
  CHECK(kept(ExecutionClass::load_store, true) == std::vector<bool>{false, true, true});
}

TEST_CASE("those that compute use the reuse cache, memory does not") {
  for (const ExecutionClass c : {ExecutionClass::integer, ExecutionClass::single, ExecutionClass::double_,
                                 ExecutionClass::half, ExecutionClass::tensor_f32})
    CHECK(uses_reuse_cache(c));
  for (const ExecutionClass c : {ExecutionClass::load_store, ExecutionClass::special, ExecutionClass::branch,
                                 ExecutionClass::uniform, ExecutionClass::texture})
    CHECK(!uses_reuse_cache(c));
}

// Hits compared with the rule told backwards. An operand hits if the last operand that was read in its slot
// and bank was the same register of the same warp, and was flagged.
TEST_CASE("an operand hits exactly what was flagged last in its slot and bank") {
  Random random(3);
  ReuseCache cache{ReuseCacheParameters()};
  struct Last {
    std::uint32_t warp = 0;
    Register reg = 0;
    bool flagged = false;
  };
  std::array<std::array<Last, 2>, 3> last{};
  for (std::uint64_t n = 0; n < 20000; ++n) {
    const std::uint32_t warp = 1 + random.below(2);
    std::vector<Operand> operands;
    for (unsigned s = 0; s < 3; ++s)
      operands.push_back({static_cast<Register>(random.below(4)), random.below(2) == 0});
    const std::vector<bool> found = read(cache, n, operands, warp);
    for (unsigned s = 0; s < 3; ++s) {
      Last& l = last[s][operands[s].reg % 2];
      REQUIRE(found[s] == (l.flagged && l.warp == warp && l.reg == operands[s].reg));
      l = {warp, operands[s].reg, operands[s].flagged};
    }
  }
}

}  // namespace reuse_cache_policy_test
