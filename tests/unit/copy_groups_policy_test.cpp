#include <deque>
#include <memory>
#include <sstream>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/control_bits.h"
#include "subcore/model/policy/issue/copy_groups.h"
#include "subcore/model/policy/issue/in_order.h"
#include "subcore/model/policy/issue/socgpu.h"
#include "subcore/model/policy/random.h"
#include "tests/unit/made_instruction.h"

namespace copy_groups_policy_test {

using namespace subcore;
using subcore::test::MadeInstruction;

namespace {

constexpr Cycle none_yet = ~Cycle{0};

// Instructions of one warp, numbered in program order.
class Warp {
 public:
  Instruction& step(CopyStep step, unsigned open_groups = 0) {
    MadeInstruction& made = made_.emplace_back();
    made.code.execution = ExecutionClass::load_store;
    if (step == CopyStep::copy) {
      made.code.kind = InstructionKind::load;
      made.code.space = MemorySpace::global;
    }
    made.code.copies = step;
    made.code.open_groups = static_cast<std::uint8_t>(open_groups);
    made.instruction.sequence = made_.size();
    return made.instruction;
  }
  Instruction& copy() { return step(CopyStep::copy); }
  Instruction& end() { return step(CopyStep::end_group); }
  Instruction& wait(unsigned open_groups) { return step(CopyStep::wait, open_groups); }
  Instruction& shared_load() {
    Instruction& i = step(CopyStep::none);
    made_.back().code.kind = InstructionKind::load;
    made_.back().code.space = MemorySpace::shared;
    return i;
  }
  StaticInstruction& last_code() { return made_.back().code; }

 private:
  std::deque<MadeInstruction> made_;
};

}  // namespace

TEST_CASE("copy groups: a wait lets so many groups be, and groups complete in order") {
  Warp w;
  CopyGroups groups;
  Instruction &a = w.copy(), &b = w.copy(), &end_ab = w.end(), &c = w.copy(), &end_c = w.end();
  const Instruction &none = w.wait(0), &one = w.wait(1), &two = w.wait(2);
  CHECK(groups.clear());
  CHECK_FALSE(groups.hold(none));
  groups.issue(a);
  CHECK_FALSE(groups.clear());
  CHECK_FALSE(groups.hold(none));  // no group has been ended
  groups.issue(b);
  groups.issue(end_ab);
  CHECK(groups.hold(none));
  CHECK_FALSE(groups.hold(one));
  groups.issue(c);
  groups.issue(end_c);
  CHECK(groups.hold(one));
  CHECK_FALSE(groups.hold(two));
  CHECK(groups.retired(end_ab) == 0);
  CHECK(groups.retired(end_c) == 0);
  CHECK(groups.retired(c) == 0);  // complete only when the group before it is
  CHECK(groups.retired(a) == 0);
  CHECK(groups.hold(one));
  CHECK(groups.retired(b) == 2);
  CHECK_FALSE(groups.hold(none));
  CHECK(groups.clear());
}

TEST_CASE("copy groups: only a wait is held, a group may be empty, and without lanes there is no step") {
  Warp w;
  CopyGroups groups;
  Instruction &off = w.copy(), &end_off = w.end(), &end = w.end(), &none = w.wait(0), &load = w.shared_load();
  off.mask = end_off.mask = 0;
  groups.issue(off);
  groups.issue(end_off);
  CHECK(groups.clear());
  groups.issue(end);
  CHECK(groups.hold(none));  // until the instruction that ends the group has retired
  CHECK_FALSE(groups.hold(load));
  CHECK(groups.retired(off) == 0);
  CHECK(groups.retired(load) == 0);
  CHECK(groups.retired(end) == 1);
  none.mask = 0;
  groups.issue(w.end());
  CHECK_FALSE(groups.hold(none));
}

// The reference keeps all instructions, and counts groups anew each time.
TEST_CASE("copy groups: random orders of retirement agree with counting all groups again") {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    Warp w;
    CopyGroups groups;
    std::vector<std::vector<bool>> under_way(1);  // by group, the last one open
    struct Flying {
      Instruction* instruction;
      std::size_t group, member;
    };
    std::vector<Flying> flying;
    unsigned complete = 0;
    for (int n = 0; n < 60; ++n) {
      if (flying.empty() || random.below(2) == 0) {
        const bool ends = random.below(3) == 0;
        Instruction& i = ends ? w.end() : w.copy();
        groups.issue(i);
        flying.push_back({&i, under_way.size() - 1, under_way.back().size()});
        under_way.back().push_back(true);
        if (ends) under_way.emplace_back();
      } else {
        const auto chosen = flying.begin() + random.below(static_cast<std::uint32_t>(flying.size()));
        under_way[chosen->group][chosen->member] = false;
        complete += groups.retired(*chosen->instruction);
        flying.erase(chosen);
      }
      std::size_t first = 0;
      const auto is_over = [&](std::size_t g) {
        for (const bool member : under_way[g])
          if (member) return false;
        return true;
      };
      while (first + 1 < under_way.size() && is_over(first)) ++first;
      REQUIRE(complete == first);
      const std::size_t incomplete = under_way.size() - 1 - first;
      for (unsigned most = 0; most < 4; ++most) REQUIRE(groups.hold(w.wait(most)) == (incomplete > most));
      REQUIRE(groups.clear() == (flying.empty()));
    }
  }
}

TEST_CASE("copy groups: in program order a wait holds all behind it until its groups are complete") {
  Warp w;
  HoldClock clock(HoldEffect::freeze);
  for (const bool by_control_bits : {false, true}) {
    std::unique_ptr<IssueWindow> window;
    if (by_control_bits)
      window = std::make_unique<ControlBitsWindow>(8, 46, clock);
    else
      window = std::make_unique<InOrderWindow>(8, WarGuard::operand_collection, 9999, true);
    Instruction &a = w.copy(), &end_a = w.end(), &b = w.copy(), &end_b = w.end(), &wait = w.wait(1);
    Instruction& load = w.shared_load();
    Cycle now = 10, look_again = none_yet;
    for (Instruction* i : {&a, &end_a, &b, &end_b, &wait, &load}) {
      const_cast<StaticInstruction*>(i->code)->control.stall = 1;
      window->insert(*i, now);
    }
    for (Instruction* i : {&a, &end_a, &b, &end_b}) {
      REQUIRE(window->candidate(now, look_again) == i);
      window->issue(*i, now);
      window->collected(*i);
      if (barrier_waits_for(*i)) window->entered(*i);
      now += 2;
    }
    for (Instruction* i : {&end_a, &end_b, &b}) {
      CHECK(window->candidate(now, look_again) == nullptr);
      CHECK(window->blocked(now).cause == StallCause::copy_groups);
      CHECK(window->blocked(now).instruction == &wait);
      CHECK(window->retired(*i));
    }
    CHECK(window->candidate(now, look_again) == nullptr);
    if (!by_control_bits) CHECK(window->stalled(now));
    std::ostringstream text;
    CHECK(window->describe(text));
    CHECK_THAT(text.str(), Catch::Contains("waits for groups of copies"));
    CHECK(window->retired(a));
    REQUIRE(window->candidate(now, look_again) == &wait);
    window->issue(wait, now);
    now += 2;
    REQUIRE(window->candidate(now, look_again) == &load);
    window->issue(load, now);
    window->collected(load);
    window->entered(load);
    window->retired(wait);
    window->retired(load);
    CHECK(window->drained());
  }
}

TEST_CASE("copy groups: a warp with copies under way is not drained, and waits for nothing at its end") {
  Warp w;
  InOrderWindow window(2, WarGuard::operand_collection, 9999, true);
  Instruction& copy = w.copy();
  window.insert(copy, 3);
  window.issue(copy, 3);
  window.collected(copy);
  window.entered(copy);
  CHECK(window.blocked(5).cause == StallCause::draining);
  CHECK_FALSE(window.drained());
  window.retired(copy);
  CHECK(window.blocked(6).cause == StallCause::none);
  CHECK(window.drained());
}

TEST_CASE("copy groups: a copy passes another that is still collecting, but no older load or store") {
  Warp w;
  InOrderWindow window(4, WarGuard::operand_collection, 9999, true);
  Cycle look_again = none_yet;
  Instruction &first = w.copy(), &second = w.copy(), &load = w.shared_load(), &third = w.copy();
  for (Instruction* i : {&first, &second, &load, &third}) window.insert(*i, 3);
  window.issue(first, 3);
  CHECK(window.candidate(4, look_again) == &second);
  window.issue(second, 4);
  CHECK(window.candidate(5, look_again) == &load);
  window.issue(load, 5);
  CHECK(window.candidate(6, look_again) == nullptr);
  CHECK(window.blocked(6).cause == StallCause::memory_order);
  window.collected(first);
  CHECK(window.candidate(6, look_again) == nullptr);
  window.collected(load);
  CHECK(window.candidate(7, look_again) == &third);
}

TEST_CASE("control bits: the counter of a group falls when the group is complete, not when its end retires") {
  Warp w;
  HoldClock clock(HoldEffect::freeze);
  ControlBitsWindow window(8, 46, clock);
  Cycle look_again = none_yet;
  Instruction &copy = w.copy(), &end = w.end();
  w.last_code().control.write_barrier = 0;
  w.last_code().control.stall = 2;
  Instruction& user = w.shared_load();
  w.last_code().control.wait_mask = 1;
  for (Instruction* i : {&copy, &end, &user}) window.insert(*i, 3);
  window.issue(copy, 3);
  window.issue(end, 4);
  window.retired(end);
  CHECK(window.candidate(20, look_again) == nullptr);
  CHECK(window.blocked(20).cause == StallCause::sb0);
  window.retired(copy);
  CHECK(window.candidate(20, look_again) == &user);
}

TEST_CASE("control bits: DEPBAR.LE lets its counter be as high as it says") {
  Warp w;
  HoldClock clock(HoldEffect::freeze);
  ControlBitsWindow window(8, 46, clock);
  Cycle look_again = none_yet;
  std::vector<Instruction*> loads;
  for (int n = 0; n < 3; ++n) {
    loads.push_back(&w.shared_load());
    w.last_code().control.write_barrier = 4;
    w.last_code().control.stall = 1;
  }
  Instruction& wait = w.wait(1);
  w.last_code().awaited_counter = 4;
  for (Instruction* i : loads) window.insert(*i, 3);
  window.insert(wait, 3);
  for (Instruction* i : loads) window.issue(*i, 3 + 2 * i->sequence);
  CHECK(window.candidate(30, look_again) == nullptr);
  CHECK(window.blocked(30).cause == StallCause::copy_groups);
  window.retired(*loads[2]);
  CHECK(window.candidate(30, look_again) == nullptr);
  window.retired(*loads[0]);
  CHECK(window.candidate(30, look_again) == &wait);
}

TEST_CASE("copy groups: out of order a wait depends on the copies that it awaits, and accesses on the wait") {
  Warp w;
  DependenceMatrix matrix(16, {});
  const unsigned old_end = matrix.insert(w.end()), a = matrix.insert(w.copy()),
                 end_a = matrix.insert(w.end()), b = matrix.insert(w.copy()), end_b = matrix.insert(w.end()),
                 open = matrix.insert(w.copy());
  const unsigned one = matrix.insert(w.wait(1));
  const unsigned load = matrix.insert(w.shared_load()), late = matrix.insert(w.copy()),
                 all = matrix.insert(w.wait(0)), many = matrix.insert(w.wait(9));
  const auto set = [](const std::vector<unsigned>& entries) {
    std::uint64_t bits = 0;
    for (const unsigned e : entries) bits |= std::uint64_t{1} << e;
    return bits;
  };
  CHECK(matrix.row(one) == set({old_end, a, end_a}));
  CHECK(matrix.cause(one) == StallCause::copy_groups);
  CHECK(matrix.row(all) == set({old_end, a, end_a, b, end_b, one}));
  CHECK(matrix.row(many) == set({one, all}));
  CHECK(matrix.row(load) == set({one}));
  CHECK(matrix.cause(load) == StallCause::copy_groups);
  CHECK((matrix.row(late) & set({one, open})) == set({one}));
  for (const unsigned e : {old_end, end_a}) {
    matrix.issue(e);
    matrix.written_back(e);
  }
  matrix.issue(a);
  CHECK(matrix.row(one) == set({a}));
  matrix.written_back(a);
  CHECK(matrix.row(one) == 0);
  matrix.issue(one);
  CHECK(matrix.row(load) == 0);
}

}  // namespace copy_groups_policy_test
