#include <set>

#include <catch2/catch.hpp>

#include "subcore/model/policy/bank_map.h"

namespace bank_map_policy_test {

using namespace subcore;

TEST_CASE("two banks alternate over registers and over warps of the sub-core") {
  const BankMap m(2, BankWarpId::subcore_local, 3, 4);
  CHECK(m.bank(0, 0) == 0);
  CHECK(m.bank(1, 0) == 1);
  CHECK(m.bank(0, 1) == 1);
  CHECK(m.bank(1, 1) == 0);
  CHECK(m.bank(255, 7) == 0);
}

TEST_CASE("with SM-wide warp numbers all warps of a sub-core share a parity") {
  for (const std::uint32_t sub_core : {0u, 1u, 2u, 3u}) {
    const BankMap m(2, BankWarpId::sm, sub_core, 4);
    for (std::uint32_t slot = 0; slot < 8; ++slot) CHECK(m.bank(10, slot) == sub_core % 2);
  }
}

TEST_CASE("without a warp number only the register counts") {
  const BankMap m(4, BankWarpId::none, 3, 4);
  for (std::uint32_t slot = 0; slot < 64; ++slot) CHECK(m.bank(7, slot) == 3);
}

TEST_CASE("the bank is (register + warp) mod banks for any number of banks") {
  for (std::uint32_t banks = 1; banks <= 64; ++banks) {
    for (const std::uint32_t sub_cores : {1u, 3u, 4u}) {
      for (std::uint32_t sub_core = 0; sub_core < sub_cores; ++sub_core) {
        const BankMap local(banks, BankWarpId::subcore_local, sub_core, sub_cores);
        const BankMap wide(banks, BankWarpId::sm, sub_core, sub_cores);
        const BankMap none(banks, BankWarpId::none, sub_core, sub_cores);
        REQUIRE(local.banks() == banks);
        bool same = true;
        for (unsigned reg = 0; reg < 256; ++reg) {
          for (std::uint32_t slot = 0; slot < 64; slot += 7) {
            const auto r = static_cast<Register>(reg);
            same &= local.bank(r, slot) == (reg + slot) % banks;
            same &= wide.bank(r, slot) == (reg + slot * sub_cores + sub_core) % banks;
            same &= none.bank(r, slot) == reg % banks;
          }
        }
        REQUIRE(same);
      }
    }
  }
}

TEST_CASE("consecutive registers of a warp fall into different banks") {
  const BankMap m(5, BankWarpId::subcore_local, 0, 4);
  std::set<std::uint32_t> used;
  for (Register r = 20; r < 25; ++r) used.insert(m.bank(r, 6));
  CHECK(used.size() == 5);
}

}  // namespace bank_map_policy_test
