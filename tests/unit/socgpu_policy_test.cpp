#include <deque>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/socgpu.h"
#include "subcore/model/policy/random.h"
#include "tests/unit/made_instruction.h"

namespace socgpu_policy_test {

using namespace subcore;
using subcore::test::MadeInstruction;

namespace {

using K = InstructionKind;
using S = MemorySpace;
constexpr Cycle never_again = ~Cycle{0};

// Plain words for the effects of one instruction, and the rules once more, by looking at every pair.
struct Step {
  MadeInstruction made;
  bool arrived = false, issued = false, collected = false, entered = false, retired = false, gone = false;
  int slot = -1;
  explicit Step(const std::vector<Register>& d, const std::vector<Register>& s, K k, S space)
      : made(d, s, k, space) {}
  const Instruction& i() const { return made.instruction; }
  bool is(K k) const { return made.code.kind == k; }
  bool active() const { return i().mask != 0; }
  bool reads(Register r) const {
    for (unsigned s = 0; s < i().source_count; ++s)
      if (i().source(s) == r) return true;
    return false;
  }
  bool writes(Register r) const {
    for (unsigned d = 0; d < i().destination_count; ++d)
      if (i().destination(d) == r) return true;
    return false;
  }
  bool loads() const { return active() && made.code.space != S::constant && (is(K::load) || is(K::atomic)); }
  bool stores() const { return active() && (is(K::store) || is(K::atomic)); }
};

bool may_go_before(const Step& a, const Step& p, const DependenceOptions& o) {
  for (unsigned r = 0; r < 256; ++r) {
    const auto reg = static_cast<Register>(r);
    if (p.writes(reg) && (a.reads(reg) || a.writes(reg))) return false;
    if (a.writes(reg) && p.reads(reg) && !(o.war_release == OrderRelease::operand_collection && p.collected))
      return false;
  }
  const bool memory_ended = o.memory_release == OrderRelease::operand_collection && p.collected;
  if (a.stores() && (p.loads() || p.stores()) && !memory_ended) return false;
  if (a.loads() && p.stores() && !memory_ended) return false;
  const bool p_barrier = p.active() && p.is(K::barrier), a_barrier = a.active() && a.is(K::barrier);
  if (p_barrier && (a.loads() || a.stores() || a_barrier || a.is(K::exit))) return false;
  if (p.is(K::control) && !(o.control_release == ControlRelease::issue && p.issued)) return false;
  const bool older_ended = o.older_release == ControlRelease::issue && p.issued;
  if (a.is(K::control) && !older_ended) return false;
  if (o.barriers_wait && a.is(K::exit) && !older_ended) return false;
  if (o.barriers_wait && a_barrier && !(older_ended && (p.entered || !(p.loads() || p.stores()))))
    return false;
  return true;
}

void make(std::deque<Step>& program, Random& random, unsigned length) {
  for (unsigned n = 0; n < length; ++n) {
    std::vector<Register> d, s;
    for (unsigned k = random.below(3); k != 0; --k) d.push_back(static_cast<Register>(random.below(12)));
    for (unsigned k = random.below(4); k != 0; --k) s.push_back(static_cast<Register>(random.below(12)));
    if (d.size() == 2 && d[0] == d[1]) d.pop_back();
    static constexpr S spaces[] = {S::global, S::shared, S::local, S::constant};
    const S space = spaces[random.below(4)];
    switch (random.below(12)) {
      case 0:
      case 1:
        if (d.empty()) d.push_back(3);
        program.emplace_back(d, s, K::load, space);
        break;
      case 2:
        program.emplace_back(std::vector<Register>{}, s, K::store, space == S::constant ? S::local : space);
        break;
      case 3:
        program.emplace_back(d, s, K::atomic, S::global);
        break;
      case 4:
        if (random.below(2) == 0) {
          program.emplace_back(std::vector<Register>{}, std::vector<Register>{}, K::barrier, S::none);
        } else {
          program.emplace_back(std::vector<Register>{}, s, K::control, S::none);
        }
        break;
      default:
        program.emplace_back(d, s, K::arithmetic, S::none);
    }
    if (random.below(10) == 0) program.back().made.predicated_off();
  }
  program.emplace_back(std::vector<Register>{}, std::vector<Register>{}, K::exit, S::none);
  for (std::size_t n = 0; n < program.size(); ++n) program[n].made.instruction.sequence = n;
}

// Runs a program of random instructions through a window, everything at random times, beside the pairs.
void run(unsigned entries, const DependenceOptions& o, std::uint64_t seed) {
  Random random(seed);
  std::deque<Step> program;
  make(program, random, 150);
  SocgpuWindow window(entries, o);
  std::size_t sent = 0, arrived = 0, gone = 0;
  std::size_t oldest = 0;  // the oldest that has not gone
  std::vector<int> slots(entries, -1);
  Step* barrier = nullptr;  // issued and not released
  unsigned overtaken = 0, idle = 0;
  const auto leave = [&](Step& s) {
    s.gone = true;
    slots[static_cast<std::size_t>(s.slot)] = -1;
    ++gone;
  };
  // An assertion only for a failure, because there are millions of checks.
  const auto demand = [](bool holds, const char* what) {
    if (!holds) FAIL(what);
  };
  for (Cycle now = 1; gone < program.size(); ++now) {
    demand(now < 20000, "it comes to an end");
    while (program[oldest].gone) ++oldest;
    for (std::size_t n = oldest; n < arrived; ++n) {
      Step& s = program[n];
      if (s.issued && !s.collected && random.below(3) == 0) {
        s.collected = true;
        window.collected(s.i());
      } else if (s.collected && !s.entered && random.below(3) == 0) {
        s.entered = true;
        if (s.loads() || s.stores()) window.entered(s.i());
      } else if (s.entered && !s.retired && random.below(4) == 0) {
        s.retired = true;
        window.retired(s.made.instruction);
        if (&s != barrier) leave(s);
      }
    }
    demand(window.holds_retired_barrier() == (barrier != nullptr && barrier->retired), "a retired barrier");
    if (barrier != nullptr && random.below(6) == 0) {
      window.barrier_released();
      if (barrier->retired) leave(*barrier);
      barrier = nullptr;
    }
    for (; arrived < sent; ++arrived) {
      std::size_t e = 0;
      while (slots[e] >= 0) ++e;
      slots[e] = static_cast<int>(arrived);
      program[arrived].slot = static_cast<int>(e);
      program[arrived].arrived = true;
    }
    Instruction* expected = nullptr;
    bool in_flight = barrier != nullptr;
    for (const int n : slots) {
      if (n < 0) continue;
      Step& a = program[static_cast<std::size_t>(n)];
      in_flight |= a.issued;
      if (expected != nullptr || a.issued) continue;
      bool free = true;
      for (std::size_t p = oldest; p < static_cast<std::size_t>(n); ++p) {
        const Step& older = program[p];
        free = free && (older.gone || may_go_before(a, older, o));
      }
      if (free) expected = &a.made.instruction;
    }
    Cycle look_again = never_again;
    demand(window.candidate(now, look_again) == expected, "the candidate is what the scan finds");
    demand(look_again == never_again, "nothing to look at again");
    demand(window.drained() == (gone == arrived), "drained");
    demand(window.occupied(now) == (gone != arrived), "occupied");
    demand(expected != nullptr || in_flight || arrived == gone, "somebody can always go on");
    if (expected != nullptr && random.below(4) != 0) {
      Step& s = program[expected->sequence];
      for (std::size_t p = oldest; p < expected->sequence; ++p) overtaken += !program[p].issued;
      window.issue(*expected, now);
      s.issued = true;
      if (s.active() && s.is(K::barrier)) {
        demand(barrier == nullptr, "one barrier at a time");
        barrier = &s;
      }
    }
    for (unsigned n = random.below(3); n != 0 && sent < program.size() && sent - gone < entries; --n) {
      demand(window.insert(program[sent++].made.instruction, now + 1), "there is room");
    }
    if (sent > arrived) {
      // No instruction is a candidate before its stamp.
      look_again = never_again;
      const Instruction* c = window.candidate(now, look_again);
      demand(c == nullptr || c->sequence < arrived, "no candidate before its stamp");
      demand(look_again == now + 1, "it comes with the next cycle");
    }
    idle += expected == nullptr;
  }
  CHECK(window.drained());
  CHECK(idle > 0);
  if (entries > 2) CHECK(overtaken > 0);
}

}  // namespace

TEST_CASE("random programs issue as a scan of every pair says, in every option") {
  for (unsigned choice = 0; choice < 32; ++choice) {
    const DependenceOptions o{choice & 1u ? ControlRelease::issue : ControlRelease::write_back,
                              choice & 2u ? OrderRelease::operand_collection : OrderRelease::write_back,
                              choice & 4u ? OrderRelease::operand_collection : OrderRelease::write_back,
                              choice & 8u ? ControlRelease::issue : ControlRelease::write_back,
                              (choice & 16u) == 0};
    for (const unsigned entries : {2u, 4u, 8u, 64u}) {
      CAPTURE(choice, entries);
      for (std::uint64_t seed = 1; seed <= 4; ++seed) run(entries, o, 100 * choice + seed);
    }
  }
}

TEST_CASE("a barrier is pending until it has both retired and been released") {
  for (const bool release_first : {true, false}) {
    SocgpuWindow w(4, {});
    MadeInstruction barrier({}, {}, K::barrier), load({4}, {1}, K::load, S::shared), add({5}, {2});
    w.insert(barrier.instruction, 1), w.insert(load.instruction, 1), w.insert(add.instruction, 1);
    Cycle look_again = never_again;
    CHECK(w.candidate(1, look_again) == &barrier.instruction);
    w.issue(barrier.instruction, 1);
    CHECK(w.candidate(1, look_again) == &add.instruction);  // arithmetic may go on
    w.issue(add.instruction, 1);
    CHECK(w.candidate(1, look_again) == nullptr);
    if (release_first) {
      w.barrier_released();
      CHECK(w.candidate(2, look_again) == nullptr);
      CHECK_FALSE(w.holds_retired_barrier());
      w.retired(barrier.instruction);
      CHECK_FALSE(w.holds_retired_barrier());
    } else {
      w.retired(barrier.instruction);
      CHECK(w.holds_retired_barrier());
      CHECK(w.candidate(2, look_again) == nullptr);
      std::ostringstream text;
      CHECK(w.describe(text));
      CHECK(text.str() ==
            "3 buffered, waits at a barrier; entry 1: pc 0x0 waits for 0; entry 2: pc 0x0 has issued");
      w.barrier_released();
    }
    CHECK(w.candidate(3, look_again) == &load.instruction);
    CHECK_FALSE(w.drained());
  }
}

TEST_CASE("a window that issues out of order has no next instruction and is never stalled") {
  SocgpuWindow w(2, {});
  MadeInstruction load({1}, {2}, K::load, S::global), reader({3}, {1});
  Cycle look_again = never_again;
  w.insert(load.instruction, 1), w.insert(reader.instruction, 1);
  CHECK(w.candidate(1, look_again) == &load.instruction);
  w.issue(load.instruction, 1);
  CHECK(w.candidate(2, look_again) == nullptr);
  CHECK(w.next(2) == nullptr);
  CHECK_FALSE(w.stalled(2));
}

// An entry has 112 bits. The 40 bits of its registers and predicates are compared, and issue and fetch reach
// the other bits. The matrix has a bit for each pair of entries.
TEST_CASE("a window's parts are compared operands, the rest of its entries, and the matrix") {
  Inventory list;
  SocgpuWindow(4, {}).inventory(list);
  REQUIRE(list.parts().size() == 3);
  const HardwarePart &operands = list.parts()[0], &rest = list.parts()[1], &matrix = list.parts()[2];
  CHECK(operands.kind == HardwareKind::tag);
  CHECK(operands.all_bits() == 4 * 40);
  CHECK(rest.all_bits() == 4 * 72);
  CHECK(rest.ports == 2);
  CHECK(matrix.all_bits() == 4 * 4);
}

TEST_CASE("an entry freed in the cycle in which an instruction arrives takes it") {
  SocgpuWindow w(2, {});
  MadeInstruction a({1}, {}), b({2}, {}), c({3}, {});
  Cycle look_again = never_again;
  w.insert(a.instruction, 1), w.insert(b.instruction, 1);
  CHECK(w.candidate(1, look_again) == &a.instruction);
  w.issue(a.instruction, 1);
  // c comes before the write-back is told, but c's stamp is later: entry 0, below b.
  w.insert(c.instruction, 6);
  w.retired(a.instruction);
  CHECK(w.candidate(5, look_again) == &b.instruction);
  CHECK(look_again == 6);
  CHECK(w.candidate(6, look_again) == &c.instruction);
}

}  // namespace socgpu_policy_test
