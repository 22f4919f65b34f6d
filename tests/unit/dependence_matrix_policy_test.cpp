#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/dependence_matrix.h"
#include "tests/unit/made_instruction.h"

namespace dependence_matrix_policy_test {

using namespace subcore;
using subcore::test::MadeInstruction;

namespace {

using K = InstructionKind;
using S = MemorySpace;

// The event of an older `p` for which `a` waits.
enum class Ends { at_once, at_issue, when_collected, when_entered, at_write_back };

// Every column is cleared at write-back.
const DependenceOptions literal{ControlRelease::write_back, OrderRelease::write_back,
                                OrderRelease::write_back, ControlRelease::write_back, true};

Ends ends(const MadeInstruction& a, const MadeInstruction& p, const DependenceOptions& o = literal) {
  DependenceMatrix m(8, o);
  const unsigned older = m.insert(p.instruction), younger = m.insert(a.instruction);
  const std::uint64_t waits = std::uint64_t{1} << older;
  const auto wait = [&] {
    CHECK((m.row(younger) & ~waits) == 0);
    return m.row(younger) != 0;
  };
  if (!wait()) return Ends::at_once;
  m.issue(older);
  if (!wait()) return Ends::at_issue;
  m.collected(older);
  if (!wait()) return Ends::when_collected;
  m.entered(older);
  if (!wait()) return Ends::when_entered;
  m.written_back(older);
  REQUIRE_FALSE(wait());
  return Ends::at_write_back;
}

const MadeInstruction add({4}, {1, 2}), other({8}, {9});
const MadeInstruction load({4}, {1}, K::load, S::global), shared_load({5}, {2}, K::load, S::shared);
const MadeInstruction local_load({6}, {3}, K::load, S::local), constant({7}, {3}, K::load, S::constant);
const MadeInstruction store({}, {1, 9}, K::store, S::global), shared_store({}, {2, 9}, K::store, S::shared);
const MadeInstruction atomic({10}, {11}, K::atomic, S::shared);
const MadeInstruction barrier({}, {}, K::barrier), exit_({}, {}, K::exit), branch({}, {}, K::control);

}  // namespace

TEST_CASE("R1 and R2: a register written or read before is waited for, a register read twice is not") {
  CHECK(ends(MadeInstruction({4}, {20}), add) == Ends::at_write_back);  // WAW
  CHECK(ends(MadeInstruction({2}, {20}), add) == Ends::at_write_back);  // WAR
  CHECK(ends(MadeInstruction({20}, {4}), add) == Ends::at_write_back);  // RAW
  CHECK(ends(MadeInstruction({20}, {1, 2}), add) == Ends::at_once);     // read after read
  CHECK(ends(MadeInstruction({255}, {254}), MadeInstruction({254}, {255})) == Ends::at_write_back);
}

TEST_CASE("a write behind a read may be released when the operands are collected, no other hazard is") {
  DependenceOptions o = literal;
  o.war_release = OrderRelease::operand_collection;
  CHECK(ends(MadeInstruction({2}, {20}), add, o) == Ends::when_collected);
  CHECK(ends(MadeInstruction({4}, {20}), add, o) == Ends::at_write_back);
  CHECK(ends(MadeInstruction({20}, {4}), add, o) == Ends::at_write_back);
  // A dependence of both kinds ends with the later.
  CHECK(ends(MadeInstruction({2}, {4}), add, o) == Ends::at_write_back);
}

TEST_CASE("R3: memory waits at a barrier, arithmetic and constants do not") {
  for (const auto* a : {&load, &shared_load, &local_load, &store, &shared_store, &atomic})
    CHECK(ends(*a, barrier) == Ends::at_write_back);
  CHECK(ends(add, barrier) == Ends::at_once);
  CHECK(ends(constant, barrier) == Ends::at_once);
  DependenceOptions quick{ControlRelease::issue, OrderRelease::operand_collection,
                          OrderRelease::operand_collection, ControlRelease::issue, false};
  CHECK(ends(load, barrier, quick) == Ends::at_write_back);
  CHECK(ends(barrier, barrier, quick) == Ends::at_write_back);  // barriers go one at a time
  CHECK(ends(exit_, barrier, quick) == Ends::at_write_back);    // a warp does not end at one
}

TEST_CASE("R4 and R5: stores wait for loads and stores, loads for stores, whatever the space") {
  for (const OrderRelease release : {OrderRelease::write_back, OrderRelease::operand_collection}) {
    DependenceOptions o = literal;
    o.memory_release = release;
    const Ends end = release == OrderRelease::write_back ? Ends::at_write_back : Ends::when_collected;
    const MadeInstruction far_store({}, {30}, K::store, S::global), far_load({31}, {32}, K::load, S::global);
    for (const auto* p : {&shared_load, &local_load, &shared_store, &store, &load})
      CHECK(ends(far_store, *p, o) == end);                                             // R4
    for (const auto* p : {&store, &shared_store}) CHECK(ends(far_load, *p, o) == end);  // R5
    for (const auto* p : {&load, &shared_load, &local_load, &constant})
      CHECK(ends(far_load, *p, o) == Ends::at_once);
    CHECK(ends(far_store, constant, o) == Ends::at_once);
    CHECK(ends(constant, far_store, o) == Ends::at_once);
    // Atomics do both.
    CHECK(ends(far_load, atomic, o) == end);
    CHECK(ends(atomic, far_load, o) == end);
    CHECK(ends(atomic, store, o) == end);
    // Fences wait, too.
    MadeInstruction fence;
    fence.code.execution = ExecutionClass::load_store;
    CHECK(ends(fence, far_load, o) == end);
    CHECK(ends(far_load, fence, o) == end);
  }
}

TEST_CASE("copies to shared memory order nothing that is behind them as a store does") {
  MadeInstruction copy({}, {30}, K::load, S::global), another({}, {31}, K::load, S::global);
  copy.code.copies = another.code.copies = CopyStep::copy;
  for (const OrderRelease release : {OrderRelease::write_back, OrderRelease::operand_collection}) {
    DependenceOptions o = literal;
    o.memory_release = release;
    const Ends order = release == OrderRelease::write_back ? Ends::when_entered : Ends::when_collected;
    CHECK(ends(another, copy, o) == Ends::at_once);
    for (const auto* behind : {&load, &shared_load, &local_load, &constant, &add})
      CHECK(ends(*behind, copy, o) == Ends::at_once);
    // Memory that copies read must not be overwritten before, and copies must not overwrite what is still to
    // be read.
    for (const auto* write : {&store, &shared_store, &atomic}) {
      CHECK(ends(*write, copy, o) == order);
      CHECK(ends(copy, *write, o) == order);
    }
    for (const auto* read : {&load, &shared_load, &local_load}) CHECK(ends(copy, *read, o) == order);
    CHECK(ends(copy, constant, o) == Ends::at_once);
    CHECK(ends(copy, barrier, o) == Ends::at_write_back);
  }
  // An instruction that ends a group of copies is no fence. Nor is an instruction that arrives when copies
  // are done.
  for (const CopyStep step : {CopyStep::end_group, CopyStep::arrive}) {
    MadeInstruction follower;
    follower.code.execution = ExecutionClass::load_store;
    follower.code.copies = step;
    CHECK(ends(follower, copy) == Ends::at_once);
    CHECK(ends(load, follower) == Ends::at_once);
  }
  CHECK(ends(barrier, copy, {}) == Ends::when_entered);  // R8
}

TEST_CASE("R6 and R7: a control instruction waits for all, and all wait for it") {
  for (const auto* one : {&add, &load, &store, &barrier, &exit_}) {
    DependenceOptions o = literal;
    CHECK(ends(branch, *one, o) == Ends::at_write_back);
    CHECK(ends(*one, branch, o) == Ends::at_write_back);
    o.older_release = ControlRelease::issue;
    CHECK(ends(branch, *one, o) == Ends::at_issue);
    o.older_release = ControlRelease::write_back;
    o.control_release = ControlRelease::issue;
    CHECK(ends(branch, *one, o) == Ends::at_write_back);
    if (one != &barrier && one != &exit_) CHECK(ends(*one, branch, o) == Ends::at_issue);
  }
  // Section 3 demands all instructions that have issued before the branch. Section 5.1 demands a branch that
  // has issued.
  CHECK(ends(branch, add, {}) == Ends::at_issue);
  CHECK(ends(add, branch, {}) == Ends::at_issue);
  // A predicated-off branch is still a branch.
  MadeInstruction untaken({}, {}, K::control);
  untaken.predicated_off();
  CHECK(ends(untaken, add) == Ends::at_write_back);
  CHECK(ends(add, untaken) == Ends::at_write_back);
}

TEST_CASE("R8: a barrier and an exit wait for all older instructions, unless switched off") {
  for (const auto* last : {&barrier, &exit_}) {
    for (const auto* p : {&add, &load, &store, &shared_load}) {
      DependenceOptions o = literal;
      CHECK(ends(*last, *p, o) == Ends::at_write_back);
      o.older_release = ControlRelease::issue;
      // The load/store unit performs accesses in the order in which they enter.
      const bool access = last == &barrier && p != &add;
      CHECK(ends(*last, *p, o) == (access ? Ends::when_entered : Ends::at_issue));
      o.barriers_wait = false;
      CHECK(ends(*last, *p, o) == Ends::at_once);
    }
  }
}

TEST_CASE("without an active lane there is no access, no barrier and no operand") {
  MadeInstruction off_store({}, {1}, K::store, S::global), off_barrier({}, {}, K::barrier), off({4}, {1});
  off_store.predicated_off(), off_barrier.predicated_off(), off.predicated_off();
  CHECK(ends(off_store, load) == Ends::at_once);
  CHECK(ends(load, off_store) == Ends::at_once);
  CHECK(ends(load, off_barrier) == Ends::at_once);
  CHECK(ends(off, add) == Ends::at_once);
}

TEST_CASE("events that are over when a younger instruction comes are not waited for") {
  DependenceOptions o = literal;
  o.war_release = OrderRelease::operand_collection;
  o.control_release = ControlRelease::issue;
  DependenceMatrix m(4, o);
  m.insert(add.instruction), m.issue(0), m.collected(0);
  CHECK(m.row(m.insert(MadeInstruction({2}, {20}).instruction)) == 0);
  CHECK(m.row(m.insert(MadeInstruction({4}, {20}).instruction)) == 0b0001);
  m.insert(branch.instruction);
  CHECK(m.row(3) == 0b0111);
  m.written_back(0), m.issue(1), m.written_back(1), m.issue(2), m.written_back(2);
  CHECK(m.candidate() == 3);
  m.issue(3);
  CHECK(m.row(m.insert(other.instruction)) == 0);  // the branch has issued
}

// The matrix of Figure 3: four entries in no particular order, 0 and 3 may issue, 1 waits for 0.
TEST_CASE("a matrix of four: two may issue, and one that waits goes on at the other's write-back") {
  DependenceMatrix m(4, {});
  const MadeInstruction gone({60}, {});
  for (unsigned n = 0; n < 4; ++n) CHECK(m.insert(gone.instruction) == n);
  for (unsigned n = 0; n < 4; ++n) m.issue(n);
  // The oldest of the new ones finds entry 3 free, the next 0, then 1, the youngest 2.
  const MadeInstruction a({10}, {1}), b({11}, {2}), c({12}, {11}), d({13}, {12, 10});
  m.written_back(3);
  CHECK(m.insert(a.instruction) == 3);
  m.written_back(0);
  CHECK(m.insert(b.instruction) == 0);
  m.written_back(1);
  CHECK(m.insert(c.instruction) == 1);
  m.written_back(2);
  CHECK(m.insert(d.instruction) == 2);
  CHECK(m.row(0) == 0);
  CHECK(m.row(1) == 0b0001);
  CHECK(m.row(2) == 0b1010);
  CHECK(m.row(3) == 0);
  // The lowest entry goes first although entry 3 holds the oldest.
  CHECK(m.candidate() == 0);
  m.issue(0);
  CHECK(m.candidate() == 3);
  m.issue(3);
  CHECK(m.candidate() == -1);
  m.collected(0);
  CHECK(m.candidate() == -1);  // issue is not enough
  m.written_back(0);
  CHECK(m.candidate() == 1);
  m.issue(1), m.written_back(3);
  CHECK(m.row(2) == 0b0010);
  m.written_back(1);
  CHECK(m.candidate() == 2);
  m.issue(2), m.written_back(2);
  CHECK(m.empty());
}

TEST_CASE("a column is cleared before its entry is used again") {
  DependenceMatrix m(2, {});
  m.insert(add.instruction);                         // writes 4
  m.insert(MadeInstruction({20}, {4}).instruction);  // waits for entry 0
  m.issue(0), m.written_back(0);
  CHECK(m.insert(other.instruction) == 0);
  CHECK(m.row(1) == 0);
  CHECK(m.candidate() == 0);
}

TEST_CASE("sixty-four entries") {
  DependenceMatrix m(64, {});
  const MadeInstruction chain({1}, {1});
  for (unsigned n = 0; n < 64; ++n) CHECK(m.insert(chain.instruction) == n);
  CHECK(m.valid() == ~std::uint64_t{0});
  CHECK(m.row(63) == ~std::uint64_t{0} >> 1);
  for (unsigned n = 0; n < 64; ++n) {
    CHECK(m.candidate() == static_cast<int>(n));
    m.issue(n), m.written_back(n);
  }
  CHECK(m.empty());
}

TEST_CASE("predicates are operands like registers, as far as they are known") {
  MadeInstruction sets({}, {1}), guarded({3}, {2}), sets_again({}, {4}), other_predicate({5}, {6});
  sets.code.predicates_written = sets_again.code.predicates_written = 1u << 2;
  guarded.code.predicates_read = 1u << 2;
  other_predicate.code.predicates_read = 1u << 3;
  CHECK(ends(guarded, sets) == Ends::at_write_back);     // RAW
  CHECK(ends(sets_again, sets) == Ends::at_write_back);  // WAW
  CHECK(ends(sets_again, guarded) == Ends::at_write_back);
  DependenceOptions o = literal;
  o.war_release = OrderRelease::operand_collection;
  CHECK(ends(sets_again, guarded, o) == Ends::when_collected);  // WAR
  CHECK(ends(other_predicate, sets) == Ends::at_once);
  // An instruction without an active lane reads its guard, and writes nothing.
  guarded.predicated_off();
  CHECK(ends(guarded, sets) == Ends::at_write_back);
  sets.predicated_off();
  CHECK(ends(other_predicate, sets) == Ends::at_once);
  MadeInstruction reader({7}, {8});
  reader.code.predicates_read = 1u << 2;
  CHECK(ends(reader, sets) == Ends::at_once);
}

TEST_CASE("uniform registers are operands like registers, as far as they are known") {
  MadeInstruction writes({}, {1}), reads({3}, {2}), apart({5}, {6});
  constexpr PredicateSet any = 1u << any_uniform;
  writes.code.predicates_written = any;
  writes.code.uniforms_written = 1u << 4;
  reads.code.predicates_read = apart.code.predicates_read = any;
  reads.code.uniforms_read = 1u << 4;
  apart.code.uniforms_read = 1u << 5;
  CHECK(ends(reads, writes) == Ends::at_write_back);   // RAW
  CHECK(ends(writes, writes) == Ends::at_write_back);  // WAW
  CHECK(ends(writes, reads) == Ends::at_write_back);   // WAR
  CHECK(ends(apart, writes) == Ends::at_once);
  CHECK(ends(writes, apart) == Ends::at_once);
}

TEST_CASE("accumulators of a warpgroup's product are operands like registers") {
  MadeInstruction product, sum;
  product.code.warpgroup = sum.code.warpgroup = WarpgroupStep::product;
  product.code.accumulators = {24, 8, false};
  sum.code.accumulators = {24, 8, true};
  CHECK(ends(MadeInstruction({4}, {24}), product) == Ends::at_write_back);  // RAW
  CHECK(ends(MadeInstruction({31}, {1}), product) == Ends::at_write_back);  // WAW
  CHECK(ends(product, MadeInstruction({4}, {24})) == Ends::at_write_back);  // WAR
  CHECK(ends(sum, MadeInstruction({31}, {1})) == Ends::at_write_back);      // RAW
  CHECK(ends(MadeInstruction({32}, {23}), product) == Ends::at_once);
}

// Each product waits until the older ones have read their sources. The third also waits until the first is
// written back, because the warp may have two products under way.
TEST_CASE("a product waits until few enough older products are under way") {
  DependenceMatrix m(8, {}, nullptr, 2);
  MadeInstruction first, second, third;
  Register accumulators = 24;
  for (MadeInstruction* p : {&first, &second, &third}) {
    p->code.warpgroup = WarpgroupStep::product;
    p->code.accumulators = {accumulators, 8, false};
    accumulators = static_cast<Register>(accumulators + 8);
    m.insert(p->instruction);
  }
  CHECK(m.row(0) == 0);
  CHECK(m.row(1) == 0b001);
  CHECK(m.row(2) == 0b011);
  m.issue(0), m.collected(0);
  CHECK(m.row(1) == 0);
  CHECK(m.row(2) == 0b011);
  m.issue(1), m.collected(1);
  CHECK(m.row(2) == 0b001);
  m.written_back(0);
  CHECK(m.candidate() == 2);
}

TEST_CASE("dependences are counted by type when an instruction comes, and each older one once") {
  using Counts = std::vector<std::uint64_t>;  // RAW, WAR and WAW, stop, control, order, all
  const auto counts = [](const std::vector<const MadeInstruction*>& program, const DependenceOptions& o,
                         unsigned issued = 0) {
    DependenceCounts c;
    DependenceMatrix m(8, o, &c);
    for (unsigned n = 0; n < program.size(); ++n) {
      m.insert(program[n]->instruction);
      if (n < issued) m.issue(n);
    }
    return Counts{c.raw, c.war_waw, c.stop, c.control, c.order, c.all};
  };
  const MadeInstruction user({20}, {4}), waw({4}, {}), war({1}, {30}), again({4}, {4});
  CHECK(counts({&add, &other}, literal) == Counts{0, 0, 0, 0, 0, 0});
  CHECK(counts({&add, &user}, literal) == Counts{1, 0, 0, 0, 0, 1});
  CHECK(counts({&add, &waw}, literal) == Counts{0, 1, 0, 0, 0, 1});
  CHECK(counts({&add, &war}, literal) == Counts{0, 1, 0, 0, 0, 1});
  CHECK(counts({&add, &again}, literal) == Counts{1, 0, 0, 0, 0, 1});  // RAW and WAW
  CHECK(counts({&load, &store}, literal) == Counts{0, 0, 0, 0, 1, 1});
  CHECK(counts({&barrier, &load}, literal) == Counts{0, 0, 0, 0, 1, 1});
  CHECK(counts({&add, &other, &exit_}, literal) == Counts{0, 0, 0, 0, 2, 2});
  CHECK(counts({&add, &branch, &other}, literal) == Counts{0, 0, 1, 1, 0, 2});
  CHECK(counts({&branch, &branch}, literal) == Counts{0, 0, 1, 0, 0, 1});
  // Instructions that hold this one are counted. An issued branch does not hold it, unless it does so until
  // write-back.
  DependenceOptions quick = literal;
  quick.control_release = quick.older_release = ControlRelease::issue;
  CHECK(counts({&branch, &other}, quick, 1) == Counts{0, 0, 0, 0, 0, 0});
  CHECK(counts({&branch, &other}, literal, 1) == Counts{0, 0, 1, 0, 0, 1});
}

}  // namespace dependence_matrix_policy_test
