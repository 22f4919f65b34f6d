// Area and leakage from bits, kinds and ports.
#include <catch2/catch.hpp>

#include "subcore/platforms/config/platform.h"
#include "subcore/power/energy_table.h"
#include "subcore/power/hardware_cost.h"

namespace hardware_unit_test {

using namespace subcore;

namespace {

HardwareTable table() {
  HardwareTable t;
  t.node_nm = 20;
  t.voltage = 0.8;
  t.kinds[static_cast<std::size_t>(HardwareKind::data)] = BitCost{0.5, 10, 0.5};
  t.parts["bank.registers"] = BitCost{1, 20, 0};
  return t;
}

}  // namespace

TEST_CASE("a part costs its bits, more with further ports, by a number of its own if the table has one") {
  const HardwareTable t = table();
  const auto cost = [&](const HardwarePart& p, const HardwareProcess& process = {}) {
    return cost_of(p, t, process);
  };
  const HardwarePart one{"ocu.operands", HardwareKind::data, 1000, 1000, 1};
  CHECK(cost(one).area_mm2 == Approx(0.5));
  CHECK(cost(one).leakage_mw == Approx(10));
  const HardwarePart three{"ccu.cache_table", HardwareKind::data, 1000, 1000, 3};
  CHECK(cost(three).area_mm2 == Approx(0.5 * 4));  // twice as high, twice as wide
  CHECK(cost(three).leakage_mw == Approx(10 * 4));
  const HardwarePart bank{"bank.registers", HardwareKind::data, 1000, 1000, 3};
  CHECK(cost(bank).area_mm2 == Approx(1));
  CHECK(cost({"ccu.tags", HardwareKind::tag, 8, 8, 1}).known == false);
  // Half the node: a quarter of the area, half the leakage. Half the voltage: a quarter of the leakage.
  CHECK(cost(one, {10, 0}).area_mm2 == Approx(0.125));
  CHECK(cost(one, {10, 0}).leakage_mw == Approx(5));
  CHECK(cost(one, {0, 0.4}).area_mm2 == Approx(0.5));
  CHECK(cost(one, {0, 0.4}).leakage_mw == Approx(2.5));
}

TEST_CASE("a share of a chip goes by cells of two processes, and is nothing where one is not known") {
  HardwareTable t = table();
  const Chip chip{800, 0.03, 10};
  CHECK_FALSE(share_of_chip(2, t, chip));  // the table names no cell
  t.cell_um2 = 0.06;
  // Ten SMs of 2 mm2 take 10 mm2 by cells of half the size.
  CHECK(*share_of_chip(2, t, chip) == Approx(10.0 / 800));
  CHECK_FALSE(share_of_chip(2, t, {0, 0, 10}));
}

TEST_CASE("parts of one name, kind and shape are one part, and nothing is none") {
  Inventory all;
  all.add("a", HardwareKind::data, 2, 8);
  all.add("a", HardwareKind::data, 3, 8);
  all.add("a", HardwareKind::data, 3, 8, 2);
  all.add("b", HardwareKind::tag, 0, 8);
  all.add("c", HardwareKind::state, 5, 0);
  REQUIRE(all.parts().size() == 2);
  CHECK(all.parts()[0].words == 5);
  CHECK(all.parts()[1].ports == 2);
  CHECK(width_of(1) == 0);
  CHECK(width_of(8) == 3);
  CHECK(width_of(9) == 4);
}

// BOW, Table IV and section V-B: a bank of 64 KB has 1.72 mm2 and leaks 111.84 mW, a collector of 1.5 KB
// leaks 1.11 mW.
TEST_CASE("BOW's own numbers come out by its table, and the estimate's differ as the README says") {
  EnergyTables tables;
  const HardwarePart bank{"bank.registers", HardwareKind::data, 512, operand_bits, 1};
  const HardwarePart collector{"bypassing_collector.window", HardwareKind::data, 12, operand_bits, 1};
  const HardwareTable& bow = tables.named("bow_table4").hardware;
  CHECK(cost_of(bank, bow, {}).area_mm2 == Approx(1.72).epsilon(0.001));
  CHECK(cost_of(bank, bow, {}).leakage_mw == Approx(111.84).epsilon(0.001));
  CHECK(cost_of(collector, bow, {}).leakage_mw == Approx(1.11).epsilon(0.001));
  const HardwareTable& estimate = tables.named("cacti22").hardware;
  const HardwareProcess at_28{28, 0.96};
  CHECK(cost_of(bank, estimate, at_28).area_mm2 == Approx(0.100).epsilon(0.01));
  CHECK(cost_of(bank, estimate, at_28).leakage_mw == Approx(17.2).epsilon(0.01));
  CHECK(cost_of(collector, estimate, at_28).leakage_mw == Approx(0.577).epsilon(0.01));
}

}  // namespace hardware_unit_test
