// Matrix products of warpgroups by four warps, each on its sub-core or all on one. The warps begin together,
// and groups are waited for, whatever finds hazards.
#include <deque>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/isa/opcodes.h"
#include "tests/module/fixed_window_kit.h"

namespace warpgroup_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr auto sm_90 = UnitArchitecture::sm_90;

Op of_sm_90(const Op& plain, const char* opcode) {
  Op made = plain;
  std::copy_n(made.code.sources.begin(), std::min<std::size_t>(made.code.source_count, operand_slots),
              made.code.slots.begin());
  ExecutionParameters units;
  units.architecture = sm_90;
  made.code.execution = opcode_info(opcode)->execution;
  set_unit_use(made.code, opcode, units.units());
  return made;
}
// A product on the accumulators from R`first` on, whose group ends with it.
Op product(Register first = 24, bool ends_group = true) {
  Op made = of_sm_90(integer({first}, {first}, 1), "HGMMA.64x64x16.F32.BF16");
  made.code.ends_group = ends_group;
  return made;
}
Op groups(unsigned open) {
  Op made = integer({}, {}, 1);
  made.code.kind = InstructionKind::control;
  made = of_sm_90(made, "WARPGROUP.DEPBAR.LE");
  made.code.open_groups = static_cast<std::uint8_t>(open);
  return made;
}
Op arrive() {
  Op made = integer({}, {}, 1);
  made.code.kind = InstructionKind::control;
  return of_sm_90(made, "WARPGROUP.ARRIVE");
}
Op move(const Registers& destinations, const Registers& sources, unsigned stall = 1) {
  return of_sm_90(integer(destinations, sources, stall), "MOV");
}

PlatformParameters on_sm_90(PlatformParameters p, unsigned sub_cores = 1) {
  p.multiprocessor.sub_cores = sub_cores;
  p.sub_core.collector.slots = max_sources;
  p.sub_core.execution.architecture = sm_90;
  return p;
}

// The cycle of each issue of warp `w`, from 1 on, on one or more sub-cores.
Cycles issues(const Bench& b, unsigned w, unsigned sub_cores = 1) {
  Cycles found;
  const std::string name = std::to_string(w) + ".";
  const std::string event = sub_cores > 1 ? "s" + std::to_string((w - 1) % sub_cores) + " issue" : "issue";
  for (const auto& [instruction, cycle] : times(b, event))
    if (instruction.substr(0, name.size()) == name) found.push_back(cycle);
  return found;
}

// The kinds of issue.
struct Kind {
  const char* name;
  PlatformParameters platform;
};
std::vector<Kind> kinds() {
  return {{"control_bits", on_sm_90(nvidia())},
          {"scoreboard", on_sm_90(baseline())},
          {"matrix", on_sm_90(socgpu(baseline()))}};
}

Program of_warps(unsigned warps, const WarpOps& ops) {
  Program p;
  p.add(std::vector<WarpOps>(warps, ops));
  p.kernel.block.x = warps * warp_lanes;
  return p;
}

}  // namespace

TEST_CASE("warpgroup: the four warps of a product begin it together") {
  Program p;
  p.kernel.block.x = 4 * warp_lanes;
  const WarpOps prompt{product(), groups(0), move({4}, {30})};
  WarpOps late = prompt;
  for (unsigned n = 0; n < 40; ++n) late.insert(late.begin(), move({2}, {3}, 2));
  p.add({prompt, prompt, prompt, late});
  Bench bench("bench", on_sm_90(nvidia(), 4), p);
  run_cycles(400);
  check_clean(bench);
  const Cycle product_of_last = issues(bench, 4, 4).at(40);
  for (unsigned w = 1; w <= 4; ++w) {
    const Cycles at = issues(bench, w, 4);
    CHECK(at.at(at.size() - 2) == product_of_last + 81);
  }
}

TEST_CASE("warpgroup: warps of a smaller group do not wait for others") {
  const Program p = of_warps(5, {product(), groups(0)});
  Bench bench("bench", on_sm_90(nvidia(), 4), p);
  run_cycles(400);
  check_clean(bench);
}

TEST_CASE("warpgroup: a wait is over with as many groups as it lets be, in their order") {
  const WarpOps ops{product(24, false), product(24), product(56), groups(1), groups(0), move({4}, {24})};
  const Program p = of_warps(1, ops);
  std::deque<Bench> benches;
  for (const Kind& k : kinds()) benches.emplace_back(k.name, k.platform, p);
  run_cycles(400);
  for (Bench& bench : benches) {
    INFO(bench.name());
    check_clean(bench);
    const Cycles at = issues(bench, 1);
    // Two products of 32 cycles make the first group, one more the second.
    CHECK(at.at(3) - at.at(0) >= 72 + 32);
    CHECK(at.at(4) - at.at(3) >= 28);
    CHECK(at.at(4) - at.at(3) <= 36);
  }
}

TEST_CASE("warpgroup: a product without a group is in that of the wait behind it") {
  const Program p = of_warps(1, {product(24, false), groups(0), move({4}, {24})});
  Bench bench("bench", on_sm_90(nvidia()), p);
  run_cycles(300);
  check_clean(bench);
  CHECK(issues(bench, 1).at(1) == issues(bench, 1).at(0) + 81);
}

TEST_CASE("warpgroup: ARRIVE waits until older results are in the banks") {
  const WarpOps ops{move({24}, {2}), arrive(), product(), groups(0)};
  const Program p = of_warps(1, ops);
  std::deque<Bench> benches;
  for (const Kind& k : kinds()) benches.emplace_back(k.name, k.platform, p);
  run_cycles(300);
  for (Bench& bench : benches) {
    INFO(bench.name());
    check_clean(bench);
    const Cycles at = issues(bench, 1);
    CHECK(at.at(1) - at.at(0) >= 5);
  }
}

TEST_CASE("warpgroup: a scoreboard keeps others off the accumulators of a product under way") {
  const Program reads = of_warps(1, {product(), move({4}, {30})}),
                writes = of_warps(1, {product(), move({30}, {2})});
  Bench reader("reader", on_sm_90(baseline()), reads), writer("writer", on_sm_90(baseline()), writes);
  run_cycles(300);
  for (Bench* bench : {&reader, &writer}) {
    check_clean(*bench);
    CHECK(issues(*bench, 1).at(1) - issues(*bench, 1).at(0) >= 70);
  }
}

TEST_CASE("warpgroup: no more products are under way than the limit") {
  PlatformParameters p = on_sm_90(nvidia());
  p.sub_core.warpgroup.in_flight = 2;
  const Program program = of_warps(1, WarpOps(4, product()));
  Bench bench("bench", p, program);
  run_cycles(500);
  check_clean(bench);
  const Cycles at = issues(bench, 1);
  CHECK(at.at(1) - at.at(0) < 8);
  CHECK(at.at(2) - at.at(0) >= 78);
}

TEST_CASE("warpgroup: the watchdog hears of the accumulators that a product has to write") {
  // A warp has 16 rows of 64 columns, which are 32 registers.
  const Program program = of_warps(1, {move({2}, {3}), product(), groups(0)});
  Bench bench("bench", on_sm_90(nvidia()), program);
  const WarpgroupUnit& unit = *bench.sm.sub_cores[0].warpgroup_unit;
  std::string first;
  for (unsigned n = 0; n < 200 && first.empty(); ++n) {
    run_cycles(1);
    first = waiting_report(unit);
  }
  CHECK(first == std::string(unit.name()) + ": pc 0x10, w0: 32 accumulators to be written\n");
  run_cycles(200);
  CHECK(waiting_report(unit).empty());
  check_clean(bench);
}

TEST_CASE("warpgroup: reads for products go ahead of other accesses to shared memory") {
  const auto load = [] {
    Op made = controlled(test::load({4}, {5}, 0x100, MemorySpace::shared), 2);
    made.code.control.write_barrier = 0;
    return made;
  };
  Op use = controlled(move({6}, {4}), 1);
  use.code.control.wait_mask = 1;
  const auto pause = [] { return move({2}, {3}, 15); };
  Program with = of_warps(1, {product(), product(), pause(), load(), load(), use, groups(0)}), without;
  without.add({{pause(), load(), load(), use}});
  Bench busy("busy", on_sm_90(nvidia()), with), idle("idle", on_sm_90(nvidia()), without);
  run_cycles(400);
  check_clean(busy);
  check_clean(idle);
  const Cycle alone = issues(idle, 1).at(3) - issues(idle, 1).at(2);
  CHECK(issues(busy, 1).at(5) - issues(busy, 1).at(4) >= alone + 16);
}

}  // namespace warpgroup_test
