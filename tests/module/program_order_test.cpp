// Program order where it matters, as an observer on the sockets sees it (issue_order.h): on random programs
// and traced kernels, in order and out of order.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/model/policy/issue/in_order.h"
#include "subcore/model/policy/issue/socgpu.h"
#include "subcore/modules/collector/boc.h"
#include "tests/module/bench.h"
#include "tests/module/issue_order.h"

namespace program_order_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Runs all programs, each on an SM of its own, and counts breaches of program order.
std::size_t violations(const std::vector<const Program*>& programs, const PlatformParameters& p,
                       std::size_t resident, Cycle cycles, bool expected = false) {
  std::size_t found = 0;
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
    if (!expected) CHECK(orders[n]->violations == std::vector<std::string>{});
    found += orders[n]->violations.size();
    std::uint64_t records = 0;
    for (const CtaTrace& c : programs[n]->ctas)
      for (const WarpTrace& w : c.warps) records += w.records.size();
    CHECK(orders[n]->issued == records);
    const bool out_of_order = !p.sub_core.scheduler.issue->in_order();
    CHECK((orders[n]->overtaken > records / 100) == out_of_order);
    CHECK(benches[n]->sm.check().stale() == 0);
  }
  return found;
}

std::size_t random_violations(PlatformParameters p, bool expected = false) {
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
  return violations(all, p, 2, 400000, expected);
}

void check_random(const PlatformParameters& p) {
  CHECK(random_violations(p) == 0);
}

const DependenceOptions early{ControlRelease::issue, OrderRelease::operand_collection,
                              OrderRelease::operand_collection, ControlRelease::issue, true};

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
  CHECK(violations(all, p, 2, 2000000) == 0);
}

}  // namespace

TEST_CASE("random programs keep program order where it matters: in order, one collector a warp") {
  check_random(malekeh(2, 3));
}

TEST_CASE("random programs keep program order where it matters: in order, four collectors") {
  check_random(baseline(4));
}

TEST_CASE("random programs keep program order where it matters: in order, several caches a warp") {
  check_random(traditional());
}

TEST_CASE("random programs keep program order where it matters: bypassing collectors") {
  PlatformParameters p = bow_wr();
  p.sub_core.collector.kind.as<BocChoice>().window = 7;
  p.sub_core.collector.entries = 28;
  check_random(p);
}

TEST_CASE("random programs keep program order where it matters: two levels of warps") {
  check_random(rfc(4));
}

// A load with few operands leaves its collector before an older store with many.
TEST_CASE("without the memory guard collectors let accesses pass each other") {
  PlatformParameters p = baseline(4);
  p.sub_core.scheduler.issue.as<InOrderChoice>().memory_guard = false;
  CHECK(random_violations(p, true) > 10);
}

TEST_CASE("random programs keep program order where it matters: out of order") {
  check_random(socgpu(baseline(4)));
}

TEST_CASE("random programs keep program order where it matters: out of order into caching collectors") {
  check_random(socgpu(malekeh(2, 3)));
}

TEST_CASE("random programs keep program order where it matters: early releases, perfect front end") {
  PlatformParameters p = socgpu(baseline(4));
  p.sub_core.scheduler.issue.as<SocgpuChoice>().options = early;
  p.sub_core.scheduler.fetch_redirect = FetchRedirect::perfect;
  check_random(p);
}

TEST_CASE("random programs keep program order where it matters: early releases, several caches a warp") {
  PlatformParameters p = socgpu(traditional());
  p.sub_core.scheduler.issue.as<SocgpuChoice>().options = early;
  check_random(p);
}

TEST_CASE("traced kernels keep program order where it matters: in order") {
  check_traced(baseline(2));
}

TEST_CASE("traced kernels keep program order where it matters: out of order") {
  check_traced(socgpu(baseline(2)));
}

TEST_CASE("traced kernels keep program order where it matters: out of order into caching collectors") {
  PlatformParameters p = socgpu(malekeh(2, 1));
  p.sub_core.scheduler.issue.as<SocgpuChoice>().options = early;
  check_traced(p);
}

}  // namespace program_order_test
