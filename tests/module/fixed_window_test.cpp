// A sub-core that goes by control bits and reads registers in a fixed window, in cycles (Huerta, MICRO 2025).
// Cycles are counted from the first issue. Bank = register mod 2.
//
// An instruction of fixed latency that issues in t is in Allocate in t+2 unless Allocate holds. If Allocate
// lets the instruction through in a, it reads in a+1 to a+3, is dispatched in the last of these cycles, and
// executes in a+4.
#include "subcore/modules/fixed_window/fixed_window.h"

#include <deque>
#include <memory>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/modules/arbiter/arbiter.h"
#include "subcore/platforms/memory/simple.h"
#include "tests/module/fixed_window_kit.h"

namespace fixed_window_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr unsigned turing_l1_latency = 20;

// Memory that answers like a level-one cache of Turing.
PlatformParameters with_memory(PlatformParameters p) {
  auto& memory = p.memory.kind.as<SimpleMemoryChoice>().parameters;
  memory.hit_latency = memory.miss_latency = turing_l1_latency;
  return p;
}

std::vector<Cycle> allocations(const Bench& b) {
  std::vector<Cycle> found;
  for (const Cycle dispatch : cycles_of(b, "dispatch")) found.push_back(dispatch - 3);
  return found;
}

}  // namespace

TEST_CASE("fixed window: an FFMA holds while its operands find no ports") {
  const auto program = [](Register x, Register y) {
    Program p;
    p.add({{integer({20}, {}, 1), integer({}, {}, 1), multiply({30}, {10, 12, 14}, 1),
            multiply({31}, {16, x, y}, 1), integer({}, {}, 1), integer({22}, {}, 1)}});
    return p;
  };
  const Program one = program(19, 21), two = program(18, 21), three = program(18, 20);
  Bench none_held("none_held", nvidia(), one), one_held("one_held", nvidia(), two),
      two_held("two_held", nvidia(), three);
  run_cycles(200);
  CHECK(cycles_of(none_held, "issue") == Cycles{0, 1, 2, 3, 4, 5});
  CHECK(cycles_of(one_held, "issue") == Cycles{0, 1, 2, 3, 4, 6});
  CHECK(cycles_of(two_held, "issue") == Cycles{0, 1, 2, 3, 4, 7});
  CHECK(allocations(none_held) == Cycles{2, 3, 4, 5, 6, 7});
  CHECK(allocations(one_held) == Cycles{2, 3, 4, 6, 7, 8});
  CHECK(allocations(two_held) == Cycles{2, 3, 4, 7, 8, 9});
  for (Bench* b : {&none_held, &one_held, &two_held}) check_clean(*b);
}

TEST_CASE("fixed window: a stream of IADD3 goes as fast as its banks, or as its reuse flags") {
  const auto program = [](const Registers& sources, unsigned reuse) {
    WarpOps ops;
    for (unsigned n = 0; n < 20; ++n)
      ops.push_back(integer({static_cast<Register>(20 + n)}, sources, 2, reuse));
    Program p;
    p.add({ops});
    return p;
  };
  const Program same = program({2, 4, 6}, 0), mixed = program({2, 3, 6}, 0), flagged = program({2, 4, 6}, 1);
  Bench three("three", nvidia(2), same), two("two", nvidia(2), mixed), reused("reused", nvidia(2), flagged);
  run_cycles(300);
  const auto beginning = [](const Bench& b) {
    const Cycles all = cycles_of(b, "issue");
    return Cycles(all.begin(), all.begin() + 5);
  };
  CHECK(beginning(three) == Cycles{0, 2, 5, 8, 11});
  CHECK(beginning(two) == Cycles{0, 2, 4, 6, 8});
  CHECK(beginning(reused) == Cycles{0, 2, 4, 6, 8});
  CHECK(cycles_of(three, "issue").back() == 2 + 18 * 3);
  CHECK(cycles_of(reused, "issue").back() == 19 * 2);
  CHECK(counter(reused, "cache_read_hits") == 19);
  CHECK(counter(three, "hold_cycles") == 19);
}

// The unit of integers takes an instruction every third cycle. The first integer instruction issues in 1 and
// finds no ports before 5, so that it executes in 9. The second one issues in 4, three cycles behind the
// first. Allocate holds the second one until it executes in 12, and the third one until 15.
TEST_CASE("fixed window: instructions of one unit execute an initiation interval apart") {
  Program program;
  program.add({{multiply({30}, {10, 12, 14}, 1), integer({20}, {16, 18, 22}, 1), integer({21}, {}, 1),
                integer({23}, {}, 1)}});
  Bench bench("bench", nvidia(3), program);
  run_cycles(200);
  CHECK(cycles_of(bench, "issue") == Cycles{0, 1, 4, 7});
  CHECK(allocations(bench) == Cycles{2, 5, 8, 11});
  CHECK(counter(bench, "hold_cycles") == 2 + 2 + 2);
  check_clean(bench);
}

TEST_CASE("fixed window: some lanes of a result are put on what the bank brings, for all who find it") {
  // R2's first eight lanes are written. Four cycles later an instruction reads R2, and its flag keeps R2. The
  // next instruction reads R2, too, and finds that value before it has come.
  Program program;
  program.add({{integer({2}, {7}, 4).with_mask(0xff), multiply({20}, {2}, 1, 1), multiply({21}, {2}, 1, 1),
                multiply({22}, {2}, 1)}});
  Bench bench("bench", nvidia(), program);
  run_cycles(100);
  CHECK(counter(bench, "bypassed") == 3);
  CHECK(counter(bench, "cache_read_hits") == 2);
  check_clean(bench);
}

TEST_CASE(
    "fixed window: of two partial results and whole ones an operand gets what is newest, lane by lane") {
  // R2 and R3 are written in part; then both are read twice, in other slots, before the banks have them. R5
  // is written in part and then whole, so that the part is not put on anything, while R2's waits for its
  // bank.
  Program program;
  program.add({{integer({2}, {7}, 1).with_mask(0xff), integer({3}, {7}, 4).with_mask(0xff00),
                multiply({20}, {2, 3}, 1), multiply({21}, {3, 2}, 15), integer({2}, {7}, 1).with_mask(0xff),
                integer({5}, {7}, 1).with_mask(0xff), integer({5}, {9}, 4), multiply({22}, {2, 5}, 1)}});
  program.code.instructions[3].control.yield = true;
  Bench bench("bench", nvidia(), program);
  run_cycles(100);
  CHECK(counter(bench, "bypassed") >= 5);
  check_clean(bench);
}

TEST_CASE(
    "fixed window: an instruction that needs an operand late gets a part of it that is written meanwhile") {
  // R2's first lanes are written. The FFMA finds them, and its flag keeps R2. The FP64 instruction waits in
  // its queue and reads R2, or finds R2 while it is still on its way to the FFMA.
  const auto program = [](unsigned flag) {
    Op late = controlled(alu({22, 23}, {2}, ExecutionClass::double_), 1);
    late.code.late = 4;
    late.code.source_slots[0] = 4;  // C
    Program p;
    p.add({{integer({2}, {7}, 4).with_mask(0xff), multiply({20}, {10, 12, 2}, 1, flag), late}});
    return p;
  };
  const Program plain = program(0), flagged = program(4);
  Bench reads("reads", nvidia(), plain), finds("finds", nvidia(), flagged);
  run_cycles(200);
  CHECK(counter(reads, "cache_read_hits") == 0);
  CHECK(counter(finds, "cache_read_hits") == 1);
  for (Bench* b : {&reads, &finds}) {
    CHECK(counter(*b, "bypassed") == 2);
    check_clean(*b);
  }
}

// R2 is ready in 10, and R3 in 11. The FP64 instruction issues in 4 and reads both in 9, before the banks
// have them.
TEST_CASE("fixed window: an instruction that needs operands late gets each of them from its result") {
  Op late = controlled(alu({22, 23}, {2, 3}, ExecutionClass::double_), 1);
  late.code.late = 4;
  late.code.source_slots[1] = 4;  // C
  Program program;
  program.add({{integer({2}, {}, 1), integer({3}, {}, 3), late}});
  Bench bench("bench", nvidia(), program);
  run_cycles(100);
  CHECK(cycles_of(bench, "issue") == Cycles{0, 1, 4});
  CHECK(counter(bench, "bypassed") == 2);
  check_clean(bench);
}

// R2's first eight lanes are written after all its lanes. Four cycles later an instruction reads R2. In one
// program the whole result is in the bank by then. In the other, both results are still on their way.
TEST_CASE("fixed window: some lanes of a result are put on the whole result before, wherever that is") {
  const auto program = [](unsigned stall) {
    Program p;
    p.add({{integer({2}, {9}, stall), integer({2}, {7}, 4).with_mask(0xff), multiply({20}, {2}, 1)}});
    return p;
  };
  const Program late = program(15), soon = program(1);
  Bench in_bank("in_bank", nvidia(), late), on_its_way("on_its_way", nvidia(), soon);
  run_cycles(100);
  CHECK(cycles_of(in_bank, "issue") == Cycles{0, 15, 19});
  CHECK(cycles_of(on_its_way, "issue") == Cycles{0, 1, 5});
  for (Bench* b : {&in_bank, &on_its_way}) {
    CHECK(counter(*b, "bypassed") == 1);
    check_clean(*b);
  }
}

// The first instruction issues in 0, and its results are ready in 10. The last result for bank 0 is written
// `cycles` - 1 cycles later. An instruction that issues in t reads this register in t+3, and takes it from
// the queue up to the cycle in which it is written.
TEST_CASE("fixed window: results of one bank leave the queue as fast as the bank's ports take them") {
  struct Case {
    Registers results;
    Register last;
    unsigned ports, cycles;
  };
  const std::vector<Case> cases = {
      {{20, 22, 24}, 24, 1, 3}, {{20, 21, 22}, 22, 1, 2}, {{20, 22, 24}, 24, 2, 2}, {{20, 22, 24}, 24, 0, 1}};
  std::deque<Program> programs;
  std::deque<Bench> taken, read;
  for (const Case& c : cases) {
    PlatformParameters p = nvidia();
    p.sub_core.collector.kind.as<FixedWindowChoice>().parameters.write_ports = c.ports;
    const auto run = [&](std::deque<Bench>& benches, const char* name, unsigned stall) {
      programs.emplace_back().add({{integer(c.results, {}, stall), multiply({30}, {c.last}, 1)}});
      benches.emplace_back((name + std::to_string(benches.size())).c_str(), p, programs.back());
    };
    run(taken, "taken_", 6 + c.cycles);
    run(read, "read_", 7 + c.cycles);
  }
  run_cycles(100);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    INFO("case " << n);
    CHECK(counter(taken[n], "bypassed") == 1);
    CHECK(counter(read[n], "bypassed") == 0);
    check_clean(taken[n]);
    check_clean(read[n]);
  }
}

// Two warps have results of two units in every second cycle, all for bank 0, where the load's waits, too.
TEST_CASE("fixed window: results that the compiler counts on keep their order before all others") {
  PlatformParameters p = with_memory(nvidia());
  p.sub_core.execution.of(ExecutionClass::integer).latency =
      p.sub_core.execution.of(ExecutionClass::single).latency + 1;
  Op loads = controlled(load({20}, {3}, 0), 2);
  loads.code.control.write_barrier = 0;
  Program program;
  program.add({std::vector<Op>(30, integer({4}, {}, 2)), std::vector<Op>(30, multiply({6}, {}, 2)), {loads}});
  Bench bench("bench", p, program);
  run_cycles(400);
  check_clean(bench);
  const Rows writes = bench.log.rows({"write"});
  REQUIRE(writes.size() == 61);
  std::size_t load_at = 0;
  while (load_at < writes.size() && writes[load_at].find("R20") == std::string::npos) ++load_at;
  CHECK(load_at == 60);
}

namespace {

// Four warps of eight instructions each, the second with these control bits.
void four_warps(const char* name, unsigned stall, bool yield, std::vector<std::unique_ptr<Bench>>& benches,
                std::deque<Program>& programs) {
  WarpOps ops;
  for (unsigned n = 0; n < 8; ++n) ops.push_back(integer({static_cast<Register>(20 + n)}, {}, 1));
  ops[1].code.control.stall = static_cast<std::uint8_t>(stall);
  ops[1].code.control.yield = yield;
  programs.emplace_back().add({ops, ops, ops, ops});
  benches.push_back(std::make_unique<Bench>(name, nvidia(), programs.back()));
}

// The warp (0 to 3) that issues, and in which cycles: {warp, first, last}.
using Turn = std::array<Cycle, 3>;
std::vector<Turn> turns(const Bench& b) {
  std::vector<Turn> all;
  for (const auto& [name, cycle] : times(b, "issue")) {
    const Cycle warp = std::stoull(name) - 1;
    if (!all.empty() && all.back()[0] == warp && all.back()[2] + 1 == cycle)
      all.back()[2] = cycle;
    else
      all.push_back({warp, cycle, cycle});
  }
  return all;
}

}  // namespace

TEST_CASE("fixed window: the greedy warp goes first, then the youngest that does not stall or yield") {
  std::vector<std::unique_ptr<Bench>> b;
  std::deque<Program> programs;
  four_warps("plain", 1, false, b, programs);
  four_warps("stalls", 4, false, b, programs);
  four_warps("yields", 1, true, b, programs);
  run_cycles(300);
  CHECK(turns(*b[0]) == std::vector<Turn>{{3, 0, 7}, {2, 8, 15}, {1, 16, 23}, {0, 24, 31}});
  CHECK(turns(*b[1]) ==
        std::vector<Turn>{
            {3, 0, 1}, {2, 2, 3}, {1, 4, 5}, {3, 6, 11}, {2, 12, 17}, {1, 18, 23}, {0, 24, 25}, {0, 29, 34}});
  CHECK(
      turns(*b[2]) ==
      std::vector<Turn>{
          {3, 0, 1}, {2, 2, 3}, {3, 4, 9}, {2, 10, 15}, {1, 16, 17}, {0, 18, 19}, {1, 20, 25}, {0, 26, 31}});
}

TEST_CASE("fixed window: the second instruction decides what the third finds in the reuse cache") {
  struct Case {
    Registers second;
    unsigned flags;
    std::uint64_t hits;
  };
  const std::vector<Case> cases = {
      {{2, 7, 8}, 0, 1}, {{2, 7, 8}, 1, 2}, {{7, 2, 8}, 0, 1}, {{4, 7, 8}, 0, 0}};
  std::deque<Program> programs;
  std::vector<std::unique_ptr<Bench>> benches;
  for (const Case& c : cases) {
    programs.emplace_back().add({{multiply({20}, {2, 3, 4}, 2, 1), multiply({21}, c.second, 2, c.flags),
                                  multiply({22}, {2, 12, 13}, 2)}});
    benches.push_back(std::make_unique<Bench>(("case_" + std::to_string(benches.size())).c_str(), nvidia(),
                                              programs.back()));
  }
  run_cycles(100);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    CHECK(counter(*benches[n], "cache_read_hits") == cases[n].hits);
    CHECK(benches[n]->sm.sub_cores[0].arbiter.counters().read_grants == 9 - cases[n].hits);
    CHECK(benches[n]->leftovers().empty());
    CHECK(benches[n]->sm.check().stale() == 0);
  }
}

TEST_CASE("fixed window: a result is bypassed from the cycle in which it is ready") {
  ignore_stale();
  const auto chain = [](unsigned stall) {
    Program p;
    p.add({{multiply({2}, {2}, stall), multiply({2}, {2}, stall), multiply({2}, {2}, stall),
            multiply({2}, {2}, stall)}});
    return p;
  };
  const Program four = chain(4), three = chain(3);
  Bench right("right", nvidia(), four), early("early", nvidia(), three);
  run_cycles(100);
  CHECK(cycles_of(right, "issue") == Cycles{0, 4, 8, 12});
  CHECK(right.sm.check().stale() == 0);
  CHECK(counter(right, "bypassed") == 3);
  CHECK(cycles_of(early, "issue") == Cycles{0, 3, 6, 9});
  CHECK(early.sm.check().stale() == 3);
}

TEST_CASE("fixed window: a store reads a result once the bank has it") {
  ignore_stale();
  const auto program = [](unsigned stall) {
    Program p;
    p.add({{multiply({4}, {6}, stall), controlled(store({1, 4}, 0, MemorySpace::shared), 1)}});
    return p;
  };
  const Program eight = program(8), seven = program(7);
  Bench right("right", nvidia(), eight), early("early", nvidia(), seven);
  run_cycles(200);
  CHECK(right.sm.check().stale() == 0);
  CHECK(early.sm.check().stale() == 1);
  CHECK(right.log.rows({"write 1.R4", "read 1.R4"}) == Rows{"13: read 1.R4 b0 c0", "13: write 1.R4 b0"});
  CHECK(right.leftovers().empty());
}

TEST_CASE("fixed window: a load of a constant reads its address two cycles later than one of memory") {
  ignore_stale();
  const auto program = [](unsigned stall, MemorySpace space) {
    Op reader = controlled(load({6}, {4}, 0), 1);
    reader.code.space = space;
    Program p;
    p.add({{multiply({4}, {2}, stall), reader}});
    return p;
  };
  const Program constant6 = program(6, MemorySpace::constant), constant5 = program(5, MemorySpace::constant),
                global7 = program(7, MemorySpace::global);
  Bench six("six", nvidia(), constant6), five("five", nvidia(), constant5), other("other", nvidia(), global7);
  run_cycles(800);
  CHECK(six.sm.check().stale() == 0);
  CHECK(five.sm.check().stale() == 1);
  CHECK(other.sm.check().stale() == 1);
  CHECK(six.leftovers().empty());
}

namespace {

// A load of R4, a writer of its address in R2 and a reader of its result, which wait for its two counters.
Program load_and_users(unsigned stall) {
  Op load4 = controlled(load({4}, {2}, 0), stall);
  load4.code.control.write_barrier = 0;
  load4.code.control.read_barrier = 1;
  Op writer = integer({2}, {}, 1), reader = integer({6}, {4}, 1);
  writer.code.control.wait_mask = 2;
  reader.code.control.wait_mask = 1;
  Program p;
  p.add({{load4, writer, reader}});
  return p;
}
PlatformParameters ampere() {
  PlatformParameters p = with_memory(nvidia());
  auto& window = p.sub_core.collector.kind.as<FixedWindowChoice>().parameters;
  window.unit_queue = 4;
  window.memory_pipe = 3;
  return p;
}

}  // namespace

TEST_CASE("fixed window: a load lets go of its address and gives its result when nvcc expects it to") {
  ignore_stale();
  const Program two = load_and_users(2);
  Bench turing("turing", with_memory(nvidia()), two), newer("ampere", ampere(), two);
  run_cycles(300);
  CHECK(cycles_of(turing, "issue") == Cycles{0, 10, 31});
  CHECK(cycles_of(newer, "issue") == Cycles{0, 11, 32});
  for (Bench* b : {&turing, &newer}) {
    CHECK(b->sm.check().stale() == 0);
    CHECK(b->leftovers().empty());
  }
}

TEST_CASE("fixed window: what follows a load at once does not see its counters") {
  ignore_stale();
  Op load4 = controlled(load({4}, {2}, 0), 1), reader = integer({6}, {4}, 1);
  load4.code.control.write_barrier = 0;
  reader.code.control.wait_mask = 1;
  Program program;
  program.add({{integer({4}, {}, 15), load4, reader}});
  program.code.instructions[0].control.yield = true;
  Bench bench("bench", nvidia(), program);
  run_cycles(600);
  CHECK(cycles_of(bench, "issue") == Cycles{0, 15, 16});
  CHECK(bench.sm.check().stale() == 1);
}

// Two warps write an even register in turn, so that bank 0 takes nothing else. A third one loads R20, which
// waits for that bank, then R21, which does not. The counter of the second load stands for both.
TEST_CASE("fixed window: the result of a load of shared memory overtakes none of its warp") {
  ignore_stale();
  const auto load_of = [](Register r, MemorySpace space) { return controlled(load({r}, {2}, 0, space), 2); };
  const auto program = [&](MemorySpace space) {
    Op first = load_of(20, space), second = load_of(21, space), reader = integer({31}, {20}, 4);
    second.code.control.write_barrier = 0;
    reader.code.control.wait_mask = 1;
    Program p;
    p.add({std::vector<Op>(40, multiply({4}, {}, 2)),
           std::vector<Op>(40, integer({6}, {}, 2)),
           {first, second, reader}});
    return p;
  };
  const Program shared = program(MemorySpace::shared), global = program(MemorySpace::global);
  Bench in_order("in_order", with_memory(nvidia()), shared);
  Bench any_order("any_order", with_memory(nvidia()), global);
  run_cycles(300);
  CHECK(in_order.sm.check().stale() == 0);
  CHECK(any_order.sm.check().stale() == 1);  // a load that may miss has a counter of its own
  for (Bench* b : {&in_order, &any_order}) CHECK(b->leftovers().empty());
}

// A warp loads ten registers, one after the other.
static Program ten_loads() {
  std::vector<Op> loads;
  for (unsigned n = 0; n < 10; ++n)
    loads.push_back(controlled(load({static_cast<Register>(20 + n)}, {2}, 0), 1));
  Program program;
  program.add({loads});
  return program;
}

TEST_CASE("fixed window: loads of a sub-core are four cycles apart, and a full queue stops issue") {
  const Program program = ten_loads();
  Bench bench("bench", nvidia(), program);
  run_cycles(800);
  const Cycles dispatched = cycles_of(bench, "dispatch"), issued = cycles_of(bench, "issue");
  REQUIRE(dispatched.size() == 10);
  for (std::size_t n = 0; n < dispatched.size(); ++n) CHECK(dispatched[n] == 9 + 4 * n);
  CHECK(issued.back() > 9);
  CHECK(bench.leftovers().empty());
}

TEST_CASE("fixed window: the watchdog hears of instructions in a queue, and of one without room there") {
  // Loads 0 to 3 are in the latches when the first is dispatched in 9. Loads 4 to 6 fill the queue, and load
  // 7 has been in Control since 8.
  const Program program = ten_loads();
  Bench bench("bench", nvidia(), program);
  const OperandPath& path = bench.sm.sub_cores[0].collectors[0];
  run_cycles(first_issue + 9);
  const std::string name = path.name();
  CHECK(waiting_report(path) == name + ": w0, pc 0x70 waits for room in the queue of its unit\n" + name +
                                    ": w0, pc 0x40 waits for dispatch\n" + name +
                                    ": w0, pc 0x50 waits for dispatch\n" + name +
                                    ": w0, pc 0x60 waits for dispatch\n");
  run_cycles(800);
  CHECK(waiting_report(path).empty());
  check_clean(bench);
}

TEST_CASE("fixed window: an operand that is needed late waits for a value on its way to the reuse cache") {
  // R2 is written whole, and in 15 in part. In 18 an FFMA takes the ports of bank 0. The next FFMA, whose
  // flag keeps R2, reads R2 only in 26. The FP64 instruction finds R2 there, and has its own look at results
  // that are not in the bank in 23.
  Op late = controlled(alu({22, 23}, {2}, ExecutionClass::double_), 1);
  late.code.late = 4;
  late.code.source_slots[0] = 4;  // C
  Program program;
  program.add({{integer({2}, {9}, 15), integer({2}, {7}, 3).with_mask(0xff), multiply({21}, {14, 16, 18}, 1),
                multiply({20}, {10, 12, 2}, 1, 4), late}});
  Bench bench("bench", nvidia(), program);
  run_cycles(200);
  CHECK(cycles_of(bench, "issue") == Cycles{0, 15, 18, 19, 20});
  CHECK(counter(bench, "cache_read_hits") == 1);
  CHECK(counter(bench, "bypassed") == 2);
  check_clean(bench);
}

TEST_CASE("fixed window: a read by a port that a bank does not have is an error") {
  // In 2 an accumulator is read beside R4, which needs no port of the window. In 5 R6 has no port left.
  struct PortBench : Stage {
    explicit PortBench(const sc_core::sc_module_name& name)
        : Stage(name),
          arbiter(FixedWindowChoice().make_arbiter({}, {1, 0, 0, 0}, BankMap(2, BankWarpId::none, 0, 1),
                                                   nullptr, false)),
          reader("reader"),
          results("results"),
          retired("retired") {
      conductor.add(*arbiter);
      reader.out.bind(arbiter->read_socket[0]);
      for (const char* bank : {"bank_0", "bank_1"}) banks.emplace_back(bank);
      for (unsigned n = 0; n < 2; ++n) arbiter->bank_socket[n].bind(banks[n].in);
      arbiter->destination_socket.bind(results.in);
      arbiter->retire_socket.bind(retired.in);
    }
    void read(Cycle at, Register r, OperandTransfer::Kind kind = OperandTransfer::Kind::read) {
      script.at(at, [=](Cycle now) {
        OperandTransfer t;
        t.warp_slot = 3;
        t.reg = r;
        t.kind = kind;
        reader.send(now, t);
      });
    }
    std::unique_ptr<Arbiter> arbiter;
    Source<OperandTransfer> reader;
    std::deque<Sink<OperandTransfer>> banks;
    Sink<DestinationTransfer> results;
    Sink<RetireTransfer> retired;
  } b("bench");
  b.read(2, 4);
  b.read(2, 6, OperandTransfer::Kind::accumulator);
  for (const Register r : Registers{4, 5, 6}) b.read(5, r);
  try {
    run_cycles(20);
    FAIL("no error");
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/ports");
    CHECK(std::string(report.get_msg()) ==
          "bench.arbiter: cycle 6: bank 0 is read more than 1 times, for R6 of s3; expected reserved ports");
  }
  CHECK(b.banks[0].seen.size() == 3);
  CHECK(b.banks[1].seen.size() == 1);
}

TEST_CASE("fixed window: a tensor instruction with an operand of four registers reads in six cycles") {
  Op tensor = controlled(alu({20, 21, 22, 23}, {2, 3, 5, 8, 9, 10, 11}, ExecutionClass::tensor_f32), 1);
  tensor.code.source_slots = {1, 1, 2, 4, 4, 4, 4};
  Program program;
  program.add({{tensor, multiply({30}, {12, 14, 1}, 1)}});
  Bench bench("bench", nvidia(), program);
  run_cycles(100);
  CHECK(times(bench, "issue") == std::vector<std::pair<std::string, Cycle>>{{"1.0", 0}, {"1.1", 1}});
  // Dispatched in the cycle before they execute: 9, and 8 for the instruction that is let through in 4.
  CHECK(times(bench, "dispatch") == std::vector<std::pair<std::string, Cycle>>{{"1.1", 7}, {"1.0", 8}});
  CHECK(counter(bench, "hold_cycles") == 1);
}

// The window of the tensor instruction lasts seven cycles, because bank 0 has all its seven registers. Their
// reads follow the order of the sources from 3 to 9, so that R14 comes in 9. The FFMA reaches Allocate in 3.
// R14 is in the reuse cache, but the FFMA executes no earlier than 10.
TEST_CASE(
    "fixed window: an instruction that finds an operand on its way executes when the operand is there") {
  Op tensor = controlled(alu({20, 21, 22, 23}, {2, 4, 6, 8, 10, 12, 14}, ExecutionClass::tensor_f32), 1, 4);
  tensor.code.source_slots = {1, 1, 2, 4, 4, 4, 4};
  Op finds = multiply({30}, {14}, 1);
  finds.code.source_slots[0] = 4;  // C
  Program program;
  program.add({{tensor, finds}});
  Bench bench("bench", nvidia(), program);
  run_cycles(100);
  CHECK(times(bench, "issue") == std::vector<std::pair<std::string, Cycle>>{{"1.0", 0}, {"1.1", 1}});
  CHECK(times(bench, "dispatch") == std::vector<std::pair<std::string, Cycle>>{{"1.0", 9}, {"1.1", 9}});
  CHECK(counter(bench, "cache_read_hits") == 1);
  CHECK(counter(bench, "hold_cycles") == 6 - 3);
  check_clean(bench);
}

// Bank 0 has all five registers, which takes the cycles 3 to 7. The second instruction finds two of them in
// the reuse cache, and still executes as long after its issue, because its compiler counts on that.
TEST_CASE("fixed window: hits make no window of a tensor instruction that a table times shorter") {
  Op tensor = controlled(alu({20, 21}, {2, 4, 6, 8, 10}, ExecutionClass::tensor_f32), 8, 3);
  tensor.code.source_slots = {1, 2, 4, 4, 4};
  tensor.code.latency = 18;
  tensor.code.initiation_interval = 2;
  Program program;
  program.add({{tensor, tensor}});
  Bench bench("bench", nvidia(), program);
  run_cycles(100);
  CHECK(times(bench, "issue") == std::vector<std::pair<std::string, Cycle>>{{"1.0", 0}, {"1.1", 8}});
  CHECK(times(bench, "dispatch") == std::vector<std::pair<std::string, Cycle>>{{"1.0", 7}, {"1.1", 15}});
  CHECK(counter(bench, "cache_read_hits") == 2);
  CHECK(counter(bench, "hold_cycles") == 0);
  check_clean(bench);
}

TEST_CASE("fixed window: parts of the reuse cache and of the result queue, counted by hand") {
  // The cache has 3 slots x 2 banks. A tag has 6 bits of the warp and 8 of the register. The queue has 8
  // places. All values can be read and written at once.
  Program program;
  Bench bench("bench", nvidia(), program);
  CHECK(parts_of(bench.sm.sub_cores[0].collectors[0]) ==
        Rows{"reuse_values: 6 x 1024, 2 ports", "reuse_tags: 6 x 14, 1 ports", "reuse_state: 6 x 2, 1 ports",
             "result_queue: 8 x 1024, 2 ports"});
}

namespace {

// A fixed read window alone. Banks and units do what the script says.
struct PathBench : Stage {
  explicit PathBench(const sc_core::sc_module_name& name)
      : Stage(name),
        path("path", 7, {}, site()),
        issue("issue"),
        port_s("port_s"),
        reads("reads"),
        dispatch("dispatch") {
    conductor.add(path);
    issue.out.bind(path.issue_socket);
    port_s.out.bind(path.source_socket);
    path.read_socket.bind(reads.in);
    path.dispatch_socket.bind(dispatch.in);
  }
  CollectorSite site() {
    CollectorSite s;
    s.execution = &execution;
    s.banks = BankMap(2, BankWarpId::none, 0, 1);
    return s;
  }
  Instruction* give(Cycle t, const Op& op) {
    Instruction* i = instructions.add(op);
    script.at(t, [=](Cycle now) { issue.send(now, {0, i}); });
    return i;
  }
  // The bank's value for the instruction's first source comes in t.
  void bring(Cycle t, Instruction* i) {
    script.at(t, [=](Cycle now) {
      OperandTransfer o;
      o.instruction = i;
      o.reg = i->source(0);
      o.kind = OperandTransfer::Kind::operand;
      port_s.send(now, o);
    });
  }
  // A unit takes the instruction in t.
  void take(Cycle t, Instruction* i) {
    script.at(t, [=](Cycle now) {
      DispatchTransfer taken{now + 1, i};
      dispatch.in.credit(taken);
    });
  }
  ExecutionParameters execution;
  Instructions instructions;
  FixedWindow path;
  Source<IssueTransfer> issue;
  Source<OperandTransfer> port_s;
  Sink<OperandTransfer> reads;
  Sink<DispatchTransfer> dispatch;
};

}  // namespace

TEST_CASE("fixed window: the window is drained when no instruction and no value is under way") {
  PathBench b("bench");
  Rows rows;
  const auto note = [&](Cycle t) {
    b.script.at(t, [&](Cycle now) {
      rows.push_back(std::to_string(now) + (b.path.drained() ? ": drained" : ": busy"));
    });
  };
  // An FFMA is taken in 5. Its R2, which its flag keeps, comes in 7.
  Instruction* keeps = b.give(0, multiply({20}, {2}, 1, 1));
  note(4);
  b.take(5, keeps);
  note(6);
  b.bring(7, keeps);
  note(8);
  // An FFMA finds eight lanes of R4 on their way. Both instructions are taken in 20, and the bank's R4 comes
  // in 22.
  Instruction* part = b.give(10, integer({4}, {}, 4).with_mask(0xff));
  Instruction* finds = b.give(14, multiply({21}, {4}, 1));
  b.take(20, part);
  b.take(20, finds);
  note(21);
  b.bring(22, finds);
  note(23);
  // A load waits in its queue, reads R6, and is on its way to the load/store unit.
  Instruction* loads = b.give(30, controlled(load({22}, {6}, 0), 1));
  note(31);
  b.bring(33, loads);
  note(34);
  b.take(35, loads);
  note(36);
  run_cycles(100);
  CHECK(rows == Rows{"4: busy", "6: busy", "8: drained", "21: busy", "23: drained", "31: busy", "34: busy",
                     "36: drained"});
}

TEST_CASE("fixed window: a waveform is asked in each cycle of an instruction, and in the first one behind") {
  // The FFMA, which issues in 10, is in Control in 11, in Allocate in 12, and executes in 16. The load, which
  // issues in 20, is in Control in 21, and in its queue from 22 on.
  struct Wave : BeatObserver {
    std::vector<Signal> signals;
    Rows rows;
    Cycle beat_done(Cycle cycle) override {
      if (cycle <= 10) return never;
      rows.push_back(std::to_string(cycle) + ':');
      const std::string end = "_instruction";
      for (const Signal& s : signals)
        if (s.name.size() > end.size() && s.name.substr(s.name.size() - end.size()) == end &&
            s.value(cycle) != Signal::x)
          rows.back() += ' ' + s.name;
      return never;
    }
  } wave;
  PathBench b("bench");
  wave.signals = b.path.signals();
  b.conductor.observe_beats(wave);
  b.give(10, multiply({20}, {}, 1));
  b.give(20, controlled(load({22}, {}, 0), 1));
  run_cycles(100);
  CHECK(wave.rows == Rows{"11: c0_control_instruction", "12: c0_allocate_instruction",
                          "13: c0_read_1_instruction", "14: c0_read_2_instruction",
                          "15: c0_read_3_instruction", "16:", "20:", "21: c0_control_instruction", "22:"});
}

TEST_CASE("fixed window: the rows of a waveform have an instruction in the stage in which it is") {
  // The instruction is in Control in 1, held in Allocate in 2 and 3, and reads in 4 and 5.
  Instructions instructions;
  const Instruction* i = instructions.add(alu({2}, {}));
  WindowStages stages;
  stages.put({i, 1, 2, 3, 6});
  SignalList list("c0_");
  stages.add_rows(list, 2);
  const std::vector<Signal> signals = list;
  Rows rows;
  for (Cycle c = 0; c < 8; ++c)
    for (const Signal& s : signals)
      if (s.value(c) != Signal::x) rows.push_back(std::to_string(c) + ": " + s.name);
  CHECK(rows == Rows{"1: c0_control_instruction", "2: c0_allocate_instruction", "3: c0_allocate_instruction",
                     "4: c0_read_1_instruction", "5: c0_read_2_instruction"});
}

TEST_CASE("fixed window: the reuse cache gives what it was filled with, and the check says that it did") {
  // Between the flag and its use, an instruction that reads in the other bank writes R2.
  Program program;
  program.add({{multiply({20}, {2}, 1, 1), multiply({2}, {7}, 11), multiply({22}, {2}, 1)}});
  Bench bench("bench", nvidia(), program);
  try {
    run_cycles(100);
    FAIL("no error");
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/stale_operand");
    CHECK_THAT(report.get_msg(),
               Catch::Contains("R2 is version 0, program order demands 1 (from the reuse cache)"));
  }
}

}  // namespace fixed_window_test
