#include <deque>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/scoreboard.h"
#include "subcore/model/policy/random.h"

namespace scoreboard_policy_test {

using namespace subcore;

namespace {

// An instruction with code of its own.
struct Made {
  StaticInstruction code;
  Instruction instruction;
  Made(const std::vector<Register>& destinations, const std::vector<Register>& sources) {
    code.destination_count = static_cast<std::uint8_t>(destinations.size());
    code.source_count = static_cast<std::uint8_t>(sources.size());
    for (std::size_t i = 0; i < destinations.size(); ++i) code.destinations[i] = destinations[i];
    for (std::size_t i = 0; i < sources.size(); ++i) code.sources[i] = sources[i];
    instruction.code = &code;
    instruction.destination_count = code.destination_count;
    instruction.source_count = code.source_count;
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  operator const Instruction&() const { return instruction; }
};

constexpr std::uint32_t many = 9999;
const WarGuard guards[] = {WarGuard::off, WarGuard::operand_collection, WarGuard::write_back};

}  // namespace

TEST_CASE("a reader waits for the write of its source (RAW)") {
  for (const WarGuard guard : guards) {
    Scoreboard s(guard, many);
    const Made writer({4}, {}), reader({5}, {3, 4}), other({6}, {7});
    CHECK_FALSE(s.blocks(reader));
    s.issue(writer);
    CHECK(s.blocks(reader));
    CHECK_FALSE(s.blocks(other));
    s.collected(writer);
    CHECK(s.blocks(reader));
    s.retired(writer);
    CHECK_FALSE(s.blocks(reader));
    CHECK(s.clear());
  }
}

TEST_CASE("a pending write of any register is awaited for that register alone") {
  for (unsigned r = 0; r < 256; ++r) {
    Scoreboard s(WarGuard::off, many);
    const Made writer({static_cast<Register>(r)}, {});
    s.issue(writer);
    std::vector<unsigned> awaited;
    for (unsigned other = 0; other < 256; ++other)
      if (s.awaits_write(other)) awaited.push_back(other);
    REQUIRE(awaited == std::vector<unsigned>{r});
  }
}

TEST_CASE("a writer waits for the earlier write of its destination (WAW)") {
  for (const WarGuard guard : guards) {
    Scoreboard s(guard, many);
    const Made first({4, 5}, {}), second({5}, {});
    s.issue(first);
    CHECK(s.blocks(second));
    s.retired(first);
    CHECK_FALSE(s.blocks(second));
  }
}

TEST_CASE("a writer waits for earlier reads of its destination until the guard's release point (WAR)") {
  const Made reader({1}, {4}), writer({4}, {});
  SECTION("no guard") {
    Scoreboard s(WarGuard::off, many);
    s.issue(reader);
    CHECK_FALSE(s.blocks(writer));
    s.collected(reader);
    s.retired(reader);
    CHECK(s.clear());
  }
  SECTION("until the operands are collected") {
    Scoreboard s(WarGuard::operand_collection, many);
    s.issue(reader);
    CHECK(s.blocks(writer));
    s.collected(reader);
    CHECK_FALSE(s.blocks(writer));
    CHECK_FALSE(s.clear());  // the reader's own result is still to come
    s.retired(reader);
    CHECK(s.clear());
  }
  SECTION("until write-back") {
    Scoreboard s(WarGuard::write_back, many);
    s.issue(reader);
    s.collected(reader);
    CHECK(s.blocks(writer));
    s.retired(reader);
    CHECK_FALSE(s.blocks(writer));
    CHECK(s.clear());
  }
}

TEST_CASE("stores, which have no destination, release their reads too") {
  for (const WarGuard guard : guards) {
    Scoreboard s(guard, many);
    const Made store({}, {2, 3}), writer({3}, {});
    s.issue(store);
    CHECK(s.blocks(writer) == (guard != WarGuard::off));
    s.collected(store);
    s.retired(store);
    CHECK_FALSE(s.blocks(writer));
    CHECK(s.clear());
  }
}

TEST_CASE("two readers are counted, not remembered in one bit") {
  Scoreboard s(WarGuard::operand_collection, many);
  const Made first({1}, {4}), second({2}, {4}), writer({4}, {});
  s.issue(first);
  s.issue(second);
  s.collected(second);
  CHECK(s.blocks(writer));
  s.collected(first);
  CHECK_FALSE(s.blocks(writer));
}

TEST_CASE("an instruction may write what it reads") {
  for (const WarGuard guard : guards) {
    Scoreboard s(guard, many);
    const Made increment({4}, {4});
    CHECK_FALSE(s.blocks(increment));
    s.issue(increment);
    CHECK(s.blocks(increment));
    s.collected(increment);
    s.retired(increment);
    CHECK(s.clear());
  }
}

TEST_CASE("max_uses pending reads of a register block the next reader") {
  Scoreboard s(WarGuard::operand_collection, 2);
  const Made a({1}, {4}), b({2}, {4}), c({3}, {4}), other({5}, {6});
  s.issue(a);
  CHECK_FALSE(s.blocks(b));
  s.issue(b);
  CHECK(s.blocks(c));
  CHECK_FALSE(s.blocks(other));
  s.collected(a);
  CHECK_FALSE(s.blocks(c));
  Scoreboard off(WarGuard::off, 1);
  off.issue(a);
  CHECK_FALSE(off.blocks(b));
}

TEST_CASE("the largest max_uses fits its counter") {
  Scoreboard s(WarGuard::operand_collection, 65535);
  const Made reader({}, {4}), writer({4}, {});
  for (int i = 0; i < 65535; ++i) s.issue(reader);
  CHECK(s.blocks(reader));
  CHECK(s.blocks(writer));
  for (int i = 0; i < 65535; ++i) s.collected(reader);
  CHECK(s.clear());
}

TEST_CASE("a predicated-off instruction touches nothing") {
  Scoreboard s(WarGuard::write_back, many);
  Made off({4}, {5});
  off.instruction.source_count = off.instruction.destination_count = 0;
  const Made writer({5}, {4});
  s.issue(off);
  CHECK_FALSE(s.blocks(writer));
  CHECK(s.clear());
}

TEST_CASE("each result of a long-latency instruction is awaited for long") {
  Scoreboard s(WarGuard::off, many);
  const Made load({4, 5}, {}), one({6}, {4}), two({6}, {5}), over({5}, {});
  s.issue(load, true);
  for (const Made* reader : {&one, &two}) {
    CHECK(s.blocks_for_long(*reader));
    CHECK(s.hazard(*reader) == StallCause::raw_long);
  }
  CHECK(s.blocks_for_long(over));
  s.retired(load);
  CHECK_FALSE(s.blocks_for_long(two));
  CHECK_FALSE(s.awaits_long());
}

TEST_CASE("a counter of pending reads has the bits for max_uses, and for seven at most") {
  const auto counter_bits = [](WarGuard guard, std::uint32_t max_uses) {
    Inventory list;
    Scoreboard(guard, max_uses).inventory(list);
    REQUIRE(!list.parts().empty());
    CHECK(list.parts()[0].all_bits() == 256);  // a bit per register
    return list.parts().size() == 1 ? 0 : list.parts()[1].bits;
  };
  CHECK(counter_bits(WarGuard::off, 2) == 0);
  CHECK(counter_bits(WarGuard::write_back, 1) == 1);
  CHECK(counter_bits(WarGuard::write_back, 2) == 2);  // 0, 1 and 2
  CHECK(counter_bits(WarGuard::operand_collection, 4) == 3);
  CHECK(counter_bits(WarGuard::operand_collection, many) == 3);
}

TEST_CASE("random programs against multisets of pending reads and writes") {
  for (const WarGuard guard : guards) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Random r(seed);
      const std::uint32_t max_uses = 1 + r.below(5);
      Scoreboard s(guard, max_uses);
      std::multiset<Register> reads, writes;
      std::deque<Made> made;
      std::vector<const Made*> issued, collected;
      // Few registers, from all four words of the bit set.
      const auto any_register = [&] { return static_cast<Register>(50 * r.below(6) + r.below(2)); };
      const auto drop = [](std::multiset<Register>& from, Register reg) { from.erase(from.find(reg)); };
      const auto take = [&](std::vector<const Made*>& from) {
        const unsigned k = r.below(static_cast<unsigned>(from.size()));
        const Made* m = from[k];
        from.erase(from.begin() + k);
        return m;
      };
      for (int step = 0; step < 4000; ++step) {
        const unsigned what = r.below(4);
        if (what <= 1) {
          std::set<Register> d, src;
          for (unsigned n = r.below(3); n > 0; --n) d.insert(any_register());
          for (unsigned n = r.below(4); n > 0; --n) src.insert(any_register());
          made.emplace_back(std::vector<Register>(d.begin(), d.end()),
                            std::vector<Register>(src.begin(), src.end()));
          bool wait = false;
          for (const Register x : src) {
            wait |= writes.count(x) > 0 || (guard != WarGuard::off && reads.count(x) >= max_uses);
          }
          for (const Register x : d) {
            wait |= writes.count(x) > 0 || (guard != WarGuard::off && reads.count(x) > 0);
          }
          REQUIRE(s.blocks(made.back()) == wait);
          if (wait) continue;
          s.issue(made.back());
          reads.insert(src.begin(), src.end());
          writes.insert(d.begin(), d.end());
          issued.push_back(&made.back());
        } else if (what == 2 && !issued.empty()) {
          const Made* m = take(issued);
          s.collected(*m);
          if (guard == WarGuard::operand_collection) {
            for (unsigned i = 0; i < m->code.source_count; ++i) drop(reads, m->code.sources[i]);
          }
          collected.push_back(m);
        } else if (what == 3 && !collected.empty()) {
          const Made* m = take(collected);
          s.retired(*m);
          for (unsigned i = 0; i < m->code.destination_count; ++i) drop(writes, m->code.destinations[i]);
          if (guard != WarGuard::operand_collection) {
            for (unsigned i = 0; i < m->code.source_count; ++i) drop(reads, m->code.sources[i]);
          }
        }
        REQUIRE(s.clear() == (writes.empty() && (guard == WarGuard::off || reads.empty())));
      }
    }
  }
}

TEST_CASE("predicates are guarded like registers, as far as they are known") {
  Made sets({}, {1}), guarded({3}, {2}), sets_again({}, {4}), second({5}, {6});
  for (Made* m : {&sets, &guarded, &sets_again, &second}) m->instruction.mask = ~0u;
  sets.code.predicates_written = sets_again.code.predicates_written = 1u << 6;
  guarded.code.predicates_read = second.code.predicates_read = 1u << 6;
  Scoreboard b(WarGuard::write_back, 1);
  b.issue(sets.instruction);
  CHECK(b.blocks(guarded.instruction));     // RAW
  CHECK(b.blocks(sets_again.instruction));  // WAW
  CHECK_FALSE(b.clear());
  b.retired(sets.instruction);
  CHECK(b.clear());
  CHECK_FALSE(b.blocks(guarded.instruction));
  b.issue(guarded.instruction);
  CHECK(b.blocks(sets_again.instruction));  // WAR
  CHECK(b.blocks(second.instruction));      // a bit can hold no more than one pending read
  b.retired(guarded.instruction);
  CHECK_FALSE(b.blocks(sets_again.instruction));
  CHECK_FALSE(b.blocks(second.instruction));
  CHECK(b.clear());
}

TEST_CASE("a predicate that is written by who is predicated off is neither awaited nor taken for written") {
  Made sets({}, {}), off({}, {}), reads({3}, {});
  for (Made* m : {&sets, &off}) m->code.predicates_written = 1u << 6;
  sets.instruction.mask = reads.instruction.mask = ~0u;
  off.instruction.mask = 0;
  reads.code.predicates_read = 1u << 6;
  Scoreboard b(WarGuard::write_back, many);
  b.issue(off);
  CHECK(b.clear());
  CHECK_FALSE(b.blocks(reads));
  b.issue(sets);
  CHECK(b.blocks(reads));
  CHECK_FALSE(b.blocks(off));  // WAW
  CHECK(b.hazard(off) == StallCause::issued);
  b.retired(off);
  CHECK(b.blocks(reads));
  b.retired(sets);
  CHECK(b.clear());
  b.issue(reads);
  CHECK(b.blocks(sets));
  CHECK_FALSE(b.blocks(off));  // WAR
  b.retired(reads);
  CHECK(b.clear());
}

TEST_CASE("uniform registers and their predicates are guarded like registers, as far as they are known") {
  const auto uniform = [](Made& m, std::uint64_t read, std::uint64_t written) {
    m.instruction.mask = ~0u;
    m.code.uniforms_read = read;
    m.code.uniforms_written = written;
    if (read != 0) m.code.predicates_read |= 1u << any_uniform;
    if (written != 0) m.code.predicates_written |= 1u << any_uniform;
  };
  constexpr std::uint64_t ur4 = 1u << 4, ur5 = 1u << 5, last = std::uint64_t{1} << (uniform_count - 1);
  Made writes({}, {1}), writes_last({}, {1}), reads({3}, {2}), reads_last({4}, {2}), reads_other({5}, {2});
  uniform(writes, 0, ur4);
  uniform(writes_last, 0, last);
  uniform(reads, ur4 | ur5, 0);
  uniform(reads_last, last, 0);
  uniform(reads_other, ur5, ur5);
  Scoreboard b(WarGuard::write_back, 1);
  b.issue(writes.instruction);
  CHECK(b.blocks(reads.instruction));   // RAW
  CHECK(b.blocks(writes.instruction));  // WAW
  CHECK(b.awaits_write(b.awaited(reads.instruction)));
  CHECK_FALSE(b.blocks(reads_last.instruction));
  CHECK_FALSE(b.blocks(reads_other.instruction));
  CHECK(b.hazard(reads.instruction) == StallCause::raw_short);
  CHECK(b.hazard(writes.instruction) == StallCause::waw);
  CHECK(b.hazard(reads_other.instruction) == StallCause::issued);
  b.issue(writes_last.instruction);
  b.retired(writes.instruction);  // the other one's write is still awaited
  CHECK_FALSE(b.blocks(reads.instruction));
  CHECK(b.blocks(reads_last.instruction));
  CHECK_FALSE(b.clear());
  b.retired(writes_last.instruction);
  CHECK(b.clear());
  b.issue(reads.instruction);
  CHECK(b.blocks(writes.instruction));       // WAR
  CHECK(b.blocks(reads_other.instruction));  // a bit can hold no more than one pending read
  CHECK_FALSE(b.blocks(writes_last.instruction));
  b.retired(reads.instruction);
  CHECK_FALSE(b.blocks(writes.instruction));
  CHECK(b.clear());
  // Predicated off, an instruction writes nothing.
  b.issue(writes.instruction);
  reads_other.instruction.mask = 0;
  reads_other.code.uniforms_written = ur4;
  CHECK_FALSE(b.blocks(reads_other.instruction));
  // UR0, whose number is the first behind the predicates.
  Made writes_first({}, {1}), reads_first({8}, {2});
  uniform(writes_first, 0, 1);
  uniform(reads_first, 1, 0);
  Scoreboard first(WarGuard::off, many);
  first.issue(writes_first.instruction);
  CHECK(first.blocks(reads_first.instruction));
  // A predicate of the uniform datapath does not belong to the warp.
  Made up({}, {}), p({6}, {}), reads_up({7}, {});
  for (Made* m : {&up, &p, &reads_up}) m->instruction.mask = ~0u;
  up.code.predicates_written = 1u << first_uniform_predicate;
  p.code.predicates_read = 1;
  reads_up.code.predicates_read = 1u << first_uniform_predicate;
  b.issue(up.instruction);
  CHECK_FALSE(b.blocks(p.instruction));
  CHECK(b.blocks(reads_up.instruction));
}

// Two writes of R4 are pending, and the second one's result is not there yet when the first is retired.
TEST_CASE("who finds a result by bypass does not wait for its write, others do") {
  Scoreboard s(WarGuard::off, many);
  Made first({4}, {}), second({4}, {4}), reader({5}, {4}), store({}, {4});
  for (Made* m : {&first, &second, &reader}) m->code.execution = ExecutionClass::single;
  store.code.execution = ExecutionClass::load_store;
  s.issue(first);
  CHECK(s.blocks(second));
  s.bypassable(first);
  CHECK_FALSE(s.blocks(second));
  CHECK(s.hazard(second) == StallCause::issued);
  CHECK(s.hazard(store) == StallCause::raw_short);
  s.issue(second);
  CHECK(s.blocks(reader));
  s.retired(first);
  CHECK(s.blocks(reader));
  s.bypassable(second);
  CHECK_FALSE(s.blocks(reader));
  CHECK(s.blocks(store));
  s.retired(second);
  CHECK_FALSE(s.blocks(store));
  CHECK(s.clear());
}

}  // namespace scoreboard_policy_test
