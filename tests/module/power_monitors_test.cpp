// The energy of one SM from its counts, in sums, rows and notes, and its share of a chip, worked out by hand.
#include "subcore/power/power_monitors.h"

#include <catch2/catch.hpp>

#include "tests/energy_by_event.h"
#include "tests/module/bench.h"
#include "tests/temporary_folder.h"

namespace power_monitors_test {

using namespace subcore;
using namespace subcore::test;

// An instruction reads R2 and R6 of bank 0 and R3 of bank 1, and writes R4, which is near, to bank 0 and to
// its collector. The table has a coefficient of the user's event for banks of 64 KB alone, and the banks
// have 32.
TEST_CASE("power monitors: the energy of one instruction, and no note on an event that does not happen") {
  EnergyEvents::table().add("probe_rd", EnergyOwner::collector);
  const TemporaryFolder folder;
  PlatformParameters p = malekeh();
  p.energy.preset = folder
                        .write("mine.yaml",
                               "extends: cacti22\npreset: mine\n"
                               "events:\n  bank_rd: 2.5\n  bank_wr: 4\n  xbar_wr: 8\n"
                               "  probe_rd: {by: bank_kilobytes, points: {64: 3}}\n")
                        .string();
  REQUIRE(energy_coefficients(p).scaled.size() == 1);
  p.gpu.sms = 2;
  p.gpu.die_mm2 = 100;
  p.gpu.sram_cell_um2 = energy_coefficients(p).hardware.cell_um2 / 4;
  Program program;
  program.add({{alu({4}, {2, 6, 3}).near(0, 1)}});
  Bench bench("bench", p, program);
  const auto power = attach_monitors(bench.sm, p);
  run_cycles(200);
  REQUIRE(bench.finished());

  const Energy energy = power->energy();
  CHECK(energy.by_event_pj.size() == EnergyEvents::table().size());
  CHECK(pj_of(energy, "bank_rd") == 3 * 2.5);
  CHECK(pj_of(energy, "bank_wr") == 4);
  CHECK(pj_of(energy, "xbar_wr") == 8);
  double sum = 0;
  for (const auto& [name, pj] : energy.by_event_pj) sum += pj;
  CHECK(energy.total_pj == Approx(sum));
  CHECK(energy.notes.empty());
  CHECK_THAT(power->csv(), Catch::StartsWith("module,event,count,energy_pj\n"
                                             "sm.sub_core_0.bank_0,bank_rd,2,5.000\n"
                                             "sm.sub_core_0.bank_0,bank_wr,1,4.000\n"
                                             "sm.sub_core_0.bank_1,bank_rd,1,2.500\n"
                                             "sm.sub_core_0.arbiter,arb,3,"));
  CHECK(power->imbalance().empty());

  // Two SMs, whose cells have a quarter of the size of the table's.
  const Hardware hardware = power->hardware();
  CHECK(hardware.area_mm2 > 0);
  CHECK(hardware.chip_share.value() == Approx(hardware.area_mm2 * 2 / 4 / 100));
}

}  // namespace power_monitors_test
