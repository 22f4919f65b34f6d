#include <map>

#include <catch2/catch.hpp>

#include "tests/unit/annotated_warp.h"
#include "tests/unit/tracked_window.h"

namespace bypass_window_policy_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr Cycle stamp = 1;  // from when on delivered operands may be used

BypassWindowOptions write_back(unsigned instructions = 3, unsigned entries = 12) {
  BypassWindowOptions o;
  o.instructions = instructions;
  o.entries = entries;
  o.write_back = true;
  return o;
}

// An instruction that comes, gets its operands, dispatches and finishes before the next one.
void whole(TrackedWindow& w, Instruction& i) {
  const WindowLookup found = w.insert(i);
  for (unsigned s = 0; s < i.source_count; ++s) {
    if ((found.misses >> s & 1u) != 0) w.fill(i, i.source(s), {i.operands[s].expected}, stamp);
  }
  w.dispatched(found.index);
}
void finish(TrackedWindow& w, const Instruction& i) {
  for (unsigned d = 0; d < i.destination_count; ++d) {
    if (w.holds_slot(i, d)) CHECK(w.result(i.destination(d), RegisterWrite::of(i, d), false));
  }
}

// Bank writes of the listing below, by register.
std::map<unsigned, unsigned> table_one(TrackedWindow& w, AnnotatedWarp& warp, bool write_through) {
  std::map<unsigned, unsigned> writes;
  for (Instruction& i : warp.all) {
    whole(w, i);
    for (const auto& v : w.written_back()) ++writes[v.reg];
    for (unsigned d = 0; d < i.destination_count; ++d) {
      if (write_through || !w.holds_slot(i, d)) ++writes[i.destination(d)];
    }
    finish(w, i);
  }
  return writes;
}

// Fig. 6 of the paper, lines 2 to 14.
void listing(AnnotatedWarp& w) {
  w.add({3}, {8});
  w.add({2}, {});
  w.add({1}, {0, 2});
  w.add({1}, {0, 2, 1});
  w.add({1}, {1});
  w.add({0}, {0, 2, 1});
  w.add({0}, {0});
  w.add({0}, {9, 0});
  w.add({1}, {0});
  w.add({2}, {1});
  w.add({2}, {2});
  w.add({4}, {2});
  w.add({}, {3, 1});
}

using Writes = std::map<unsigned, unsigned>;

}  // namespace

// The table counts values that have left the window when the listing ends. Values that are still in the
// window count as dead.
TEST_CASE("BOW's Table I: write-back makes 5 bank writes of the listing") {
  AnnotatedWarp warp;
  listing(warp);
  TrackedWindow w(write_back());
  CHECK(table_one(w, warp, false) == Writes{{0, 1}, {1, 2}, {2, 1}, {3, 1}});
  CHECK(w.counters().overwritten == 5);  // r1 twice, r0 twice, r2 (line 11) once
  CHECK(w.counters().write_backs == 5);
}

// The printed column has 10, with 2 for r2 and none for r4. But the listing writes r2 in lines 3, 11 and 12,
// and r4 in line 13. Every result goes to the banks.
TEST_CASE("BOW's Table I: write-through makes the 12 bank writes that the listing contains") {
  AnnotatedWarp warp;
  listing(warp);
  TrackedWindow w({3, 12, false, true, true});
  CHECK(table_one(w, warp, true) == Writes{{0, 3}, {1, 4}, {2, 3}, {3, 1}, {4, 1}});
  CHECK(w.counters().write_backs == 0);
}

// r4 is never read and is absent from the table. Its write is left out here as well.
TEST_CASE("BOW's Table I: hints leave 2 bank writes") {
  AnnotatedWarp warp;
  listing(warp);
  constexpr unsigned yes = 1, no = 0;
  const unsigned hints[][2] = {{no, yes}, {yes, no}, {yes, no},  {yes, no}, {yes, no}, {yes, no},
                               {yes, no}, {yes, no}, {yes, yes}, {yes, no}, {yes, no}, {yes, no}};
  for (std::size_t n = 0; n < std::size(hints); ++n) warp.hint(n, hints[n][0], hints[n][1]);
  TrackedWindow w(write_back());
  CHECK(table_one(w, warp, false) == Writes{{1, 1}, {3, 1}});
  CHECK(w.counters().to_banks == 1);
  CHECK(w.counters().to_window == 10);

  // A compiler with perfect knowledge finds the same hints, apart from r4, which it sends to the banks.
  AnnotatedWarp exact;
  listing(exact);
  exact.hint_exactly(3, true);
  TrackedWindow e(write_back());
  CHECK(table_one(e, exact, false) == Writes{{1, 1}, {3, 1}, {4, 1}});
}

TEST_CASE("a value is found while its last use is less than IW instructions ago") {
  for (const unsigned iw : {1u, 2u, 3u, 7u}) {
    AnnotatedWarp warp;
    TrackedWindow w({iw, 12, false, true, true});
    whole(w, warp.add({}, {5}));
    for (unsigned gap = 1; gap < 10; ++gap) {
      CAPTURE(iw, gap);
      for (unsigned n = 1; n < gap; ++n) whole(w, warp.add({}, {}));
      const WindowLookup found = w.insert(warp.add({}, {5}));
      CHECK((found.hits == 1) == (gap < iw));
      CHECK((found.misses == 1) == (gap >= iw));
      w.fill(warp.all.back(), 5, {}, stamp);
    }
  }
}

TEST_CASE("a second miss of a register waits for the first one's delivery") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back());
  Instruction &a = warp.add({}, {5}), &b = warp.add({}, {6, 5}), &c = warp.add({}, {5});
  CHECK(w.insert(a).misses == 1);
  const WindowLookup shares = w.insert(b);
  CHECK(shares.misses == 1);
  CHECK(shares.shared == 2);
  CHECK(shares.filler[1] == &a);
  w.fill(a, 5, {40}, 9);
  const WindowLookup hits = w.insert(c);
  CHECK(hits.hits == 1);
  CHECK(hits.ready == 9);
  CHECK(c.operands[0].collected.write == 40);
}

TEST_CASE("a slot that has slid out takes no result") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back(2));
  Instruction& late = warp.add({4}, {});
  w.insert(late);
  w.insert(warp.add({}, {}));
  CHECK(w.holds_slot(late, 0));
  w.insert(warp.add({}, {}));
  CHECK_FALSE(w.holds_slot(late, 0));
  CHECK_FALSE(w.result(4, RegisterWrite::of(late, 0), false));
  CHECK_FALSE(w.has(4));
}

TEST_CASE("a result for the banks only outdates the copy in the window") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back());
  Instruction &first = warp.add({4}, {}), &second = warp.add({4}, {});
  warp.hint(1, 0, 1);
  whole(w, first);
  finish(w, first);
  CHECK(w.holds(4, 1));
  w.insert(second);
  CHECK_FALSE(w.has(4));
  CHECK_FALSE(w.holds_slot(second, 0));
  CHECK(w.written_back().empty());  // overwritten, so the banks never need it
  // The lanes that a partly active warp leaves out are needed.
  Instruction &third = warp.add({4}, {}), &part = warp.add({4}, {}, 1);
  warp.hint(3, 0, 1);
  whole(w, third);
  finish(w, third);
  w.insert(part);
  REQUIRE(w.written_back().size() == 1);
  CHECK(w.written_back()[0].version.write == third.produced[0]);
}

TEST_CASE("half the storage: the oldest entry that nobody needs makes room") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back(7, 3));
  Instruction &a = warp.add({1}, {}), &b = warp.add({2}, {7}), &c = warp.add({3}, {});
  whole(w, a);
  finish(w, a);
  const std::uint64_t reader = w.insert(b).index;  // R1, R7, R2: full; b is not dispatched
  CHECK(w.used() == 3);
  w.insert(c);  // R1 came first
  CHECK_FALSE(w.has(1));
  REQUIRE(w.written_back().size() == 1);
  CHECK(w.written_back()[0].reg == 1);
  CHECK(w.counters().displaced == 1);
  w.insert(warp.add({5}, {}));  // R7 came next, but b needs R7, so R2's slot goes
  CHECK(w.has(7));
  CHECK_FALSE(w.has(2));
  CHECK_FALSE(w.holds_slot(b, 0));
  w.fill(b, 7, {}, stamp);
  w.dispatched(reader);
  w.insert(warp.add({6}, {}));
  CHECK_FALSE(w.has(7));
  CHECK(w.counters().displaced == 3);
  CHECK(w.counters().slid_out == 0);
}

TEST_CASE("when every entry is needed an operand is not kept") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back(3, 3));
  Instruction& i = warp.add({9}, {1, 2, 3, 4});
  CHECK(w.insert(i).misses == 15);
  CHECK(w.used() == 3);
  CHECK_FALSE(w.has(4));
  CHECK_FALSE(w.holds_slot(i, 0));
  CHECK(w.counters().no_room == 2);
}

TEST_CASE("a window-only value is never written back unless it has to make room") {
  for (const bool read_again : {true, false}) {
    AnnotatedWarp warp;
    TrackedWindow slides(write_back(2, 12)), full(write_back(3, 1)), untrusted({3, 12, true, true, false});
    Instruction& a = warp.add({1}, {});
    warp.hint(0, 1, 0);
    whole(slides, a);
    finish(slides, a);
    for (int n = 0; n < 2; ++n) slides.insert(warp.add({}, {}));
    CHECK_FALSE(slides.has(1));
    CHECK(slides.counters().write_backs == 0);

    whole(full, a);
    finish(full, a);
    full.insert(warp.add({2}, {}));
    CHECK(full.counters().write_backs == 1);
    CHECK(full.counters().forced_write_backs == 1);
    full.insert(warp.add({}, {static_cast<Register>(read_again ? 1 : 5)}));
    CHECK(full.counters().hint_violations == (read_again ? 1 : 0));

    // Out of program order the slot may slide away before the value is read, and is treated like any other.
    whole(untrusted, a);
    finish(untrusted, a);
    for (int n = 0; n < 3; ++n) untrusted.insert(warp.add({}, {}));
    CHECK(untrusted.counters().write_backs == 1);
  }
}

TEST_CASE("a window-only slot that makes room before its result comes is counted, too") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back(3, 1));
  Instruction& a = warp.add({1}, {});
  warp.hint(0, 1, 0);
  w.insert(a);
  w.insert(warp.add({2}, {}));
  CHECK_FALSE(w.holds_slot(a, 0));  // so it goes to the banks
  CHECK(w.counters().forced_write_backs == 1);
}

TEST_CASE("a taken branch writes back what is dirty, another warp drops it") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back());
  Instruction &a = warp.add({1}, {}), &b = warp.add({2}, {}), &pending = warp.add({3}, {});
  warp.hint(1, 1, 0);
  for (Instruction* i : {&a, &b}) {
    whole(w, *i);
    finish(w, *i);
  }
  w.insert(pending);
  w.flush();
  CHECK(w.used() == 0);
  CHECK_FALSE(w.holds_slot(pending, 0));
  REQUIRE(w.written_back().size() == 1);  // R2 was for this window only
  CHECK(w.written_back()[0].reg == 1);
  CHECK(w.counters().flushes == 1);
  whole(w, a);
  finish(w, a);
  w.reset();
  CHECK(w.used() == 0);
  CHECK(w.written_back().empty());
  CHECK(w.counters().died == 1);
}

TEST_CASE("another warp may read a register that the last warp's window gave up for lack of room") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back(3, 1));
  Instruction& a = warp.add({1}, {});
  warp.hint(0, 1, 0);
  whole(w, a);
  finish(w, a);
  w.insert(warp.add({2}, {}));
  CHECK(w.counters().forced_write_backs == 1);
  w.reset();
  w.insert(warp.add({}, {1}));
  CHECK(w.counters().hint_violations == 0);
}

// R24 and R40 are dirty. The product's accumulators are R24 to R31.
TEST_CASE(
    "a warpgroup's product takes its accumulators out of the window, and sends dirty ones to the banks") {
  AnnotatedWarp warp;
  TrackedWindow w(write_back());
  Instruction &a = warp.add({24}, {}), &b = warp.add({40}, {}), &product = warp.add({}, {});
  StaticInstruction code;
  code.warpgroup = WarpgroupStep::product;
  code.accumulators = {24, 8, true};
  product.code = &code;
  for (Instruction* i : {&a, &b}) {
    whole(w, *i);
    finish(w, *i);
  }
  w.insert(product);
  CHECK_FALSE(w.has(24));
  CHECK(w.has(40));
  REQUIRE(w.written_back().size() == 1);
  CHECK(w.written_back()[0].reg == 24);
  CHECK(w.written_back()[0].version.write == a.produced[0]);
  CHECK(w.counters().slid_out == 0);
  CHECK(w.counters().displaced == 0);
}

TEST_CASE("a partly active result completes an entry but makes none") {
  AnnotatedWarp warp;
  TrackedWindow safe(write_back()), papers({3, 12, true, false, true});
  Instruction& alone = warp.add({4}, {}, 1);
  safe.insert(alone);
  CHECK_FALSE(safe.holds_slot(alone, 0));
  papers.insert(alone);
  CHECK(papers.holds_slot(alone, 0));
  Instruction &full = warp.add({5}, {}), &part = warp.add({5}, {}, 1);
  whole(safe, full);
  finish(safe, full);
  safe.insert(part);
  // The lanes that the result leaves out must be in the banks before the result gets there.
  REQUIRE(safe.written_back().size() == 1);
  CHECK(safe.written_back()[0].version.write == full.produced[0]);
  CHECK(safe.holds_slot(part, 0));
  CHECK(safe.holds(5, full.produced[0]));
  CHECK(safe.result(5, RegisterWrite::of(part, 0), true));
  CHECK(safe.holds(5, part.produced[0]));
  CHECK(safe.dirty_mask() == 0);
}

TEST_CASE("a window's size is checked") {
  CHECK_THROWS_AS(BypassWindow({0, 12, false, true, true}), std::invalid_argument);
  CHECK_THROWS_AS(BypassWindow({33, 12, false, true, true}), std::invalid_argument);
  CHECK_THROWS_AS(BypassWindow({3, 0, false, true, true}), std::invalid_argument);
  CHECK_THROWS_AS(BypassWindow({3, 65, false, true, true}), std::invalid_argument);
}

}  // namespace bypass_window_policy_test
