// A fixed read window that keeps near operands and results (Malekeh), and not the operands that reuse flags
// name. Cycles are counted as in fixed_window_test.cpp.
#include <catch2/catch.hpp>

#include "subcore/modules/fixed_window/fixed_window.h"
#include "tests/module/fixed_window_kit.h"

namespace fixed_window_near_test {

using namespace subcore;
using namespace subcore::test;

namespace {

PlatformParameters nvidia_near(unsigned interval = 1) {
  PlatformParameters p = nvidia(interval);
  p.sub_core.collector.kind.as<FixedWindowChoice>().parameters.reuse = OperandReuse::near_bits;
  return p;
}

std::uint64_t bank_reads(Bench& b) {
  return b.sm.sub_cores[0].arbiter.counters().read_grants;
}

}  // namespace

TEST_CASE("fixed window, near bits: a near source of one bank with two others lets a stream go at 2 cycles") {
  const auto program = [](unsigned near) {
    WarpOps ops;
    for (unsigned n = 0; n < 20; ++n)
      ops.push_back(integer({static_cast<Register>(20 + n)}, {2, 4, 6}, 2).near(near, 0));
    Program p;
    p.add({ops});
    return p;
  };
  const Program far = program(0), near = program(1);
  Bench three("three", nvidia_near(2), far), two("two", nvidia_near(2), near);
  run_cycles(300);
  CHECK(cycles_of(three, "issue").back() == 2 + 18 * 3);
  CHECK(cycles_of(two, "issue").back() == 19 * 2);
  CHECK(counter(three, "cache_read_hits") == 0);
  CHECK(counter(two, "cache_read_hits") == 19);
  CHECK(counter(two, "reuse_allocations") == 1);
  CHECK(bank_reads(two) == 20 * 3 - 19);
  for (Bench* b : {&three, &two}) check_clean(*b);
}

TEST_CASE("fixed window, near bits: a near result is found long after it has been bypassed") {
  const auto program = [](unsigned near) {
    Program p;
    p.add({{multiply({2}, {7}, 15).near(0, near), integer({20}, {2}, 4)}});
    return p;
  };
  const Program far = program(0), near = program(1);
  Bench read("read", nvidia_near(), far), found("found", nvidia_near(), near);
  AccessCounts of_read(read.sm.sub_cores[0].collectors[0]), of_found(found.sm.sub_cores[0].collectors[0]);
  run_cycles(100);
  CHECK(of_read["tag_search"] == 2);
  CHECK(of_read["fwd_wr"] == 0);
  CHECK(of_found["fwd_wr"] == 1);  // the result
  CHECK(of_found["fwd_rd"] == 1);
  CHECK(bank_reads(read) == 2);
  CHECK(bank_reads(found) == 1);
  CHECK(counter(found, "bypassed") == 0);
  CHECK(counter(found, "cache_read_hits") == 1);
  CHECK(counter(found, "cache_writes") == 1);
  CHECK(counter(found, "result_allocations") == 1);
  CHECK(counter(found, "cache_writes_used") == 1);
  for (Bench* b : {&read, &found}) check_clean(*b);
}

// The program of the flag cache's own test.
TEST_CASE("fixed window, near bits: a write between keeps the cache right, where flags get it wrong") {
  ignore_stale();
  Program program;
  program.add({{multiply({20}, {2}, 1).near(1, 0), multiply({2}, {7}, 11), multiply({22}, {2}, 1)}});
  program.code.instructions[0].reuse_mask = 1;
  Bench near("near", nvidia_near(), program), flags("flags", nvidia(), program);
  run_cycles(100);
  CHECK(flags.sm.check().stale() == 1);
  CHECK(counter(near, "cache_read_hits") == 1);
  CHECK(counter(near, "cache_writes") == 1);
  CHECK(counter(near, "result_allocations") == 0);
  check_clean(near);
}

TEST_CASE("fixed window, near bits: who executes before a result is ready gets what the bank has") {
  ignore_stale();
  const auto chain = [](unsigned stall) {
    Program p;
    p.add({WarpOps(4, multiply({2}, {2}, stall).near(1, 1))});
    return p;
  };
  const Program four = chain(4), three = chain(3);
  Bench right("right", nvidia_near(), four), early("early", nvidia_near(), three);
  run_cycles(100);
  CHECK(counter(right, "cache_read_hits") == 3);
  CHECK(bank_reads(right) == 1);
  check_clean(right);
  CHECK(counter(early, "cache_read_hits") == 0);
  CHECK(early.sm.check().stale() == 3);
  CHECK(early.leftovers().empty());
}

TEST_CASE("fixed window, near bits: FP64 finds a result six cycles behind it, not five") {
  ignore_stale();
  const auto program = [](unsigned stall) {
    Program p;
    p.add({{multiply({2}, {7}, stall).near(0, 1), controlled(alu({20}, {2}, ExecutionClass::double_), 1)}});
    return p;
  };
  const Program six = program(6), five = program(5);
  Bench right("right", nvidia_near(), six), early("early", nvidia_near(), five);
  run_cycles(200);
  CHECK(counter(right, "cache_read_hits") == 1);
  check_clean(right);
  CHECK(counter(early, "cache_read_hits") == 0);
  CHECK(early.sm.check().stale() == 1);
}

TEST_CASE("fixed window, near bits: a load takes the older value away when it issues") {
  Op loads = controlled(load({4}, {2}, 0), 2), reader = integer({21}, {4}, 4);
  loads.code.control.write_barrier = 0;
  reader.code.control.wait_mask = 1;
  Program program;
  program.add({{integer({20}, {4}, 4).near(1, 0), loads, reader}});
  Bench bench("bench", nvidia_near(), program);
  run_cycles(600);
  CHECK(counter(bench, "invalidations") == 1);
  CHECK(counter(bench, "cache_read_hits") == 0);
  check_clean(bench);
}

TEST_CASE(
    "fixed window, near bits: a near result of a load is found once the bank has it, a far one is not") {
  const auto program = [](unsigned near) {
    Op loads = controlled(load({4}, {2}, 0), 2).near(0, near), reader = integer({21}, {4}, 4);
    loads.code.control.write_barrier = 0;
    reader.code.control.wait_mask = 1;
    Program p;
    p.add({{loads, reader}});
    return p;
  };
  const Program near = program(1), far = program(0);
  Bench found("found", nvidia_near(), near), read("read", nvidia_near(), far);
  run_cycles(600);
  CHECK(found.log.rows({"port_d"}).size() == 1);
  CHECK(counter(found, "cache_read_hits") == 1);
  CHECK(counter(found, "cache_writes_used") == 1);
  CHECK(bank_reads(found) == 1);
  CHECK(read.log.rows({"port_d"}).empty());
  CHECK(counter(read, "cache_read_hits") == 0);
  CHECK(bank_reads(read) == 2);
  CHECK(cycles_of(found, "issue") == cycles_of(read, "issue"));
  for (Bench* b : {&found, &read}) check_clean(*b);
}

// Four near results of a tensor instruction. The banks take two of them a cycle.
TEST_CASE("fixed window, near bits: port D takes a result a cycle, what it does not take is not kept") {
  Op tensor = controlled(alu({20, 21, 22, 23}, {2, 3}, ExecutionClass::tensor_f32), 2).near(0, 15);
  tensor.code.control.write_barrier = 0;
  Op reader = integer({30}, {20, 21, 22}, 4);
  reader.code.control.wait_mask = 1;
  Program program;
  program.add({{tensor, reader}});
  PlatformParameters wide = nvidia_near();
  wide.sub_core.collector.kind.as<FixedWindowChoice>().parameters.result_ports = 0;
  Bench one("one", nvidia_near(), program), all("all", wide, program);
  run_cycles(300);
  CHECK(counter(one, "cache_writes") == 2);
  CHECK(counter(one, "cache_read_hits") == 2);
  CHECK(counter(all, "cache_writes") == 4);
  CHECK(counter(all, "cache_read_hits") == 3);
  for (Bench* b : {&one, &all}) check_clean(*b);
}

TEST_CASE("fixed window, near bits: a warp does not find what an earlier one left in its slot") {
  const WarpOps ops{integer({20}, {2}, 4).near(1, 0), integer({21}, {2}, 4).near(1, 0)};
  Program program;
  program.add({ops});
  program.add({ops});
  Bench bench("bench", nvidia_near(), program);
  run_cycles(300);
  CHECK(counter(bench, "cache_read_hits") == 2);
  CHECK(counter(bench, "reuse_allocations") == 2);
  check_clean(bench);
}

TEST_CASE("fixed window, near bits: parts of the cache and of the result queue, counted by hand") {
  // A tag has 6 bits of the warp and 8 of the register. An entry has valid, filled, the reuse bit, and its
  // place among six. Results come through one port.
  Program program;
  Bench bench("bench", nvidia_near(), program);
  CHECK(parts_of(bench.sm.sub_cores[0].collectors[0]) ==
        Rows{"near_values: 6 x 1024, 3 ports", "near_tags: 6 x 14, 1 ports", "near_state: 6 x 6, 1 ports",
             "result_queue: 8 x 1024, 2 ports"});
}

}  // namespace fixed_window_near_test
