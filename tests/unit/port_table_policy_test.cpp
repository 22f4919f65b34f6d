#include <map>

#include <catch2/catch.hpp>

#include "subcore/model/policy/fixed_window/port_table.h"
#include "subcore/model/policy/random.h"

namespace port_table_policy_test {

using namespace subcore;

namespace {

PortTable::Reads of_banks(std::initializer_list<unsigned> banks) {
  PortTable::Reads reads;
  for (const unsigned b : banks) reads.add(b);
  return reads;
}

// The first cycle from `allocate` on in which the reads find ports in the three cycles behind it.
Cycle allocated(PortTable& table, PortTable::Reads reads, Cycle allocate) {
  while (!table.reserve(reads, allocate + 1, table.window_for(reads, 3))) ++allocate;
  return allocate;
}

}  // namespace

// Two FFMAs in a row, the first with three operands in bank 0 (Huerta, MICRO 2025). The second FFMA waits as
// long as its operands in that bank do not fit into three cycles.
TEST_CASE("a second FFMA waits for ports of the bank that the first reads") {
  for (const auto& [second, cycle] : {std::pair{of_banks({0, 1, 1}), 5u}, std::pair{of_banks({0, 0, 1}), 6u},
                                      std::pair{of_banks({0, 0, 0}), 7u}}) {
    PortTable table(2, 1);
    CHECK(allocated(table, of_banks({0, 0, 0}), 4) == 4);
    CHECK(allocated(table, second, 5) == cycle);
  }
}

TEST_CASE("a second port of each bank takes what one cannot, and without limit nothing waits") {
  PortTable two(2, 2), any(2, 0);
  for (Cycle c = 4; c < 12; ++c) {
    CHECK(allocated(two, of_banks({0, 0}), c) == c);
    CHECK(allocated(any, of_banks({0, 0, 0, 0, 0, 0}), c) == c);
  }
  PortTable one(2, 1);
  CHECK(allocated(one, of_banks({0, 0}), 4) == 4);
  CHECK(allocated(one, of_banks({0, 0}), 5) == 5);
  CHECK(allocated(one, of_banks({0, 0}), 6) == 7);
}

// HMMA.1688.F32 with A in R2-3, B in R5 and C in R8-11 reads in six cycles. An FFMA of R12, R14 and R1 behind
// it waits for one cycle.
TEST_CASE("an FFMA behind a tensor instruction waits for a cycle") {
  PortTable table(2, 1);
  PortTable::Reads tensor = of_banks({0, 1, 1, 0, 1, 0, 1});
  CHECK(table.window_for(tensor, 6) == 6);
  REQUIRE(table.reserve(tensor, 3, 6));
  CHECK(allocated(table, of_banks({0, 0, 1}), 3) == 4);
}

TEST_CASE("what one bank cannot read in the window takes a longer one") {
  const PortTable one(2, 1), two(2, 2), any(2, 0);
  const PortTable::Reads five = of_banks({0, 0, 1, 0, 0, 0});
  CHECK(one.window_for(five, 3) == 5);
  CHECK(two.window_for(five, 1) == 3);
  CHECK(any.window_for(five, 1) == 1);
}

// Ports against a list of all that has been taken.
TEST_CASE("ports are given once, the earliest first, and all or none") {
  Random random(5);
  for (const unsigned ports : {1u, 2u}) {
    const unsigned banks = 2;
    PortTable table(banks, ports);
    std::map<std::pair<Cycle, unsigned>, unsigned> taken;
    Cycle first = 1;
    for (int round = 0; round < 4000; ++round, first += random.below(3)) {
      PortTable::Reads reads;
      for (unsigned n = random.below(5); n > 0; --n) reads.add(random.below(banks));
      const unsigned window = table.window_for(reads, 1 + random.below(4));
      auto wanted = taken;
      bool fits = true;
      std::vector<Cycle> expected;
      for (unsigned n = 0; n < reads.count; ++n) {
        Cycle at = first;
        while (wanted[{at, reads.bank[n]}] == ports) ++at;
        fits = fits && at < first + window;
        ++wanted[{at, reads.bank[n]}];
        expected.push_back(at);
      }
      REQUIRE(table.reserve(reads, first, window) == fits);
      if (!fits) continue;
      taken = wanted;
      for (unsigned n = 0; n < reads.count; ++n) REQUIRE(reads.cycle[n] == expected[n]);
    }
  }
}

}  // namespace port_table_policy_test
