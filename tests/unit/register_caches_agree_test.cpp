// The study's register cache and the timed one are two accounts of one cache: the events that one counts are
// actions of the other.
#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/register_cache.h"
#include "subcore/program/analysis/study/thread_register_cache.h"

namespace register_caches_agree_test {

using namespace subcore;

namespace {

using A = RegisterCacheAllocation;
using E = RegisterCacheEvents;
using Content = std::set<std::pair<unsigned, unsigned>>;  // set and register

constexpr unsigned positions = 3;  // positions of sources, in the timed cache

// An instruction with at most one source, whose position is given, and destinations.
struct Step {
  StaticInstruction code;
  Instruction instruction;
  Step() {
    instruction.code = &code;
    instruction.mask = ~0u;
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  void source(Register r, unsigned position, bool flagged) {
    code.source_count = instruction.source_count = 1;
    code.sources[0] = code.slots[position] = r;
    code.source_slots[0] = static_cast<std::uint8_t>(1u << position);
    code.reuse_mask = static_cast<std::uint8_t>(flagged ? 1u << position : 0);
  }
  void destination(Register r) {
    code.destinations[code.destination_count++] = r;
    instruction.destination_count = code.destination_count;
  }
};

class Pair {
 public:
  Pair(const RegisterCacheParameters& p, const std::vector<Register>& registers)
      : p_(p), registers_(registers), study_(counted(p)), timed_(1, p, PartialWrite::safe) {}

  void run(Step& s, unsigned position, bool flagged) {
    study_.begin_instruction(++now_);
    const Instruction& i = s.instruction;
    if (i.source_count != 0) read(i, position, flagged);
    timed_.issued(i);
    REQUIRE(written_back().empty());
    for (unsigned d = 0; d < i.destination_count; ++d) write(i, d);
  }
  std::uint64_t hits = 0, victims = 0, write_backs = 0, early_write_backs = 0;

 private:
  // When the timed cache decides where a result goes, it cannot know whether the register is here. If only
  // reads make entries, it writes through.
  static RegisterCacheParameters counted(RegisterCacheParameters p) {
    if (p.allocation == A::read) p.write = RegisterCacheWrite::write_through;
    return p;
  }
  void read(const Instruction& i, unsigned position, bool flagged) {
    const Register r = i.source(0);
    const Content before = of_study(p_.sets());
    const std::uint8_t events = study_.read(r, position, flagged);
    const bool hit = timed_.read(i, 0).hit;
    REQUIRE(hit == ((events & E::hit) != 0));
    hits += hit;
    // If the banks do not have a copy in another set, the timed cache has to correct that.
    for (const Register early : written_back()) {
      REQUIRE_FALSE(hit);
      REQUIRE(early == r);
      early_.insert(early);
      ++early_write_backs;
    }
    if (!hit) REQUIRE(timed_.filled(i, 0, {}) == ((events & E::cache_write) != 0));
    compare(before, r, (events & E::file_write) != 0);
  }
  void write(const Instruction& i, unsigned d) {
    const Register r = i.destination(d);
    const bool through = timed_.to_banks(i) != 0;
    const Content before = of_study(p_.sets());
    const std::uint8_t events = study_.write(r, false);
    REQUIRE(timed_.written(i, d) == ((events & E::cache_write) != 0));
    early_.erase(r);
    if (through) REQUIRE((events & E::file_write) != 0);
    compare(before, r, !through && (events & E::file_write) != 0);
  }
  // Both caches give up the same entry. If the entry was dirty, both write it back, unless the timed one
  // already has.
  void compare(const Content& before, Register r, bool wrote_back) {
    std::vector<Register> expected;
    for (const auto& [set, reg] : before) {
      if (reg == r || of_study(p_.sets()).count({set, reg}) != 0) continue;
      ++victims;
      if (wrote_back && early_.erase(reg) == 0) expected.push_back(static_cast<Register>(reg));
      wrote_back = false;
    }
    REQUIRE_FALSE(wrote_back);
    write_backs += expected.size();
    REQUIRE(written_back() == expected);
    const unsigned seen = std::min(p_.sets(), positions);
    REQUIRE((of_timed(seen) == of_study(seen)));
  }
  std::vector<Register> written_back() {
    std::vector<Register> list;
    for (const auto& d : timed_.dirty()) list.push_back(d.reg);
    timed_.clear_dirty();
    return list;
  }
  Content of_study(unsigned sets) const {
    Content all;
    for (unsigned set = 0; set < sets; ++set) {
      for (const Register r : registers_) {
        ThreadRegisterCache probe = study_;
        if ((probe.read(r, set, false) & E::hit) != 0) all.insert({set, r});
      }
    }
    return all;
  }
  Content of_timed(unsigned sets) const {
    Content all;
    for (unsigned set = 0; set < sets; ++set) {
      for (const Register r : registers_) {
        RegisterCache probe = timed_;
        Step s;
        s.source(r, set, false);
        if (probe.read(s.instruction, 0).hit) all.insert({set, r});
      }
    }
    return all;
  }

  RegisterCacheParameters p_;
  std::vector<Register> registers_;
  ThreadRegisterCache study_;
  RegisterCache timed_;
  std::set<unsigned> early_;  // dirty in the study's cache, no more in the timed one
  std::uint32_t now_ = 0;
};

}  // namespace

TEST_CASE("a FIFO cache: a register that is written again keeps its place", "[register_cache]") {
  RegisterCacheParameters p;
  p.entries = 2;
  p.ways = 0;
  const std::vector<Register> registers{1, 2, 3};
  Pair both(p, registers);
  for (const unsigned n : {0, 1, 0, 2}) {
    Step s;
    s.destination(registers[n]);
    both.run(s, 0, false);
  }
  Step gone, kept;
  gone.source(1, 0, false);
  kept.source(2, 0, false);
  both.run(gone, 0, false);
  CHECK(both.hits == 0);
  both.run(kept, 0, false);
  CHECK(both.hits == 1);
  CHECK(both.victims == 1);
  CHECK(both.write_backs == 1);
}

TEST_CASE("the study's cache and the timed one hit, replace and write back alike",
          "[register_cache][property]") {
  std::uint64_t hits = 0, victims = 0, write_backs = 0, early = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    RegisterCacheParameters p;
    p.entries = 2u << below(3);
    p.ways = std::min(p.entries, 1u << below(4));
    p.allocation = static_cast<A>(below(4));
    p.map = static_cast<DestinationMap>(below(2));
    p.replacement = static_cast<RegisterCacheReplacement>(below(2));
    p.write = static_cast<RegisterCacheWrite>(below(2));
    std::vector<Register> registers(4 + below(10));
    const auto many = static_cast<unsigned>(registers.size());
    // Registers from all over the file, for the linear map.
    for (unsigned n = 0; n < many; ++n) registers[n] = static_cast<Register>(n * 254 / many);
    Pair both(p, registers);
    for (unsigned n = 0; n < 100; ++n) {
      Step s;
      const unsigned position = below(positions);
      const bool flagged = below(2) == 0;
      if (below(4) != 0) s.source(registers[below(many)], position, flagged);
      const unsigned first = below(many), apart = 1 + below(many - 1), targets = below(3);
      for (unsigned d = 0; d < targets; ++d) s.destination(registers[(first + d * apart) % many]);
      both.run(s, position, flagged);
    }
    hits += both.hits;
    victims += both.victims;
    write_backs += both.write_backs;
    early += both.early_write_backs;
  }
  CHECK(hits > 500);
  CHECK(victims > 1000);
  CHECK(write_backs > 300);
  CHECK(early > 50);
}

// A copy of R1 that the banks do not have, in the set that a whole result of R1 goes to.
TEST_CASE("before some lanes of a register are written the banks get what the others hold") {
  for (const bool partial : {true, false}) {
    RegisterCache cache(1, RegisterCacheParameters{}, PartialWrite::safe);
    Step first, second;
    first.destination(1);
    second.destination(1);
    first.instruction.produced[0] = 7;
    second.instruction.produced[0] = 8;
    if (partial) second.instruction.mask = 0xff;
    cache.issued(first.instruction);
    REQUIRE(cache.written(first.instruction, 0));
    cache.issued(second.instruction);
    REQUIRE(cache.dirty().size() == (partial ? 1 : 0));
    if (!partial) continue;
    CHECK(cache.dirty()[0].reg == 1);
    CHECK(cache.dirty()[0].version.write == 7);
    cache.clear_dirty();
    cache.issued(second.instruction);
    CHECK(cache.dirty().empty());  // once is enough
  }
}

// R24 and R32 are dirty, and both are in set 0. The product's accumulators are R24 to R31.
TEST_CASE("a warpgroup's product takes its accumulators out of the cache, and dirty ones go to the banks") {
  RegisterCache cache(1, RegisterCacheParameters{}, PartialWrite::safe);
  Step writes, product, reads, reads_other;
  writes.destination(24);
  writes.destination(32);
  writes.instruction.produced[0] = 7;
  product.code.warpgroup = WarpgroupStep::product;
  product.code.accumulators = {24, 8, true};
  reads.source(24, 0, false);
  reads_other.source(32, 0, false);
  cache.issued(writes.instruction);
  for (const unsigned d : {0u, 1u}) REQUIRE(cache.written(writes.instruction, d));
  CHECK(cache.read(reads.instruction, 0).hit);
  cache.issued(product.instruction);
  REQUIRE(cache.dirty().size() == 1);
  CHECK(cache.dirty()[0].reg == 24);
  CHECK(cache.dirty()[0].version.write == 7);
  CHECK_FALSE(cache.read(reads.instruction, 0).hit);
  CHECK(cache.read(reads_other.instruction, 0).hit);
}

}  // namespace register_caches_agree_test
