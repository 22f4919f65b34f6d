// Matrix products of warpgroups: the meaning of opcodes and operands, the groups that are waited for, and the
// meeting of warps.
#include "subcore/model/isa/warpgroup.h"

#include <algorithm>
#include <array>
#include <deque>

#include <catch2/catch.hpp>

#include "subcore/model/isa/opcodes.h"
#include "subcore/model/isa/unit_table.h"
#include "subcore/model/policy/issue/warpgroup_products.h"
#include "subcore/model/policy/warpgroup_meeting.h"
#include "subcore/model/policy/warpgroup_timing.h"
#include "subcore/model/trace/wait_operands.h"
#include "tests/unit/made_instruction.h"

namespace warpgroup_unit_test {

using namespace subcore;
using subcore::test::MadeInstruction;

namespace {

// An instruction as a trace lists it, once its units are known.
StaticInstruction listed(const char* opcode, std::initializer_list<Register> destinations,
                         std::initializer_list<Register> sources, unsigned architecture = 90) {
  StaticInstruction s;
  s.execution = opcode_info(opcode)->execution;
  std::copy(destinations.begin(), destinations.end(), s.destinations.begin());
  s.destination_count = static_cast<std::uint8_t>(destinations.size());
  unsigned slot = 0;
  for (const Register r : sources) {
    s.slots[slot++] = r;
    if (r != rz) s.sources[s.source_count++] = r;
  }
  set_unit_use(s, opcode, {architecture, {}});
  return s;
}

// Instructions of one warp, numbered in program order.
class Warp {
 public:
  Instruction& product(bool ends_group, Register first = 24) {
    StaticInstruction& code = next();
    code.warpgroup = WarpgroupStep::product;
    code.accumulators = {first, 32, true};
    code.completion = LatencyClass::queued;
    code.latency = 1;
    code.ends_group = ends_group;
    return made_.back().instruction;
  }
  Instruction& wait(unsigned open_groups) {
    StaticInstruction& code = next();
    code.warpgroup = WarpgroupStep::wait;
    code.open_groups = static_cast<std::uint8_t>(open_groups);
    return made_.back().instruction;
  }
  Instruction& arrive() {
    next().warpgroup = WarpgroupStep::arrive;
    return made_.back().instruction;
  }
  Instruction& write(Register r) {
    StaticInstruction& code = next();
    code.destinations[0] = r;
    code.destination_count = 1;
    made_.back().instruction.destination_count = 1;
    return made_.back().instruction;
  }

 private:
  StaticInstruction& next() {
    MadeInstruction& made = made_.emplace_back();
    made.instruction.sequence = made_.size();
    return made.code;
  }
  std::deque<MadeInstruction> made_;
};

}  // namespace

TEST_CASE("warpgroup products: columns by the shape of the opcode") {
  CHECK(product_columns("HGMMA.64x128x16.F32.BF16") == 128);
  CHECK(product_columns("HGMMA.SP.64x8x32.F16") == 8);
  CHECK(product_columns("BGMMA.64x256x256.AND.POPC") == 256);
  CHECK(product_columns("HGMMA.F32") == 0);
  CHECK(product_columns("HGMMA.64x1000x16.F32") == 0);
  CHECK(is_warpgroup_product("QGMMA.64x64x32.F32.E4M3.E4M3"));
  CHECK_FALSE(is_warpgroup_product("HMMA.16816.F32"));
  CHECK_FALSE(is_warpgroup_product("UTCHMMA"));
}

TEST_CASE("warpgroup products: accumulators, and A where it is in registers") {
  const StaticInstruction in_memory = listed("HGMMA.64x128x16.F32.BF16", {24}, {24});
  CHECK(in_memory.warpgroup == WarpgroupStep::product);
  CHECK(in_memory.accumulators.first == 24);
  CHECK(in_memory.accumulators.count == 64);
  CHECK(in_memory.accumulators.read);
  CHECK_FALSE(in_memory.a_in_registers);
  CHECK(in_memory.source_count == 0);
  CHECK(in_memory.destination_count == 0);
  CHECK(in_memory.reads(87));
  CHECK_FALSE(in_memory.writes(88));

  const StaticInstruction in_registers = listed("HGMMA.64x64x16.F16", {24}, {4, 24});
  CHECK(in_registers.accumulators.count == 16);
  CHECK(in_registers.a_in_registers);
  CHECK(in_registers.source_count == 4);
  CHECK(in_registers.sources[0] == 4);
  CHECK(in_registers.sources[3] == 7);

  const StaticInstruction first = listed("HGMMA.64x64x16.F32", {24}, {rz});
  CHECK_FALSE(first.accumulators.read);
  CHECK(first.writes(24));
  CHECK_FALSE(first.reads(24));
  CHECK_FALSE(first.a_in_registers);

  const StaticInstruction elsewhere = listed("HGMMA.64x64x16.F32", {24}, {4, 24}, 80);
  CHECK(elsewhere.warpgroup == WarpgroupStep::none);
  CHECK(elsewhere.destination_count == 1);
  CHECK(listed("WARPGROUP.ARRIVE", {}, {}).warpgroup == WarpgroupStep::arrive);
  CHECK(listed("WARPGROUP.DEPBAR.LE", {}, {}).warpgroup == WarpgroupStep::wait);
  CHECK(listed("USETMAXREG.DEALLOC.CTAPOOL", {}, {}).warpgroup == WarpgroupStep::registers);
  CHECK(opcode_info("USETMAXREG.TRY_ALLOC.CTAPOOL")->execution == ExecutionClass::uniform);
  CHECK(opcode_info("USETMAXREG.TRY_ALLOC.CTAPOOL")->kind == InstructionKind::arithmetic);
}

TEST_CASE("warpgroup products: the groups that a wait lets be, from the sidecar or the line") {
  StaticInstruction s;
  read_wait_operands("WARPGROUP.DEPBAR.LE", "WARPGROUP.DEPBAR.LE gsb0, 0x2 ;", "", s);
  CHECK(s.open_groups == 2);
  CHECK(s.awaited_counter == no_barrier);
  StaticInstruction by_line;
  read_wait_operands("WARPGROUP.DEPBAR.LE", "", "1", by_line);
  CHECK(by_line.open_groups == 1);
  CHECK(waits_by_immediate("WARPGROUP.DEPBAR.LE"));
}

TEST_CASE("warpgroup products: groups complete in order, and what no flag ends the wait ends") {
  Warp w;
  WarpgroupProducts products(8);
  Instruction &a = w.product(false), &b = w.product(true), &c = w.product(false);
  const Instruction &none = w.wait(0), &one = w.wait(1), &two = w.wait(2);
  for (const Instruction* i : {&a, &b, &c}) products.issue(*i);
  CHECK(products.hold(one));
  CHECK_FALSE(products.hold(two));
  products.retired(c);  // the second group, which cannot be complete before the first
  CHECK(products.hold(none));
  CHECK_FALSE(products.hold(one));
  products.retired(b);
  CHECK(products.hold(none));
  products.retired(a);
  CHECK_FALSE(products.hold(none));
  CHECK(products.clear());
  // A wait ends the group of a product behind which no other group begins.
  Instruction &d = w.product(false), &e = w.product(false);
  products.issue(d);
  products.issue(one);
  products.issue(e);
  CHECK(products.hold(one));
  products.retired(d);
  CHECK_FALSE(products.hold(one));
  CHECK(products.hold(none));
}

TEST_CASE("warpgroup products: a limit, results that ARRIVE waits for, and accumulators under way") {
  Warp w;
  WarpgroupProducts products(2), machine_without(0);
  Instruction &a = w.product(true), &b = w.product(true), &apart = w.product(true, 100),
              &shifted = w.product(true, 40);
  const Instruction &arrive = w.arrive(), &writes = w.write(30), &elsewhere = w.write(90);
  products.issue(writes);
  CHECK(products.hold(arrive));
  products.retired(writes);
  CHECK_FALSE(products.hold(arrive));
  products.issue(a);
  CHECK_FALSE(products.hold(b));
  CHECK(products.touches(b));  // until the older product has its sources
  products.collected(a);
  CHECK_FALSE(products.touches(b));
  CHECK_FALSE(products.touches(apart));
  CHECK(products.touches(shifted));
  CHECK(products.touches(writes));
  CHECK_FALSE(products.touches(elsewhere));
  products.issue(b);
  CHECK(products.hold(apart));
  machine_without.issue(a);
  CHECK_FALSE(machine_without.hold(w.wait(0)));
  CHECK(machine_without.clear());
}

TEST_CASE("warpgroup products: an instruction without operands touches no accumulator, not even R0") {
  Warp w;
  WarpgroupProducts products(8);
  Instruction& product = w.product(true, 0);
  const Instruction &none = w.wait(0), &writes = w.write(0);
  products.issue(product);
  CHECK_FALSE(products.touches(none));
  CHECK(products.touches(writes));
}

TEST_CASE("warpgroup products: what shared memory and a tensor core spend on one") {
  const WarpgroupTiming timing;
  StaticInstruction s = listed("HGMMA.64x8x16.F32", {24}, {24});
  CHECK(timing.wavefronts(s) == 18);
  CHECK(timing.before_first_column(s) == 18);
  CHECK(timing.cycles(s) == 4);
  s = listed("HGMMA.64x256x16.F32", {24}, {4, 24});
  CHECK(timing.wavefronts(s) == 64);
  CHECK(timing.before_first_column(s) == 2);
  CHECK(timing.cycles(s) == 128);
  CHECK(timing.read_at(s, 5) == 5);
  s = listed("HGMMA.64x256x16.F16", {24}, {24});
  CHECK(timing.read_at(s, 5) == 10);
}

TEST_CASE("warpgroup products: warps meet at each in their order, and few have operands ahead") {
  std::deque<MadeInstruction> made;
  std::array<WarpTrace, 4> warps;
  KernelHeader kernel;
  kernel.block.x = 128;
  const auto come = [&](unsigned warp) -> Instruction& {
    Instruction& i = made.emplace_back().instruction;
    warps[warp].warp = warp;
    i.warp = &warps[warp];
    i.kernel = &kernel;
    return i;
  };
  WarpgroupMeeting meeting(1);
  // The first warp runs ahead by a product.
  Instruction &first = come(0), &second = come(0);
  meeting.came(first);
  meeting.came(second);
  for (unsigned warp = 1; warp < 4; ++warp) {
    CHECK(meeting.next() == nullptr);
    meeting.came(come(warp));
  }
  REQUIRE(meeting.next() != nullptr);
  CHECK(meeting.next()->count == 4);
  CHECK(meeting.next()->instructions[0] == &first);
  const WarpgroupMeeting::Product product = *meeting.next();
  meeting.take();
  for (unsigned warp = 1; warp < 4; ++warp) meeting.came(come(warp));
  CHECK(meeting.next() == nullptr);  // the operands of one product are ahead
  for (const Instruction* i : product.instructions) meeting.began(*i);
  REQUIRE(meeting.next() != nullptr);
  CHECK(meeting.next()->instructions[0] == &second);
  CHECK_FALSE(meeting.empty());
  // Of another warpgroup the trace has one warp.
  WarpTrace alone;
  alone.warp = 5;
  alone.warpgroup_warps = 1;
  Instruction& i = come(0);
  i.warp = &alone;
  WarpgroupMeeting other(2);
  other.came(i);
  REQUIRE(other.next() != nullptr);
  CHECK(other.next()->count == 1);
}

}  // namespace warpgroup_unit_test
