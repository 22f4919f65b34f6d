// A warp's instruction buffer in program order (in_order.h).
#include <deque>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/issue/in_order.h"
#include "subcore/model/policy/random.h"
#include "tests/unit/made_instruction.h"

namespace in_order_policy_test {

using namespace subcore;
using subcore::test::MadeInstruction;

namespace {

using K = InstructionKind;
using S = MemorySpace;

constexpr Cycle never_again = ~Cycle{0};

// A window whose instructions are buffered from cycle 0 on.
struct Buffer {
  explicit Buffer(bool memory_guard, bool wait_for_branches = false,
                  Demotion demotion = Demotion::long_latency)
      : window(8, WarGuard::operand_collection, 9999, memory_guard, wait_for_branches, demotion) {}
  MadeInstruction& add(K kind, S space = S::none, const std::vector<Register>& destinations = {},
                       const std::vector<Register>& sources = {}) {
    MadeInstruction& m = all.emplace_back(destinations, sources, kind, space);
    return m;
  }
  void insert(MadeInstruction& m) { window.insert(m.instruction, 0); }
  // Issues the oldest instruction, if it may. Returns whether it did.
  bool issues() {
    Cycle look_again = never_again;
    Instruction* i = window.candidate(0, look_again);
    if (i != nullptr) window.issue(*i, 0);
    return i != nullptr;
  }
  InOrderWindow window;
  std::deque<MadeInstruction> all;
};

}  // namespace

TEST_CASE("an access waits until the older one that it must stay behind has left its collector") {
  struct Pair {
    K older;
    S older_space;
    K younger;
    S younger_space;
    bool waits;
  };
  const Pair pairs[] = {
      {K::store, S::global, K::load, S::global, true},
      {K::store, S::global, K::store, S::shared, true},
      {K::load, S::global, K::store, S::global, true},
      {K::load, S::global, K::load, S::global, false},
      {K::atomic, S::global, K::load, S::local, true},
      {K::load, S::shared, K::atomic, S::global, true},
      {K::load, S::constant, K::store, S::global, false},
      {K::store, S::global, K::load, S::constant, false},
      {K::store, S::global, K::arithmetic, S::none, false},
  };
  for (const Pair& p : pairs) {
    for (const bool guard : {true, false}) {
      CAPTURE(static_cast<int>(p.older), static_cast<int>(p.younger), guard);
      Buffer b(guard);
      // Loads have a result. A load without a result copies to shared memory, and so stores.
      const auto result = [](K k, Register r) {
        return k == K::store ? std::vector<Register>{} : std::vector<Register>{r};
      };
      MadeInstruction& older = b.add(p.older, p.older_space, result(p.older, 1), {2});
      MadeInstruction& younger = b.add(p.younger, p.younger_space, result(p.younger, 3), {4});
      b.insert(older);
      b.insert(younger);
      REQUIRE(b.issues());
      const bool waits = p.waits && guard;
      Cycle look_again = never_again;
      CHECK((b.window.candidate(0, look_again) == nullptr) == waits);
      std::ostringstream text;
      b.window.describe(text);
      CHECK((text.str().find("older memory access") != std::string::npos) == waits);
      b.window.collected(older.instruction);
      CHECK(b.issues());
      b.window.collected(younger.instruction);
      for (MadeInstruction* m : {&older, &younger}) {
        CHECK_FALSE(b.window.drained());
        if (barrier_waits_for(m->instruction)) b.window.entered(m->instruction);
        b.window.retired(m->instruction);
      }
      CHECK(b.window.drained());
    }
  }
}

TEST_CASE("an access without an active lane neither waits nor is waited for") {
  Buffer b(true);
  MadeInstruction &off = b.add(K::store, S::global, {}, {1}).predicated_off(),
                  &store = b.add(K::store, S::global, {}, {1}),
                  &load_off = b.add(K::load, S::global, {2}, {1}).predicated_off();
  for (MadeInstruction* m : {&off, &store, &load_off}) b.insert(*m);
  CHECK(b.issues());
  CHECK(b.issues());
  CHECK(b.issues());
}

TEST_CASE(
    "a barrier waits until older accesses have entered the load/store unit, and holds what is behind it") {
  Buffer b(true);
  MadeInstruction &store = b.add(K::store, S::global, {}, {1}), &load = b.add(K::load, S::global, {5}, {6}),
                  &constant = b.add(K::load, S::constant, {7}, {6}), &barrier = b.add(K::barrier),
                  &add = b.add(K::arithmetic, S::none, {2}, {3});
  for (MadeInstruction* m : {&store, &load, &constant, &barrier, &add}) b.insert(*m);
  REQUIRE(b.issues());
  b.window.collected(store.instruction);
  REQUIRE(b.issues());  // the load
  REQUIRE(b.issues());  // the constant, which is no access
  CHECK_FALSE(b.issues());
  b.window.entered(store.instruction);
  b.window.retired(store.instruction);
  CHECK_FALSE(b.issues());
  b.window.entered(load.instruction);
  CHECK(b.issues());  // without waiting for the load's result
  CHECK(b.window.stalled(0));
  CHECK_FALSE(b.issues());
  b.window.barrier_released();
  CHECK_FALSE(b.window.stalled(0));
  CHECK(b.issues());
}

TEST_CASE("a warp does not stop at a barrier that is predicated off") {
  Buffer b(true);
  MadeInstruction &barrier = b.add(K::barrier).predicated_off(),
                  &add = b.add(K::arithmetic, S::none, {2}, {3});
  b.insert(barrier);
  b.insert(add);
  REQUIRE(b.issues());
  CHECK_FALSE(b.window.stalled(0));
  CHECK(b.window.blocked(0).cause == StallCause::issued);
  CHECK(b.issues());
  for (MadeInstruction* m : {&barrier, &add}) {
    b.window.collected(m->instruction);
    b.window.retired(m->instruction);
  }
  CHECK(b.window.drained());
}

TEST_CASE("an in-order warp waits for its branches if it is told to") {
  for (const bool waits : {true, false}) {
    Buffer b(true, waits);
    MadeInstruction &branch = b.add(K::control), &add = b.add(K::arithmetic, S::none, {2}, {3});
    b.insert(branch);
    b.insert(add);
    REQUIRE(b.issues());
    std::ostringstream text;
    b.window.describe(text);
    CHECK((text.str().find("waits for a branch") != std::string::npos) == waits);
    CHECK(b.issues() != waits);
    b.window.retired(branch.instruction);
    CHECK(b.issues() == waits);
  }
}

TEST_CASE("a warp stalls on a long-latency result, read or overwritten, or at the end of a strand") {
  for (const bool overwrites : {false, true}) {
    Buffer b(true);
    MadeInstruction &shared = b.add(K::load, S::shared, {4}, {2}),
                    &load = b.add(K::load, S::global, {1}, {2}),
                    &user = overwrites ? b.add(K::arithmetic, S::none, {1}, {3})
                                       : b.add(K::arithmetic, S::none, {3}, {4, 1});
    for (MadeInstruction* m : {&shared, &load, &user}) b.insert(*m);
    REQUIRE(b.issues());
    REQUIRE(b.issues());
    CHECK(b.window.stalled(0));
    b.window.retired(load.instruction);
    CHECK_FALSE(b.window.stalled(0));  // shared memory does not take long
    CHECK(b.issues() == overwrites);
  }
  Buffer b(true, false, Demotion::strand_end);
  Annotation starts;
  starts.strand_start = true;
  MadeInstruction &load = b.add(K::load, S::global, {1}, {2}),
                  &user = b.add(K::arithmetic, S::none, {3}, {1}),
                  &free = b.add(K::arithmetic, S::none, {5}, {6});
  free.code.annotation = &starts;
  b.insert(load);
  b.insert(user);
  REQUIRE(b.issues());
  CHECK_FALSE(b.window.stalled(0));
  b.window.retired(load.instruction);
  REQUIRE(b.issues());
  Buffer c(true, false, Demotion::strand_end);
  c.insert(load);
  c.insert(free);
  REQUIRE(c.issues());
  CHECK(c.window.stalled(0));
  c.window.retired(load.instruction);
  CHECK_FALSE(c.window.stalled(0));
}

// A window may say that an update gives no candidate. Its caller then does not ask again.
TEST_CASE("a window that says so has the same candidate as before the update") {
  constexpr K kinds[] = {K::arithmetic, K::arithmetic, K::arithmetic, K::load,
                         K::store,      K::barrier,    K::control};
  for (const WarGuard guard : {WarGuard::off, WarGuard::operand_collection, WarGuard::write_back}) {
    Random r(static_cast<std::uint64_t>(guard) + 7);
    InOrderWindow window(3, guard, 2, true, true);
    std::deque<MadeInstruction> all;
    std::vector<Instruction*> collecting, entering, finishing;
    const auto take = [&r](std::vector<Instruction*>& from) {
      const auto at = from.begin() + r.below(static_cast<unsigned>(from.size()));
      Instruction* i = *at;
      from.erase(at);
      return i;
    };
    unsigned buffered = 0, same = 0, other = 0;
    bool at_barrier = false;
    for (unsigned step = 0; step < 20000; ++step) {
      const auto reg = [&r] { return static_cast<Register>(r.below(6)); };
      Cycle look_again = never_again;
      Instruction* const candidate = window.candidate(0, look_again);
      bool changed = true;
      switch (r.below(6)) {
        case 0:
          if (buffered == 3) break;
          {
            const K kind = kinds[r.below(7)];
            const bool writes = kind == K::arithmetic || kind == K::load, quiet = kind >= K::barrier;
            MadeInstruction& m =
                all.emplace_back(writes ? std::vector<Register>{reg()} : std::vector<Register>{},
                                 quiet ? std::vector<Register>{} : std::vector<Register>{reg()}, kind,
                                 kind == K::load || kind == K::store ? S::global : S::none);
            if (r.below(3) == 0) m.code.predicates_read = 1;
            if (writes && r.below(3) == 0) m.code.predicates_written = 1;
            changed = window.insert(m.instruction, 0);
            ++buffered;
          }
          break;
        case 1:
          if (candidate == nullptr) break;
          window.issue(*candidate, 0);
          --buffered;
          at_barrier |= candidate->code->kind == K::barrier;
          collecting.push_back(candidate);
          break;
        case 2:
          if (collecting.empty()) break;
          {
            Instruction* const i = take(collecting);
            changed = window.collected(*i);
            (barrier_waits_for(*i) ? entering : finishing).push_back(i);
          }
          break;
        case 3:
          if (entering.empty()) break;
          finishing.push_back(take(entering));
          changed = window.entered(*finishing.back());
          break;
        case 4:
          if (finishing.empty()) break;
          changed = window.retired(*take(finishing));
          break;
        case 5:
          if (at_barrier) window.barrier_released();
          at_barrier = false;
      }
      Instruction* const now = window.candidate(0, look_again);
      if (!changed) REQUIRE(now == candidate);
      ++(changed ? other : same);
    }
    CHECK(same > 1000);
    CHECK(other > 1000);
  }
}

}  // namespace in_order_policy_test
