#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "subcore/program/analysis/study/cache_run.h"

namespace register_cache_policy_test {

using namespace subcore;

namespace {

using A = RegisterCacheAllocation;
using E = RegisterCacheEvents;
using Kind = StudyOperand::Kind;

RegisterCacheParameters cache(bool compat, A allocation = A::compiler_aided) {
  RegisterCacheParameters p;
  p.rfcsim_compat = compat;
  p.allocation = allocation;
  return p;
}

// Two ways and four sets; registers 1, 5, 9, ... share set 1 when interleaved.
struct Steps {
  explicit Steps(const RegisterCacheParameters& p) : c(p) {}
  ThreadRegisterCache& next() {
    c.begin_instruction(++now);
    return c;
  }
  ThreadRegisterCache c;
  std::uint32_t now = 0;
};

StudyOperand source(unsigned reg, unsigned position, bool flagged = false) {
  return {Kind::source, static_cast<std::uint16_t>(reg), static_cast<std::uint16_t>(position), flagged};
}
StudyOperand destination(unsigned reg) {
  return {Kind::destination, static_cast<std::uint16_t>(reg), 0, false};
}

}  // namespace

TEST_CASE("a destination is found where its register maps to, a source where its position does",
          "[register_cache]") {
  const bool compat = GENERATE(true, false);
  Steps s(cache(compat));
  CHECK(s.next().write(5, false) == E::cache_write);
  CHECK(s.next().write(5, false) == (E::hit | E::cache_write));
  CHECK(s.next().read(5, 1, false) == (E::hit | E::cache_read));
  CHECK(s.next().read(5, 0, false) == E::file_read);
  CHECK(s.next().read(5, 5, true) == (E::hit | E::cache_read));  // position modulo sets
}

TEST_CASE("linear mapping divides the registers among the sets", "[register_cache]") {
  RegisterCacheParameters p = cache(GENERATE(true, false));
  p.map = DestinationMap::linear;
  Steps s(p);
  for (const unsigned reg : {0u, 63u, 64u, 128u, 254u}) s.next().write(reg, false);
  CHECK((s.next().read(63, 0, false) & E::hit) != 0);
  CHECK((s.next().read(64, 1, false) & E::hit) != 0);
  CHECK((s.next().read(128, 2, false) & E::hit) != 0);
  CHECK((s.next().read(254, 3, false) & E::hit) != 0);
}

TEST_CASE("RFC-sim looks up what the instruction before has left", "[register_cache][rule3]") {
  Steps compat(cache(true)), corrected(cache(false));
  compat.next();
  CHECK(compat.c.read(7, 0, true) == (E::file_read | E::cache_write));
  CHECK(compat.c.read(7, 0, false) == E::file_read);
  corrected.next();
  CHECK(corrected.c.read(7, 0, true) == (E::file_read | E::cache_write));
  CHECK(corrected.c.read(7, 0, false) == (E::hit | E::cache_read));
}

TEST_CASE("RFC-sim allocates the same source twice", "[register_cache][rule3]") {
  Steps s(cache(true));
  s.next();
  CHECK(s.c.read(7, 0, true) == (E::file_read | E::cache_write));
  CHECK(s.c.read(7, 0, true) == (E::file_read | E::cache_write));
  s.next().write(8, false);  // the set is full: a duplicate goes, the other stays
  CHECK((s.next().read(7, 0, false) & E::hit) != 0);
  CHECK((s.next().read(8, 0, false) & E::hit) != 0);
}

TEST_CASE("RFC-sim keeps copies that a write has made stale", "[register_cache][rule4]") {
  for (const bool compat : {true, false}) {
    Steps s(cache(compat));
    s.next().read(5, 0, true);  // a copy in set 0
    s.next().write(5, false);   // the value itself in set 1
    CHECK((s.next().read(5, 1, false) & E::hit) != 0);
    CHECK(((s.next().read(5, 0, false) & E::hit) != 0) == compat);
  }
}

TEST_CASE("RFC-sim forgets with a read that an entry is dirty", "[register_cache][rule5]") {
  for (const bool compat : {true, false}) {
    Steps s(cache(compat));
    s.next().write(1, false);
    s.next().read(1, 1, false);
    s.next().write(5, false);
    CHECK(s.next().write(9, false) == (compat ? E::cache_write : E::cache_write | E::file_write));
  }
}

TEST_CASE("RFC-sim counts a write-through only where it hits", "[register_cache][rule6]") {
  for (const bool compat : {true, false}) {
    RegisterCacheParameters p = cache(compat);
    p.write = RegisterCacheWrite::write_through;
    Steps s(p);
    CHECK(s.next().write(1, false) == (compat ? E::cache_write : E::cache_write | E::file_write));
    CHECK(s.next().write(1, false) == (E::hit | E::cache_write | E::file_write));
    CHECK(s.c.drain() == 0);
    s.next().write(2, false);
    CHECK(s.c.drain() == (compat ? 1 : 0));
  }
}

TEST_CASE("only LRU lets an access make an entry young, but RFC-sim's FIFO a write, too",
          "[register_cache][rule6]") {
  const bool compat = GENERATE(true, false);
  for (const bool lru : {true, false}) {
    RegisterCacheParameters p = cache(compat);
    p.replacement = lru ? RegisterCacheReplacement::lru : RegisterCacheReplacement::fifo;
    Steps s(p);
    s.next().write(1, false);
    s.next().write(5, false);
    s.next().read(1, 1, false);
    s.next().write(9, false);
    CHECK(((s.next().read(1, 1, false) & E::hit) != 0) == lru);
    CHECK(((s.next().read(5, 1, false) & E::hit) != 0) == !lru);
    s.c.drain();
    s.next().write(1, false);
    s.next().write(5, false);
    s.next().write(1, false);
    s.next().write(9, false);
    CHECK(((s.next().read(1, 1, false) & E::hit) != 0) == (compat || lru));
    CHECK(((s.next().read(5, 1, false) & E::hit) != 0) == !(compat || lru));
  }
}

TEST_CASE("RFC-sim's operands of one instruction are of one age, and the first entry is replaced",
          "[register_cache][rule7]") {
  for (const bool compat : {true, false}) {
    RegisterCacheParameters p = cache(compat);
    p.replacement = RegisterCacheReplacement::lru;
    Steps s(p);
    s.next().write(1, false);
    s.next().write(5, false);
    s.next().write(1, false);  // so that the next value takes the second entry, and the one after that the
                               // first
    s.next().write(9, false);
    s.c.write(13, false);
    s.next().write(17, false);
    CHECK(((s.next().read(9, 1, false) & E::hit) != 0) == compat);
    CHECK(((s.next().read(13, 1, false) & E::hit) != 0) == !compat);
  }
}

TEST_CASE("of entries of one age the first is replaced", "[register_cache][rule7]") {
  Steps s(cache(GENERATE(true, false)));
  s.next().write(1, false);
  s.c.write(5, false);
  s.next().write(9, false);
  CHECK((s.next().read(1, 1, false) & E::hit) == 0);
  CHECK((s.next().read(5, 1, false) & E::hit) != 0);
}

TEST_CASE("RFC-sim takes R256 for a cached register wherever an entry is empty", "[register_cache][rule10]") {
  Steps s(cache(true));
  CHECK(s.next().read(256, 2, false) == (E::hit | E::cache_read));
  CHECK(s.next().read(257, 2, false) == E::file_read);
}

TEST_CASE("where RFC-sim ends itself, so does the run", "[register_cache][rule9][rule10]") {
  RegisterCacheParameters p = cache(true);
  p.map = DestinationMap::linear;
  Steps s(p);
  CHECK_THROWS_WITH(s.next().write(256, false), Catch::Contains("R256") && Catch::Contains("expected"));
  CHECK_THROWS_WITH(s.next().read(3, 4, false), Catch::Contains("source 5") && Catch::Contains("expected"));
  CHECK_THROWS_WITH(ThreadRegisterCache(cache(true, A::read)), Catch::Contains("null allocator"));
  CHECK_THROWS_WITH(ThreadRegisterCache(cache(true, A::read_write)), Catch::Contains("read_write"));
}

TEST_CASE("each allocation policy lets in what the study's Table II says", "[register_cache]") {
  const auto fills = [](A allocation, bool flagged) {
    Steps s(cache(false, allocation));
    const bool reads = (s.next().read(3, 2, flagged) & E::cache_write) != 0;
    return std::pair(reads, (s.next().write(1, false) & E::cache_write) != 0);
  };
  CHECK(fills(A::read, false) == std::pair(true, false));
  CHECK(fills(A::write, true) == std::pair(false, true));
  CHECK(fills(A::read_write, false) == std::pair(true, true));
  CHECK(fills(A::compiler_aided, false) == std::pair(false, true));
  CHECK(fills(A::compiler_aided, true) == std::pair(true, true));
  CHECK(fills(A::look_ahead, true) == std::pair(true, false));
}

TEST_CASE("parameters of a register cache are checked", "[register_cache]") {
  const auto problem = [](auto change) {
    RegisterCacheParameters p;
    change(p);
    return problem_of(p);
  };
  using P = RegisterCacheParameters;
  CHECK(problem([](P&) {}).empty());
  CHECK(problem([](P& p) { p.ways = 0; }).empty());
  CHECK_THAT(problem([](P& p) { p.ways = 3; }), Catch::Contains("ways 3; expected a divisor of the 8"));
  CHECK_THAT(problem([](P& p) { p.ways = 16; }), Catch::Contains("ways 16"));
  CHECK_THAT(problem([](P& p) { p.entries = 0; }), Catch::Contains("entries 0; expected 1 to 256"));
  CHECK(problem([](P& p) { p.entries = 256; }).empty());
  CHECK_THAT(problem([](P& p) { p.entries = 257; }), Catch::Contains("entries 257; expected 1 to 256"));
  CHECK_THAT(problem([](P& p) { p.words = 2; }), Catch::Contains("words per entry 2"));
  CHECK(problem([](P& p) {
          p.words = 2;
          p.rfcsim_compat = true;
        }).empty());
  const auto words = [&](unsigned n) {
    return problem([n](P& p) {
      p.words = n;
      p.rfcsim_compat = true;
    });
  };
  CHECK(words(256).empty());
  CHECK_THAT(words(0), Catch::Contains("words per entry 0; expected 1 to 256"));
  CHECK_THAT(words(257), Catch::Contains("words per entry 257; expected 1 to 256"));
  CHECK(problem([](P& p) { p.window = 4096; }).empty());
  CHECK_THAT(problem([](P& p) { p.window = 4097; }),
             Catch::Contains("window 4097; expected 0 to 4096 instructions"));
  CHECK(problem([](P& p) { p.entries = p.ways = 1; }).empty());
  CHECK_THROWS_WITH(StudyCacheRun({}, {48}), Catch::Contains("48; expected 32, 64, 128"));
}

namespace {

// One thread's corrected cache, written down again from the study's text.
class NaiveCache {
 public:
  explicit NaiveCache(const RegisterCacheParameters& p) : p_(p) {}
  void source(unsigned reg, unsigned position, bool flagged, unsigned time, StudyCounters& c) {
    const unsigned set = position % p_.sets();
    ++c.baseline_reads;
    if (Line* line = find(set, reg)) {
      ++c.read_hits;
      ++c.cache_reads;
      if (p_.replacement == RegisterCacheReplacement::lru) line->time = time;
      return;
    }
    ++c.read_misses;
    ++c.file_reads;
    const bool reuse = p_.allocation == A::compiler_aided || p_.allocation == A::look_ahead;
    if (p_.allocation == A::read || p_.allocation == A::read_write || (reuse && flagged))
      put(set, reg, false, time, c);
  }
  void target(unsigned reg, bool wanted, unsigned time, StudyCounters& c) {
    const unsigned sets = p_.sets();
    const unsigned set = p_.map == DestinationMap::linear ? reg * sets / 256 : reg % sets;
    ++c.baseline_writes;
    for (auto it = lines_.begin(); it != lines_.end();)
      it = it->second.reg == reg && it->first.first != set ? lines_.erase(it) : std::next(it);
    const bool through = p_.write == RegisterCacheWrite::write_through;
    if (Line* line = find(set, reg)) {
      ++c.write_hits;
      ++c.cache_writes;
      *line = {reg, !through, p_.replacement == RegisterCacheReplacement::lru ? time : line->time};
      c.file_writes += through ? 1 : 0;
      return;
    }
    ++c.write_misses;
    const bool allocate = p_.allocation == A::look_ahead ? wanted : p_.allocation != A::read;
    if (through || !allocate) ++c.file_writes;
    if (allocate) put(set, reg, !through, time, c);
  }
  void drain(StudyCounters& c) {
    for (const auto& [where, line] : lines_) c.file_writes += line.dirty ? 1 : 0;
    lines_.clear();
  }

 private:
  struct Line {
    unsigned reg;
    bool dirty;
    unsigned time;
  };
  Line* find(unsigned set, unsigned reg) {
    for (auto& [where, line] : lines_)
      if (where.first == set && line.reg == reg) return &line;
    return nullptr;
  }
  void put(unsigned set, unsigned reg, bool dirty, unsigned time, StudyCounters& c) {
    ++c.cache_writes;
    unsigned oldest = 0;
    for (unsigned way = 0; way < p_.ways_or_entries(); ++way) {
      const auto it = lines_.find({set, way});
      if (it == lines_.end()) {
        lines_[{set, way}] = {reg, dirty, time};
        return;
      }
      if (it->second.time < lines_.at({set, oldest}).time) oldest = way;
    }
    c.file_writes += lines_.at({set, oldest}).dirty ? 1 : 0;
    lines_[{set, oldest}] = {reg, dirty, time};
  }
  RegisterCacheParameters p_;
  std::map<std::pair<unsigned, unsigned>, Line> lines_;  // by set and way
};

void check_equal(const StudyCounters& a, const StudyCounters& b) {
  CHECK(a.baseline_reads == b.baseline_reads);
  CHECK(a.baseline_writes == b.baseline_writes);
  CHECK(a.cache_reads == b.cache_reads);
  CHECK(a.cache_writes == b.cache_writes);
  CHECK(a.file_reads == b.file_reads);
  CHECK(a.file_writes == b.file_writes);
  CHECK(a.read_hits == b.read_hits);
  CHECK(a.read_misses == b.read_misses);
  CHECK(a.write_hits == b.write_hits);
  CHECK(a.write_misses == b.write_misses);
}

}  // namespace

TEST_CASE("the corrected cache agrees with a naive one on random programs", "[register_cache][property]") {
  const unsigned seed = GENERATE(range(0u, 60u));
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  RegisterCacheParameters p;
  p.entries = 4u << below(3);
  p.ways = 1u << below(3);
  if (below(4) == 0) p.ways = 0;
  p.allocation = static_cast<A>(below(5));
  p.map = static_cast<DestinationMap>(below(2));
  p.replacement = static_cast<RegisterCacheReplacement>(below(2));
  p.write = static_cast<RegisterCacheWrite>(below(2));
  if (p.allocation == A::look_ahead) p.window = below(4);
  StudyCacheRun run(p, {32});
  std::vector<NaiveCache> threads(64, NaiveCache(p));
  StudyCounters expected;
  const unsigned registers = 4 + below(40);
  unsigned time = 0;
  for (unsigned kernel = 0; kernel < 2; ++kernel) {
    for (unsigned warp = 0; warp < 2; ++warp) {
      std::vector<StudyInstruction> program(150);
      for (StudyInstruction& i : program) {
        i.mask = below(3) ? ~0u : below(2) ? static_cast<std::uint32_t>(random()) : 0xffu << below(25);
        if (below(20) == 0) i.mask = 0;
        for (unsigned k = below(4); k > 0; --k)
          i.operands.push_back(source(below(registers) * 254 / registers, below(4), below(2) != 0));
        for (unsigned k = below(3); k > 0; --k)
          i.operands.push_back(destination(below(registers) * 254 / registers));
      }
      for (std::size_t n = 0; n < program.size(); ++n) {
        run.execute(warp, program[n]);
        for (const StudyOperand& o : program[n].operands) {
          ++time;
          bool wanted = false;
          for (std::size_t a = n + 1; a <= n + p.window && a < program.size(); ++a)
            for (const StudyOperand& seen : program[a].operands) wanted = wanted || seen.reg == o.reg;
          for (unsigned lane = 0; lane < 32; ++lane) {
            if ((program[n].mask >> lane & 1) == 0) continue;
            NaiveCache& t = threads[warp * 32 + lane];
            if (o.kind == Kind::source)
              t.source(o.reg, o.position, o.flagged, time, expected);
            else
              t.target(o.reg, wanted, time, expected);
          }
        }
      }
      run.end_warp(warp);
    }
    run.end_kernel();
    for (NaiveCache& t : threads) t.drain(expected);
  }
  const StudyCounters got = run.counters();  // a bank per lane
  CHECK(got.baseline_reads > 0);
  check_equal(got, expected);
}

TEST_CASE("cache accesses count banks, the register file's count lanes", "[register_cache][rule8]") {
  StudyCacheRun run(cache(true), {32, 128, 1024});
  const StudyInstruction i{0x80000013u, {destination(1)}};
  run.execute(0, i);
  CHECK(run.counters(0).cache_writes == 4);
  CHECK(run.counters(1).cache_writes == 3);
  CHECK(run.counters(2).cache_writes == 1);
  CHECK(run.counters(0).baseline_writes == 4);
  CHECK(run.counters(0).write_misses == 4);
  run.execute(0, {0x00000003u, {source(1, 1)}});
  CHECK(run.counters(0).cache_reads == 2);
  CHECK(run.counters(1).cache_reads == 1);
}

TEST_CASE("32 caches serve all warps, and RFC-sim never empties them", "[register_cache][rule1]") {
  for (const bool compat : {true, false}) {
    StudyCacheRun run(cache(compat), {128});
    run.execute(1, {~0u, {destination(1)}});
    run.end_kernel();
    CHECK(run.counters().file_writes == (compat ? 0 : 32));
    CHECK(run.counters().drained == run.counters().file_writes);
    run.execute(33, {~0u, {source(1, 1)}});
    CHECK(run.counters().read_hits == (compat ? 32 : 0));
  }
}

TEST_CASE("lanes that were elsewhere keep what they have", "[register_cache]") {
  StudyCacheRun run(cache(GENERATE(true, false)), {32});
  run.execute(0, {0x0000ffffu, {destination(1)}});
  run.execute(0, {~0u, {source(1, 1)}});
  CHECK(run.counters().read_hits == 16);
  CHECK(run.counters().read_misses == 16);
  for (int i = 0; i < 40; ++i) run.execute(0, {~0u, {destination(5), destination(9)}});  // same again
  run.execute(0, {0x00010001u, {source(9, 1)}});
  CHECK(run.counters().read_hits == 18);
}

TEST_CASE("look-ahead allocates what the window names", "[register_cache][rule9]") {
  RegisterCacheParameters p = cache(true, A::look_ahead);
  p.window = 1;
  StudyCacheRun run(p, {128});
  run.execute(0, {~0u, {destination(1)}});
  CHECK(run.counters().baseline_writes == 0);  // the instruction waits for its window
  run.execute(0, {~0u, {source(1, 0), destination(2)}});
  CHECK(run.counters().cache_writes == 8);
  run.execute(0, {~0u, {source(5, 0)}});
  CHECK(run.counters().cache_writes == 8);
  CHECK(run.counters().file_writes == 32);
  run.execute(0, {~0u, {{Kind::address, 3, 3, false}, destination(7)}});
  CHECK(run.counters().baseline_reads == 64);
  CHECK_FALSE(run.end_marker());
  CHECK(run.counters().file_writes == 64);
  CHECK(run.end_marker());
}

TEST_CASE("RFC-sim's look-ahead works off warp 0 alone, and takes positions for registers",
          "[register_cache][rule9]") {
  for (const bool compat : {true, false}) {
    RegisterCacheParameters p = cache(compat, A::look_ahead);
    p.window = 2;
    StudyCacheRun run(p, {128});
    run.execute(1, {~0u, {destination(2)}});
    run.execute(1, {~0u, {{Kind::address, 2, 2, false}}});
    while (!run.end_marker()) {
    }
    run.end_warp(1);
    CHECK(run.counters().baseline_writes == (compat ? 0 : 32));
    run.execute(0, {~0u, {destination(2)}});
    run.execute(0, {~0u, {{Kind::address, 2, 2, false}}});
    run.end_warp(0);
    while (!run.end_marker()) {
    }
    CHECK(run.counters().cache_writes == (compat ? 8 : 0));
  }
}

}  // namespace register_cache_policy_test
