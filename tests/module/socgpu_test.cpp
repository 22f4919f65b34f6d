// Out-of-order issue in cycles (systems.md section 6), on a whole sub-core. Tables are derived as in
// collect_test.cpp; in addition: an instruction keeps its entry until write-back, one that waits for it may
// issue in the cycle in which it is released, and two instructions are fetched a cycle: 0 and 1 may issue
// from 3 on, 2 and 3 from 4 on.
#include <memory>

#include <catch2/catch.hpp>

#include "tests/module/bench.h"
#include "tests/module/issue_order.h"

using namespace subcore;
using namespace subcore::test;

namespace {

// OCUs are drawn at random; for a table they are taken in turn.
PlatformParameters in_turn() {
  PlatformParameters p = socgpu(baseline(2));
  p.sub_core.collector.allocation = AllocationKind::own_or_lru;
  return p;
}
PlatformParameters with(const DependenceOptions& o) {
  PlatformParameters p = in_turn();
  p.sub_core.scheduler.socgpu.options = o;
  return p;
}
constexpr MemorySpace shared = MemorySpace::shared;

// Cycles and instructions of the issue rows.
Rows issues(const Bench& b) {
  Rows rows;
  for (const std::string& r : b.log.rows({"issue"})) rows.push_back(r.substr(0, r.rfind(' ')));
  return rows;
}

}  // namespace

TEST_CASE("a younger independent add overlaps the stall of a load's user") {
  Program program;
  program.add({{load({2}, {1}, 0x100, shared), alu({3}, {2}), alu({4}, {5})}});
  Bench bench("bench", in_turn(), program);
  run_cycles(100);
  CHECK(bench.log.rows() == Rows{
                                "3: issue 1.0 c0",
                                "4: issue 1.2 c1",
                                "4: read 1.R1 b1 c0",
                                "5: dispatch 1.0 load_store",
                                "5: read 1.R5 b1 c1",
                                "6: dispatch 1.2 integer",
                                "11: write 1.R4 b0",
                                "12: release 1.2",
                                "26: write 1.R2 b0",  // 5 + 1 + 20
                                "27: issue 1.1 c0",
                                "27: release 1.0",
                                "28: read 1.R2 b0 c0",
                                "29: dispatch 1.1 integer",
                                "34: write 1.R3 b1",
                                "35: release 1.1",
                            });
  CHECK(bench.sm.sub_cores[0].scheduler.counters().overtaken == 1);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a write waits for a slow reader, an independent instruction does not") {
  // 1.0 collects six operands from bank 0 in 4..9, dispatches in 10, is written back in 15.
  Program program;
  program.add({{alu({}, {2, 4, 6, 8, 10, 12}, ExecutionClass::single), alu({12}, {}), alu({13}, {})}});
  DependenceOptions collected;
  collected.war_release = OrderRelease::opc;
  Bench b("literal", in_turn(), program), c("collected", with(collected), program);
  run_cycles(100);
  CHECK(issues(b) == Rows{"3: issue 1.0", "4: issue 1.2", "16: issue 1.1"});
  CHECK(issues(c) == Rows{"3: issue 1.0", "4: issue 1.2", "11: issue 1.1"});
}

TEST_CASE("a store waits for an older load, a load passes it, a load waits for the store") {
  Program program;
  program.add({{load({2}, {1}, 0x100, shared), store({3}, 0x900, shared), load({4}, {5}, 0x2000)}});
  Program loads;
  loads.add({{load({2}, {1}, 0x100, shared), alu({6}, {2}), load({4}, {5}, 0x200, shared)}});
  DependenceOptions entered;
  entered.memory_release = OrderRelease::opc;
  Bench b("literal", in_turn(), program), e("entered", with(entered), program), l("loads", in_turn(), loads);
  run_cycles(1000);
  // The load: issue 3, dispatch 5, written back 26. The store: issue 27, dispatch 29, written back 50.
  CHECK(issues(b) == Rows{"3: issue 1.0", "27: issue 1.1", "51: issue 1.2"});
  // On its way: dispatched 5, known 6; issued 6, read 7, dispatched 8, known 9.
  CHECK(issues(e) == Rows{"3: issue 1.0", "6: issue 1.1", "9: issue 1.2"});
  CHECK(issues(l) == Rows{"3: issue 1.0", "4: issue 1.2", "27: issue 1.1"});
}

TEST_CASE(
    "a barrier waits for the store before it, a load behind it waits until it is passed, an add does not") {
  Program program;
  program.add({{store({1}, 0x100, shared), barrier(), load({2}, {3}, 0x100, shared), alu({4}, {5})}});
  Bench bench("bench", in_turn(), program);
  run_cycles(200);
  // The store: issue 3, dispatch 5, performed 26. The barrier: issue 27, dispatch 28, written back 33.
  CHECK(issues(bench) == Rows{"3: issue 1.0", "4: issue 1.3", "27: issue 1.1", "34: issue 1.2"});
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a barrier that has retired keeps loads back, and its entry, until the last warp arrives") {
  // Warp 2: load issue 4, dispatch 6, released 28; its user issue 28, dispatch 30, released 36; barrier issue
  // 36. The dispatcher hears in 37 and lets both go on from 38; warp 2's own barrier is written back in 42.
  Program program;
  program.add({{barrier(), load({2}, {1}, 0x100, shared), alu({4}, {})},
               {load({2}, {1}, 0x100, shared), alu({3}, {2}), barrier(), load({5}, {1}, 0x100, shared)}});
  PlatformParameters p = in_turn();
  p.sub_core.scheduler.instruction_buffer = 2;
  Bench bench("bench", p, program);
  run_cycles(200);
  // With two entries a warp, 1.2 is fetched only in 39, for 40, when the barrier has given its entry back.
  CHECK(issues(bench) == Rows{"3: issue 1.0", "4: issue 2.0", "28: issue 2.1", "36: issue 2.2",
                              "38: issue 1.1", "40: issue 1.2", "43: issue 2.3"});
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a branch waits for all older instructions, and fetching for the branch if it jumps") {
  Program jump, fall;
  jump.add({{alu({2}, {1}), branch(), alu({3}, {})}});
  fall.add({{alu({2}, {1}), branch(), alu({3}, {})}});
  jump.code.instructions[2].pc = 0x200;
  DependenceOptions quick;
  quick.stop_release = StopRelease::issue;
  PlatformParameters late = in_turn();
  late.sub_core.scheduler.fetch_redirect = FetchRedirect::wb;
  Bench a("literal", in_turn(), jump), b("at_issue", with(quick), jump), c("fall", with(quick), fall),
      d("late", late, jump);
  run_cycles(100);
  // 1.0: issue 3, dispatch 5, released 11. The branch: issue 11, dispatch 12, released 18.
  CHECK(issues(a) == Rows{"3: issue 1.0", "11: issue 1.1", "18: issue 1.2"});
  // Known to the player in 12, fetched for 13; without a jump it is there already.
  CHECK(issues(b) == Rows{"3: issue 1.0", "11: issue 1.1", "13: issue 1.2"});
  CHECK(issues(c) == Rows{"3: issue 1.0", "11: issue 1.1", "12: issue 1.2"});
  // Known to the player in 19, fetched for 20.
  CHECK(issues(d) == Rows{"3: issue 1.0", "11: issue 1.1", "20: issue 1.2"});
}

TEST_CASE("of two that are released together the lower entry goes first, whatever its age") {
  // Three entries. 1.0 leaves entry 0 in 10; 1.3 is fetched into it in 11. 1.1, the load: issue 4, dispatch
  // 6, released 28. Its users are 1.2 in entry 2 and 1.3 in entry 0.
  Program program;
  program.add({{alu({2}, {}), load({4}, {1}, 0x100, shared), alu({5}, {4}), alu({6}, {4})}});
  PlatformParameters p = in_turn();
  p.sub_core.scheduler.instruction_buffer = 3;
  Bench bench("bench", p, program);
  run_cycles(200);
  CHECK(issues(bench) == Rows{"3: issue 1.0", "4: issue 1.1", "28: issue 1.3", "29: issue 1.2"});
}

namespace {

// Runs all programs, each on an SM of its own, and looks for what broke program order.
void check_issue_order(const std::vector<const Program*>& programs, const PlatformParameters& p,
                       std::size_t resident, Cycle cycles) {
  std::vector<std::unique_ptr<Bench>> benches;
  std::vector<std::unique_ptr<IssueOrder>> orders;
  for (const Program* program : programs) {
    const std::string name = "bench_" + std::to_string(benches.size());
    benches.push_back(std::make_unique<Bench>(name.c_str(), p, *program, resident));
    orders.push_back(std::make_unique<IssueOrder>(benches.back()->sm, *program));
  }
  run_cycles(cycles);
  for (std::size_t n = 0; n < programs.size(); ++n) {
    INFO(benches[n]->name());
    REQUIRE(benches[n]->finished());
    CHECK(benches[n]->leftovers().empty());
    CHECK(orders[n]->violations == std::vector<std::string>{});
    std::uint64_t records = 0;
    for (const CtaTrace& c : programs[n]->ctas)
      for (const WarpTrace& w : c.warps) records += w.records.size();
    CHECK(orders[n]->issued == records);
    const bool out_of_order = p.sub_core.scheduler.issue == IssueKind::socgpu;
    CHECK((orders[n]->overtaken > records / 100) == out_of_order);
    CHECK(benches[n]->sm.check().stale() == 0);
  }
}

void check_random(PlatformParameters p) {
  p.multiprocessor.sub_cores = 2;
  RandomOptions o;
  o.ctas = 4;
  o.barriers = o.control = true;
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<const Program*> all;
  for (unsigned n = 0; n < 8; ++n) {
    programs.push_back(std::make_unique<Program>(random_program(300 + n, o)));
    all.push_back(programs.back().get());
  }
  check_issue_order(all, p, 2, 400000);
}

const DependenceOptions early{StopRelease::issue, OrderRelease::opc, OrderRelease::opc, StopRelease::issue,
                              true};

// The first CTAs of a kernel of this project.
std::unique_ptr<Program> traced(const std::string& name, std::size_t ctas) {
  const TraceProgram trace = open_trace(std::string(SUBCORE_SOURCE_DIR) + "/scenarios/traces/" + name);
  KernelReader reader(trace.kernels.at(0), OperandOptions{});
  auto p = std::make_unique<Program>();
  p->kernel = reader.header();
  CtaTrace cta;
  while (p->ctas.size() < ctas && reader.next(cta)) p->ctas.push_back(cta);
  p->code = reader.code();
  return p;
}

void check_traced(PlatformParameters p) {
  p.multiprocessor.sub_cores = 4;
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<const Program*> all;
  for (const char* name : {"bfs", "hotspot", "lud", "pathfinder", "hgemm_ldsm", "lstm", "srad"}) {
    programs.push_back(traced(name, 4));
    REQUIRE_FALSE(programs.back()->ctas.empty());
    all.push_back(programs.back().get());
  }
  check_issue_order(all, p, 2, 2000000);
}

}  // namespace

// With several plain collectors a warp's load with few operands may leave before an older store with many;
// the matrix holds it back until the store has left.
TEST_CASE("random programs keep program order where it matters: in order, one collector a warp") {
  check_random(malekeh(2, 3));
}

TEST_CASE("random programs keep program order where it matters: out of order") {
  check_random(socgpu(baseline(4)));
}

TEST_CASE("random programs keep program order where it matters: out of order into caching collectors") {
  check_random(socgpu(malekeh(2, 3)));
}

TEST_CASE("random programs keep program order where it matters: early releases, perfect front end") {
  PlatformParameters p = socgpu(baseline(4));
  p.sub_core.scheduler.socgpu.options = early;
  p.sub_core.scheduler.fetch_redirect = FetchRedirect::perfect;
  check_random(p);
}

TEST_CASE("random programs keep program order where it matters: early releases, several caches a warp") {
  PlatformParameters p = socgpu(traditional());
  p.sub_core.scheduler.socgpu.options = early;
  check_random(p);
}

TEST_CASE("traced kernels keep program order where it matters: out of order") {
  check_traced(socgpu(baseline(2)));
}

TEST_CASE("traced kernels keep program order where it matters: out of order into caching collectors") {
  PlatformParameters p = socgpu(malekeh(2, 1));
  p.sub_core.scheduler.socgpu.options = early;
  check_traced(p);
}
