// The property behind registered transfers: the order in which modules tick within a cycle cannot change a
// result. The same random programs run on three SMs side by side, one per tick order. Everything that can be
// observed must agree between the SMs: every transfer with its cycle, every counter, and the finish cycle.
#include <deque>
#include <memory>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/base/names.h"
#include "subcore/model/passes/pass_runner.h"
#include "subcore/model/policy/issue/control_bits.h"
#include "subcore/model/policy/issue/in_order.h"
#include "subcore/model/policy/issue/socgpu.h"
#include "subcore/model/policy/operand_cache/ltrf.h"
#include "subcore/model/policy/operand_cache/rfc.h"
#include "subcore/model/policy/random.h"
#include "subcore/modules/collector/boc.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/fixed_window/fixed_window.h"
#include "subcore/platforms/memory/simple.h"
#include "tests/exact_annotation.h"
#include "tests/module/bench.h"

namespace determinism_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct Shape {
  unsigned programs = 4;
  unsigned ctas = 3, resident = 2;
  bool barriers = false, control = false;
  bool hints = false;     // write-back hints for bypassing windows
  bool branches = false;  // instructions of the branch unit are branches, and every third is taken
  bool passes = false;    // the platform's compiler passes
  bool control_bits = false;
};

void add_branches(Program& p) {
  std::uint64_t jump = 0, branches = 0;
  for (StaticInstruction& s : p.code.instructions) {
    s.pc += jump;
    if (s.execution != ExecutionClass::branch || s.kind == InstructionKind::barrier) continue;
    s.kind = InstructionKind::control;
    if (++branches % 3 == 0) jump += 4096;
  }
}

void add_hints(Program& p, std::deque<Annotation>& annotations, const CollectorParameters& c) {
  for (const CtaTrace& cta : p.ctas) {
    for (const WarpTrace& w : cta.warps) {
      std::vector<Executed> executed;
      for (const TraceRecord& r : w.records) executed.push_back({&p.code.instructions[r.code], r.mask});
      std::size_t n = 0;
      for (const Annotation& h : exact_write_back_hints(executed, c.kind.as<BocChoice>().window,
                                                        c.partial_write == PartialWrite::safe))
        p.code.instructions[w.records[n++].code].annotation = &annotations.emplace_back(h);
    }
  }
}

// Each instruction of a warp waits for the registers of the instruction before.
void add_control_bits(Program& p) {
  Random random(p.code.instructions.size());
  for (StaticInstruction& s : p.code.instructions) {
    for (unsigned k = 0; k < s.source_count; ++k)
      s.source_slots[k] = bits::one<std::uint8_t>(k % operand_slots);
    s.controlled = true;
    s.control = {static_cast<std::uint8_t>(2 + random.below(5)), random.below(2) == 0, 0, 1, 3};
  }
}

void run_passes(Program& p, const PassOptions& options, KernelAnnotation& annotation) {
  p.code.opcode_names = {"NOP"};
  PassRunner compiler(options);
  for (const CtaTrace& cta : p.ctas) {
    for (const WarpTrace& w : cta.warps) compiler.add(w, p.code);
  }
  compiler.compile(p.code, false, annotation);
}

// The first line that differs, with the line before, which names the counter.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  std::string l, r, before;
  while (std::getline(left, l) && std::getline(right, r)) {
    if (l != r) return before + " " + l + " != " + r;
    before = l;
  }
  return a.size() == b.size() ? "" : "one text is longer";
}

void check_orders(PlatformParameters p, const Shape& shape = {}) {
  p.multiprocessor.sub_cores = 2;
  RandomOptions options;
  options.ctas = shape.ctas;
  options.slots = p.sub_core.collector.slots;
  options.barriers = shape.barriers;
  options.control = shape.control;
  std::deque<Annotation> annotations;
  std::deque<KernelAnnotation> compiled;
  std::vector<std::unique_ptr<Program>> programs;
  std::vector<std::unique_ptr<Bench>> benches;
  for (unsigned n = 0; n < shape.programs; ++n) {
    programs.push_back(std::make_unique<Program>(random_program(100 + n, options)));
    if (shape.branches) add_branches(*programs.back());
    if (shape.hints) add_hints(*programs.back(), annotations, p.sub_core.collector);
    if (shape.control_bits) add_control_bits(*programs.back());
    if (shape.passes) run_passes(*programs.back(), p.passes, compiled.emplace_back());
    for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled}) {
      p.tick_order = order;
      p.seed = 17 + n;
      const std::string name = std::string(name_of(order)) + "_" + std::to_string(n);
      benches.push_back(std::make_unique<Bench>(name.c_str(), p, *programs.back(), shape.resident));
    }
  }
  run_cycles(1000000);
  for (std::size_t b = 0; b < benches.size(); ++b) {
    Bench& bench = *benches[b];
    INFO(bench.name());
    REQUIRE(bench.finished());
    CHECK(bench.leftovers().empty());
    CHECK(bench.sm.check().checked() > 1000);
    CHECK(bench.sm.check().stale() == 0);
    Bench& first = *benches[b / 3 * 3];
    CHECK(bench.feeder.finish_cycle() == first.feeder.finish_cycle());
    CHECK(difference(bench.statistics(), first.statistics()) == "");
    const Rows rows = bench.log.rows(), expected = first.log.rows();
    const auto differ = std::mismatch(rows.begin(), rows.end(), expected.begin(), expected.end());
    if (differ.first != rows.end() && differ.second != expected.end()) CHECK(*differ.first == *differ.second);
    CHECK(rows.size() == expected.size());
  }
}

}  // namespace

TEST_CASE("tick order cannot be seen: baseline") {
  check_orders(baseline());
}

TEST_CASE("tick order cannot be seen: a fixed read window and control bits") {
  Shape shape;
  shape.control_bits = true;
  check_orders(nvidia(2), shape);
}

TEST_CASE("tick order cannot be seen: a fixed read window, short queues, one bank, drifting counters") {
  PlatformParameters p = nvidia(1);
  p.sub_core.scheduler.issue.as<ControlBitsChoice>().hold = HoldEffect::drift;
  p.sub_core.collector.kind.as<FixedWindowChoice>().parameters.unit_queue = 1;
  p.sub_core.collector.kind.as<FixedWindowChoice>().parameters.result_queue = 2;
  p.sub_core.collector.kind.as<FixedWindowChoice>().parameters.read_window = 1;
  p.sub_core.register_file.banks = 1;
  p.load_store.queue = 1;
  Shape shape;
  shape.control_bits = true;
  shape.barriers = true;
  check_orders(p, shape);
}

TEST_CASE("tick order cannot be seen: a fixed read window, near operands and results") {
  PlatformParameters p = nvidia(2);
  p.sub_core.collector.kind.as<FixedWindowChoice>().parameters.reuse = OperandReuse::near_bits;
  p.sub_core.collector.kind.as<FixedWindowChoice>().parameters.reuse_entries = 3;
  Shape shape;
  shape.control_bits = true;
  check_orders(p, shape);
}

TEST_CASE("tick order cannot be seen: malekeh") {
  check_orders(malekeh(2, 3));
}

TEST_CASE("tick order cannot be seen: private") {
  check_orders(malekeh_private());
}

TEST_CASE("tick order cannot be seen: traditional") {
  check_orders(traditional());
}

TEST_CASE("tick order cannot be seen: barriers") {
  check_orders(baseline(), {4, 3, 2, true});
}

TEST_CASE("tick order cannot be seen: one bank, five collectors, lrr") {
  PlatformParameters p = baseline(5);
  p.sub_core.register_file.banks = 1;
  p.sub_core.scheduler.priority = "lrr";
  p.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = WarGuard::write_back;
  check_orders(p);
}

TEST_CASE("tick order cannot be seen: no port limit, two steps, latency 3, three banks") {
  PlatformParameters p = traditional();
  p.sub_core.register_file.banks = 3;
  p.sub_core.register_file.collector_port_limit = 0;
  p.sub_core.register_file.steps_per_cycle = 2;
  p.sub_core.register_file.read_latency = 3;
  p.sub_core.collector.kind.as<CcuChoice>().result_ports = 0;
  check_orders(p);
}

TEST_CASE("tick order cannot be seen: stall on allocation failure, STHLD 7, one result latch") {
  PlatformParameters p = malekeh(2, 7);
  p.sub_core.scheduler.alloc_fail = AllocationFailure::stall;
  p.sub_core.register_file.result_latches = 1;
  p.sub_core.register_file.banks = 1;
  p.sub_core.scheduler.instruction_buffer = 1;
  check_orders(p, {4, 3, 2, true});
}

TEST_CASE("tick order cannot be seen: five caching collectors, partial writes allocate, slow memory") {
  PlatformParameters p = malekeh(5, 1);
  p.sub_core.collector.partial_write = PartialWrite::ignore;
  p.sub_core.collector.kind.as<CcuChoice>().result_ports = 2;
  p.sub_core.register_file.read_latency = 3;
  p.load_store.queue = 1;
  p.load_store.outstanding = 2;
  p.load_store.transactions_per_cycle = 3;
  p.memory.kind.as<SimpleMemoryChoice>().parameters.bytes_per_cycle = 3;
  check_orders(p);
}

TEST_CASE("tick order cannot be seen: bypassing collectors, write-through") {
  Shape shape;
  shape.branches = true;
  check_orders(bow(), shape);
}

TEST_CASE("tick order cannot be seen: bypassing collectors, write-back, one instruction at a time") {
  PlatformParameters p = bow_wr();
  p.sub_core.collector.kind.as<BocChoice>().in_flight = InFlight::one;
  p.sub_core.dispatch.order = DispatchOrder::oldest;
  Shape shape;
  shape.branches = true;
  shape.barriers = true;
  check_orders(p, shape);
}

TEST_CASE("tick order cannot be seen: bypassing collectors, window of 7, slow banks, hints") {
  PlatformParameters p = bow_wr();
  p.sub_core.collector.kind.as<BocChoice>().window = 7;
  p.sub_core.collector.entries = 20;
  p.sub_core.register_file.read_latency = 3;
  p.sub_core.register_file.banks = 1;
  p.sub_core.execution.of(ExecutionClass::integer).latency = 1;
  p.sub_core.execution.of(ExecutionClass::half).latency = 2;
  Shape shape;
  shape.hints = true;
  check_orders(p, shape);
}

TEST_CASE("tick order cannot be seen: bypassing collectors of four entries, hints, branches ignored") {
  PlatformParameters p = bow_wr();
  p.sub_core.collector.entries = 4;
  p.sub_core.collector.branch = BranchHandling::ignore;
  p.sub_core.register_file.steps_per_cycle = 2;
  p.sub_core.register_file.collector_port_limit = 0;
  p.sub_core.register_file.banks = 3;
  Shape shape;
  shape.hints = true;
  check_orders(p, shape);
}

TEST_CASE("tick order cannot be seen: bypassing collectors, windows end at taken branches") {
  PlatformParameters p = bow_wr();
  p.sub_core.collector.branch = BranchHandling::flush_on_taken;
  p.sub_core.collector.partial_write = PartialWrite::ignore;
  p.sub_core.register_file.result_latches = 1;
  Shape shape;
  shape.branches = true;
  check_orders(p, shape);
}

TEST_CASE("tick order cannot be seen: out of order") {
  check_orders(socgpu(baseline()), {4, 3, 2, true, true});
}

TEST_CASE("tick order cannot be seen: out of order into caching collectors") {
  check_orders(socgpu(malekeh(2, 3)), {4, 3, 2, true, true});
}

TEST_CASE("tick order cannot be seen: out of order into private collectors, early releases") {
  PlatformParameters p = socgpu(malekeh_private());
  p.sub_core.scheduler.issue.as<SocgpuChoice>().options = {
      ControlRelease::issue, OrderRelease::operand_collection, OrderRelease::operand_collection,
      ControlRelease::issue, true};
  check_orders(p, {4, 3, 2, true, true});
}

TEST_CASE("tick order cannot be seen: out of order, several collectors a warp, two entries, no rule 8") {
  PlatformParameters p = socgpu(traditional());
  p.sub_core.scheduler.issue.as<SocgpuChoice>().options.barriers_wait = false;
  p.sub_core.scheduler.instruction_buffer = 2;
  p.sub_core.scheduler.fetch_redirect = FetchRedirect::write_back;
  p.sub_core.register_file.read_latency = 3;
  check_orders(p, {4, 3, 2, true, true});
}

TEST_CASE("tick order cannot be seen: in order behind a front end that waits for branches") {
  PlatformParameters p = baseline();
  p.sub_core.scheduler.fetch_width = 3;
  p.sub_core.scheduler.fetch_redirect = FetchRedirect::issue;
  check_orders(p, {4, 3, 2, true, true});
}

namespace {
// Barriers, branches and exits, with the passes that the platform asks for.
const Shape passes{4, 4, 2, true, true, false, false, true};
}  // namespace

TEST_CASE("tick order cannot be seen: two levels of warps without a cache") {
  PlatformParameters p = baseline();
  p.sub_core.scheduler.two_level.active_warps = 3;
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: RFC") {
  check_orders(rfc(), passes);
}

TEST_CASE("tick order cannot be seen: RFC with dead bits, blind promotion, one active warp, hits at once") {
  PlatformParameters p = rfc();
  p.passes.dead = true;
  p.sub_core.scheduler.two_level.active_warps = 1;
  p.sub_core.scheduler.two_level.promotion = "blind_fifo";
  p.sub_core.operand_cache.hit_latency = 0;
  p.sub_core.register_file.read_latency = 3;
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: RFC of one entry, five collectors, one bank, slow hits") {
  PlatformParameters p = rfc(5);
  p.passes.dead = true;
  p.sub_core.operand_cache.entries = 1;
  p.sub_core.operand_cache.hit_latency = 5;
  p.sub_core.register_file.banks = 1;
  p.sub_core.register_file.result_latches = 1;
  p.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = WarGuard::write_back;
  check_orders(p, passes);
}

TEST_CASE(
    "tick order cannot be seen: RFC that flushes a register per cycle, overwritten entries count as new") {
  PlatformParameters p = rfc();
  p.sub_core.operand_cache.write_back_port = 1;
  p.sub_core.operand_cache.kind.as<RfcChoice>().overwrite = Overwrite::counts_as_new;
  p.sub_core.operand_cache.entries = 3;
  p.sub_core.register_file.steps_per_cycle = 2;
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: software RFC") {
  PlatformParameters p = software_rfc();
  p.passes.strands = true;
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: software RFC, four collectors, slow banks, blind promotion") {
  PlatformParameters p = software_rfc(4);
  p.passes.strands = true;
  p.sub_core.scheduler.two_level.promotion = "blind_fifo";
  p.sub_core.operand_cache.hit_latency = 0;
  p.sub_core.register_file.read_latency = 5;
  p.sub_core.register_file.banks = 1;
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: LTRF") {
  PlatformParameters p = ltrf();
  p.passes.intervals = true;
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: LTRF+ of small intervals, narrow prefetch, slow banks") {
  PlatformParameters p = ltrf(4);
  p.passes.intervals = true;
  p.passes.liveness = true;
  p.passes.interval_registers = 12;
  p.sub_core.operand_cache.kind.as<LtrfChoice>().live_only = true;
  p.sub_core.operand_cache.kind.as<LtrfChoice>().prefetch_width = 1;
  p.sub_core.operand_cache.hit_latency = 0;
  p.sub_core.register_file.read_latency = 5;
  p.sub_core.scheduler.two_level.promotion = "blind_fifo";
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: RFC of a monolithic SM") {
  PlatformParameters p = monolithic(rfc());
  p.passes.dead = true;
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: software RFC of a monolithic SM") {
  PlatformParameters p = monolithic(software_rfc());
  p.passes.strands = true;
  check_orders(p, passes);
}

TEST_CASE("tick order cannot be seen: LTRF+ of a monolithic SM") {
  PlatformParameters p = monolithic(ltrf());
  p.passes.intervals = p.passes.liveness = true;
  p.sub_core.operand_cache.kind.as<LtrfChoice>().live_only = true;
  check_orders(p, passes);
}

}  // namespace determinism_test
