// Why a warp's window has no candidate (stall_cause.h), in order and out of order.
#include <deque>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/in_order.h"
#include "subcore/model/policy/issue/socgpu.h"
#include "subcore/model/policy/random.h"
#include "tests/unit/made_instruction.h"

namespace stall_cause_policy_test {

using namespace subcore;
using subcore::test::MadeInstruction;

namespace {

using K = InstructionKind;
using S = MemorySpace;
using C = StallCause;

// A window of either kind, whose instructions arrive in cycle 0 and issue when they can.
class Warp {
 public:
  explicit Warp(std::unique_ptr<IssueWindow> w) : window(std::move(w)) {}
  MadeInstruction& add(const std::vector<Register>& destinations, const std::vector<Register>& sources,
                       K kind = K::arithmetic, S space = S::none, Cycle stamp = 0) {
    MadeInstruction& m = all_.emplace_back(destinations, sources, kind, space);
    m.instruction.sequence = all_.size() - 1;
    window->insert(m.instruction, stamp);
    return m;
  }
  // Issues everything that can issue. Returns why no more does, and checks which instruction that is.
  C cause(const MadeInstruction* waits, Cycle now = 0) {
    Cycle look_again = 0;
    while (Instruction* i = window->candidate(now, look_again)) window->issue(*i, now);
    const Blocked b = window->blocked(now);
    CHECK(b.instruction == (waits != nullptr ? &waits->instruction : nullptr));
    return b.cause;
  }
  // An instruction's events: operands have been read; it is in the load/store unit; results are written.
  void collected(MadeInstruction& m) { window->collected(m.instruction); }
  void entered(MadeInstruction& m) { window->entered(m.instruction); }
  void retired(MadeInstruction& m) { window->retired(m.instruction); }

  std::unique_ptr<IssueWindow> window;

 private:
  std::deque<MadeInstruction> all_;
};

Warp in_order(WarGuard guard = WarGuard::operand_collection, std::uint32_t max_uses = 9999,
              bool wait_for_branches = false) {
  return Warp(std::make_unique<InOrderWindow>(4, guard, max_uses, true, wait_for_branches));
}
Warp out_of_order(const DependenceOptions& o = {}) {
  return Warp(std::make_unique<SocgpuWindow>(4, o));
}

}  // namespace

TEST_CASE("stall causes: the words are distinct, and each state has leaves") {
  std::set<std::string> words;
  std::set<IssueState> states;
  for (const StallCauseLine& line : stall_causes) {
    CHECK(words.insert(line.name).second);
    states.insert(line.state);
  }
  CHECK(states.size() == issue_states.size());
  CHECK(state_of_cause("raw_long") == "hazard");
  CHECK(state_of_cause("turn_around") == "no_collector");
  CHECK(state_of_cause("drained") == "empty");
  CHECK(state_of_cause("not_selected").empty());  // no cycle of a scheduler has this cause
  CHECK(state_of_cause("hazard").empty());
  CHECK(is_only_leaf(C::pending_ready));
  CHECK_FALSE(is_only_leaf(C::fetch));
}

TEST_CASE("stall causes: a source awaits a short or a long result, in and out of order") {
  for (const bool ordered : {true, false}) {
    CAPTURE(ordered);
    for (const S space : {S::global, S::local, S::generic, S::shared, S::constant, S::none}) {
      Warp w = ordered ? in_order() : out_of_order();
      MadeInstruction& producer = w.add({4}, {1}, space == S::none ? K::arithmetic : K::load, space);
      MadeInstruction& user = w.add({5}, {4});
      const bool takes_long = space == S::global || space == S::local || space == S::generic;
      CHECK(w.cause(&user) == (takes_long ? C::raw_long : C::raw_short));
      w.collected(producer);
      CHECK(w.cause(&user) == (takes_long ? C::raw_long : C::raw_short));
      w.retired(producer);
      CHECK(w.cause(nullptr) == C::draining);
    }
    // The source that takes longest counts, and any source before any destination.
    Warp w = ordered ? in_order() : out_of_order();
    MadeInstruction &shared = w.add({6}, {1}), &load = w.add({4}, {1}, K::load, S::global),
                    &user = w.add({6}, {6, 4});
    CHECK(w.cause(&user) == C::raw_long);
    for (MadeInstruction* m : {&shared, &load}) w.collected(*m);
    w.retired(load);
    CHECK(w.cause(&user) == C::raw_short);
    w.retired(shared);
    CHECK(w.cause(nullptr) == C::draining);
    w.collected(user);
    w.retired(user);
    CHECK(w.cause(nullptr) == C::none);
  }
}

TEST_CASE("stall causes: a destination awaits an older result or an older read, in and out of order") {
  for (const bool ordered : {true, false}) {
    CAPTURE(ordered);
    DependenceOptions o;
    o.war_release = OrderRelease::operand_collection;
    Warp w = ordered ? in_order() : out_of_order(o);
    MadeInstruction &reader = w.add({4}, {1}), &writer = w.add({1}, {2});
    CHECK(w.cause(&writer) == C::war);
    w.collected(reader);
    CHECK(w.cause(nullptr) == C::draining);
    MadeInstruction& again = w.add({1}, {2});
    CHECK(w.cause(&again) == C::waw);
    w.collected(writer);
    CHECK(w.cause(&again) == C::waw);
    w.retired(writer);
    CHECK(w.cause(nullptr) == C::draining);
  }
}

TEST_CASE("stall causes: with a bit for each register a second reader waits, like a writer") {
  Warp w = in_order(WarGuard::operand_collection, 1);
  MadeInstruction &first = w.add({4}, {1}), &second = w.add({5}, {1});
  CHECK(w.cause(&second) == C::war);
  w.collected(first);
  CHECK(w.cause(nullptr) == C::draining);
}

TEST_CASE("stall causes: predicates count like registers") {
  struct Case {
    std::uint8_t older_reads, older_writes, reads, writes;
    C cause;
  };
  for (const Case& c : {Case{0, 2, 2, 0, C::raw_short}, Case{0, 2, 0, 2, C::waw}, Case{2, 0, 0, 2, C::war}}) {
    for (const bool ordered : {true, false}) {
      CAPTURE(ordered, static_cast<int>(c.cause));
      std::deque<MadeInstruction> all;
      MadeInstruction &older = all.emplace_back(), &younger = all.emplace_back();
      older.code.predicates_read = c.older_reads;
      older.code.predicates_written = c.older_writes;
      younger.code.predicates_read = c.reads;
      younger.code.predicates_written = c.writes;
      younger.instruction.sequence = 1;
      Warp w = ordered ? in_order() : out_of_order();
      w.window->insert(older.instruction, 0);
      w.window->insert(younger.instruction, 0);
      CHECK(w.cause(&younger) == c.cause);
    }
  }
}

TEST_CASE("stall causes: memory order, in and out of order") {
  for (const bool ordered : {true, false}) {
    CAPTURE(ordered);
    DependenceOptions o;
    o.memory_release = OrderRelease::operand_collection;
    Warp w = ordered ? in_order() : out_of_order(o);
    MadeInstruction &store = w.add({}, {1, 2}, K::store, S::global),
                    &load = w.add({4}, {3}, K::load, S::global);
    CHECK(w.cause(&load) == C::memory_order);
    w.collected(store);
    CHECK(w.cause(nullptr) == C::draining);
    // A barrier waits until the accesses have entered the load/store unit; as of then the warp waits there.
    MadeInstruction& barrier = w.add({}, {}, K::barrier);
    w.entered(store);
    CHECK(w.cause(&barrier) == C::memory_order);
    w.entered(load);
    MadeInstruction& behind = w.add({5}, {3}, K::load, S::shared);
    CHECK(w.cause(&behind) == C::barrier);
    w.window->barrier_released();
    w.retired(barrier);
    CHECK(w.cause(nullptr) == C::draining);
  }
}

TEST_CASE("stall causes: a barrier holds a warp of which nothing is buffered") {
  for (const bool ordered : {true, false}) {
    CAPTURE(ordered);
    Warp w = ordered ? in_order() : out_of_order();
    MadeInstruction& barrier = w.add({}, {}, K::barrier);
    CHECK(w.cause(nullptr) == C::barrier);
    w.retired(barrier);
    CHECK(w.cause(nullptr) == C::barrier);
    w.window->barrier_released();
    CHECK(w.cause(nullptr) == C::none);
  }
}

TEST_CASE("stall causes: control, in and out of order") {
  for (const bool ordered : {true, false}) {
    CAPTURE(ordered);
    DependenceOptions o;
    o.control_release = ControlRelease::write_back;
    Warp w = ordered ? in_order(WarGuard::operand_collection, 9999, true) : out_of_order(o);
    MadeInstruction &load = w.add({4}, {1}, K::load, S::global), &branch = w.add({}, {}, K::control),
                    &next = w.add({5}, {4});
    CHECK(w.cause(&next) == C::raw_long);  // the farther of the two
    w.retired(load);
    CHECK(w.cause(&next) == C::control);
    w.retired(branch);
    CHECK(w.cause(nullptr) == C::draining);
  }
  // Out of order, a branch or exit waits for older instructions.
  for (const K kind : {K::control, K::exit}) {
    DependenceOptions o;
    o.older_release = ControlRelease::write_back;
    Warp w = out_of_order(o);
    MadeInstruction &older = w.add({4}, {1}), &last = w.add({}, {}, kind);
    CHECK(w.cause(&last) == C::control);
    w.retired(older);
    CHECK(w.cause(nullptr) == C::draining);
  }
}

TEST_CASE("stall causes: an out-of-order window is full of what has issued") {
  Warp w = out_of_order();
  std::deque<MadeInstruction*> all;
  for (Register r = 0; r < 3; ++r) all.push_back(&w.add({r}, {}));
  CHECK(w.cause(nullptr) == C::draining);
  all.push_back(&w.add({3}, {}));
  CHECK(w.cause(nullptr) == C::window_full);
  w.retired(*all[2]);
  CHECK(w.cause(nullptr) == C::draining);
  // The oldest instruction that has not issued speaks for the window, in whichever entry it is.
  MadeInstruction& waits = w.add({7}, {1});
  CHECK(w.cause(&waits) == C::raw_short);
  w.retired(*all[0]);
  w.add({1}, {8});  // in entry 0, and younger
  CHECK(w.cause(&waits) == C::raw_short);
}

TEST_CASE("stall causes: what has not arrived does not count") {
  for (const bool ordered : {true, false}) {
    CAPTURE(ordered);
    Warp w = ordered ? in_order() : out_of_order();
    MadeInstruction &older = w.add({4}, {}), &late = w.add({5}, {4}, K::arithmetic, S::none, 3);
    CHECK(w.cause(nullptr, 2) == C::draining);
    CHECK(w.cause(&late, 3) == C::raw_short);
    w.retired(older);
    CHECK(w.cause(nullptr, 3) == C::draining);
  }
}

TEST_CASE("stall causes: the scoreboard blocks an instruction exactly when it knows a hazard") {
  Random random(11);
  for (const WarGuard guard : {WarGuard::off, WarGuard::operand_collection, WarGuard::write_back}) {
    for (const std::uint32_t uses : {1u, 2u, 9999u}) {
      Scoreboard s(guard, uses);
      std::deque<MadeInstruction> all;
      std::deque<MadeInstruction*> issued;
      unsigned blocked = 0;
      for (unsigned n = 0; n < 400; ++n) {
        std::vector<Register> d, r;
        if (random.below(4) != 0) d.push_back(static_cast<Register>(random.below(10)));
        for (unsigned k = random.below(4); k != 0; --k)
          r.push_back(static_cast<Register>(10 * k + random.below(3)));
        for (Register& x : r) x = static_cast<Register>(x % 13);
        MadeInstruction& m = all.emplace_back(d, r);
        m.code.predicates_read = static_cast<std::uint8_t>(random.below(8) == 0 ? 1 : 0);
        m.code.predicates_written = static_cast<std::uint8_t>(random.below(8) == 0 ? 1 : 0);
        while (s.blocks(m.instruction)) {
          ++blocked;
          REQUIRE(s.hazard(m.instruction) != C::issued);
          REQUIRE(is_hazard(s.hazard(m.instruction)));
          s.collected(issued.front()->instruction);
          s.retired(issued.front()->instruction);
          issued.pop_front();
        }
        REQUIRE(s.hazard(m.instruction) == C::issued);
        s.issue(m.instruction, random.below(2) == 0);
        issued.push_back(&m);
        if (issued.size() < 4) continue;
        s.collected(issued.front()->instruction);
        s.retired(issued.front()->instruction);
        issued.pop_front();
      }
      CHECK(blocked > 20);
    }
  }
}

}  // namespace stall_cause_policy_test
