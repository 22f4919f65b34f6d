// A plain collector between test sockets. Reads leave in the cycle of issue. If an instruction is complete
// from t+1 on, that is announced in t, to the dispatch scheduler and over port R at once.
#include "subcore/power/hardware.h"
#include "tests/module/collector_kit.h"

namespace ocu_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {
CollectorParameters ocu() {
  CollectorParameters p;
  p.kind = "ocu";
  return p;
}
}  // namespace

TEST_CASE("OCU sockets: reads in the cycle of issue, ready with the last operand, in any order") {
  collect(ocu(), {"0: read R2.0", "0: read R3.1", "5: left i0 free", "5: ready i0 v7 v8"},
          [](CollectorBench& b) {
            Instruction* i = b.give(0, alu({4}, {2, 3}));
            b.bring(3, i, 1, 8);
            b.bring(5, i, 0, 7);
          });
}

TEST_CASE("OCU sockets: without operands it is ready at once, and free for the next cycle") {
  // The second instruction comes in 1 and finds the latch occupied until 5. This instruction can move in the
  // cycle after.
  collect(ocu(), {"0: left i0 free", "0: ready i0", "1: complete i1", "4: left i1 free", "4: ready i1"},
          [](CollectorBench& b) {
            Instruction* first = b.give(0, alu({4}, {}));
            b.give(1, alu({5}, {}));
            b.dispatch(4, first);
          });
}

TEST_CASE("OCU sockets: the last operand to be announced need not be the last to come") {
  // Slot 1 was sent in 2 for 9, slot 0 in 4 for 5: complete from 9 on, which is told in 8 and not before.
  collect(ocu(), {"0: read R2.0", "0: read R3.1", "8: left i0 free", "8: ready i0 v7 v8"},
          [](CollectorBench& b) {
            Instruction* i = b.give(0, alu({4}, {2, 3}));
            b.bring(2, i, 1, 8, 9);
            b.bring(4, i, 0, 7);
          });
}

TEST_CASE("OCU sockets: what is complete waits for the latch, and moves in the cycle after dispatch") {
  // i0 is in the latch from 3 on and dispatched in 7. So i1, complete from 5 on, moves in 8. i2's operand is
  // on its way, for 14, and the latch is free from 11 on, so i2 moves in 14. The scheduler hears that each
  // only waits for the latch.
  collect(ocu(),
          {"0: read R2.0", "2: left i0 free", "2: ready i0 v7", "3: read R3.0", "4: complete i1",
           "7: left i1 free", "7: ready i1 v8", "8: read R4.0", "9: complete i2 from 14", "13: left i2 free",
           "13: ready i2 v9"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2}));
            b.bring(2, i0, 0, 7);
            Instruction* i1 = b.give(3, alu({}, {3}));
            b.bring(4, i1, 0, 8);
            b.dispatch(7, i0);
            Instruction* i2 = b.give(8, alu({}, {4}));
            b.bring(9, i2, 0, 9, 14);
            b.dispatch(10, i1);
          });
}

TEST_CASE("OCU sockets: more operands than slots") {
  CollectorParameters two = ocu();
  two.slots = 2;
  CHECK_THROWS_WITH(collect(two, {},
                            [](CollectorBench& b) {
                              b.give(0, alu({}, {2, 3, 4}));
                            }),
                    Catch::Contains("collector: the instruction at pc 0x0 has 3 source operands; expected at "
                                    "most 2 (sub_core.collector.slots)"));
}

TEST_CASE("OCU sockets: the time of instructions is split by what they wait for") {
  collect(ocu(),
          {"0: read R2.0", "0: read R3.1", "5: left i0 free", "5: ready i0 v5 v6", "6: read R4.0",
           "7: complete i1", "9: left i1 free", "9: ready i1 v7", "20: 11 cycles: 6 2 3",
           "20: instructions 2, source_operands 3"},
          wait_for_all);
}

TEST_CASE("OCU: each slot has an operand with two ports, and valid, ready and the register") {
  // The register has 8 bits. The part's name has the module's, without its number.
  CollectorParameters five = ocu();
  five.slots = 5;
  const std::unique_ptr<OperandPath> unit(five.kind->make("operand_collector_3", five, {}));
  Inventory all;
  add_hardware(*unit, all);
  REQUIRE(all.parts().size() == 2);
  const HardwarePart &operands = all.parts()[0], &table = all.parts()[1];
  CHECK(operands.name == "operand_collector.operands");
  CHECK(operands.all_bits() == 5 * 1024);
  CHECK(operands.ports == 2);
  CHECK(table.name == "operand_collector.operand_table");
  CHECK(table.all_bits() == 5 * (1 + 1 + 8));
}

}  // namespace ocu_socket_test
