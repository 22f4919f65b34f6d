// The energy of one SM from its counts, in sums, rows and notes, and its share of a chip, worked out by hand.
#include "subcore/power/power_monitors.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "tests/energy_by_event.h"
#include "tests/module/bench.h"
#include "tests/module/register_master.h"
#include "tests/temporary_folder.h"
#include "tests/unit/trace_files.h"

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

// R1 is not in the cache, and comes from a bank. R2 and R3 are written into the cache, R2 is hit there, and
// both go back to the banks when the warp ends. So the cache reads its array 3 times. The collector stores
// two operands: R1 from the crossbar, and R2 from the cache, which counts that write.
TEST_CASE("power monitors: an operand cache and the issue stage have rows of their own, and are in the sum") {
  const TemporaryFolder folder;
  PlatformParameters p = rfc(1);
  p.energy.issue_logic = true;
  p.energy.preset = folder
                        .write("mine.yaml",
                               "extends: cacti22\npreset: mine\n"
                               "events:\n  buf_wr: 32\n  cache_rd: 2\n  cache_wr: 4\n  cache_search: 0.5\n"
                               "  cache_path: 8\n  cache_out: 16\n"
                               "  ibuf_wr: 64\n  ibuf_rd: 128\n  scoreboard: 256\n")
                        .string();
  Program program;
  program.add({{alu({2}, {1}), alu({3}, {2})}});
  Bench bench("bench", p, program);
  const auto power = attach_monitors(bench.sm, p);
  run_cycles(200);
  REQUIRE(bench.finished());

  const Energy energy = power->energy();
  CHECK(pj_of(energy, "buf_wr") == 2 * 32);
  CHECK(pj_of(energy, "cache_rd") == 3 * 2);
  CHECK(pj_of(energy, "cache_wr") == 2 * 4);
  CHECK(pj_of(energy, "cache_search") == 2 * 0.5);
  CHECK(pj_of(energy, "cache_path") == 4 * 8);
  CHECK(pj_of(energy, "cache_out") == 16);
  CHECK(pj_of(energy, "ibuf_wr") == 2 * 64);
  CHECK(pj_of(energy, "ibuf_rd") == 2 * 128);
  CHECK(pj_of(energy, "scoreboard") == 2 * 256);
  const std::string csv = power->csv();
  CHECK_THAT(csv, Catch::Contains("sm.sub_core_0.operand_cache,buf_wr,1,32.000\n"
                                  "sm.sub_core_0.operand_cache,cache_rd,3,6.000\n"
                                  "sm.sub_core_0.operand_cache,cache_wr,2,8.000\n"
                                  "sm.sub_core_0.operand_cache,cache_search,2,1.000\n"
                                  "sm.sub_core_0.operand_cache,cache_path,4,32.000\n"
                                  "sm.sub_core_0.operand_cache,cache_out,1,16.000\n"));
  CHECK_THAT(csv, Catch::Contains("sm.sub_core_0.issue_scheduler,ibuf_wr,2,128.000\n"
                                  "sm.sub_core_0.issue_scheduler,ibuf_rd,2,256.000\n"
                                  "sm.sub_core_0.issue_scheduler,scoreboard,2,512.000\n"));
  CHECK_THAT(csv, !Catch::Contains("leakage"));
  CHECK(power->imbalance().empty());
}

// Two instructions. A cycle takes 2 ns.
TEST_CASE(
    "power monitors: a dependence matrix is charged in place of scoreboards, and leakage for the time") {
  const TemporaryFolder folder;
  PlatformParameters p = socgpu(baseline());
  p.clock_period_ns = 2;
  p.energy.issue_logic = p.energy.leakage = true;
  p.energy.preset = folder
                        .write("mine.yaml",
                               "extends: cacti22\npreset: mine\n"
                               "events:\n  dep_wr: 2\n  dep_rd: 4\n  dep_clr: 8\n")
                        .string();
  Program program;
  program.add({{alu({2}, {1}), alu({3}, {2})}});
  Bench bench("bench", p, program);
  const auto power = attach_monitors(bench.sm, p);
  run_cycles(400);
  REQUIRE(bench.finished());

  const Energy energy = power->energy();
  CHECK(pj_of(energy, "dep_wr") == 2 * 2);
  CHECK(pj_of(energy, "dep_rd") == 2 * 4);
  CHECK(pj_of(energy, "dep_clr") == 2 * 8);
  CHECK_THAT(power->csv(), !Catch::Contains("scoreboard"));
  const Cycle cycles = bench.sm.conductor.now();
  const double leaked = pj_of(energy, "leakage");
  CHECK(leaked > 0);
  CHECK(leaked == Approx(power->hardware().leakage_mw * static_cast<double>(cycles) * 2));
  double sum = 0;
  for (const auto& [name, pj] : energy.by_event_pj) sum += pj;
  CHECK(energy.total_pj == Approx(sum));
  CHECK(power->total_pj() == Approx(sum));
  CHECK_THAT(power->csv(), Catch::Contains("\nall,leakage," + std::to_string(cycles) + ","));
  CHECK(power->imbalance().empty());
}

TEST_CASE("power monitors: the host of a GPU reads the energy that the monitors have counted") {
  const TemporaryFolder folder;
  TraceProgram program;
  program.kernels.push_back(
      folder.write("kernel-1.traceg",
                   header() + one_warp("0000 ffffffff 1 R4 IADD3 2 R2 R3 0\n0010 ffffffff 0 EXIT 0 0\n")));
  Gpu gpu("gpu", baseline());
  RegisterMaster host("host");
  host.socket.bind(gpu.control_socket());
  const auto power = attach_monitors(gpu);
  gpu.run(program);
  run_cycles(1000);
  REQUIRE(gpu.finished());
  const double picojoules = power->total_pj();
  CHECK(picojoules > 0);
  CHECK(host.read(launch_register::energy) == static_cast<std::uint64_t>(std::llround(picojoules * 1000)));
}

}  // namespace power_monitors_test
