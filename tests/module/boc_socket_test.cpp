// A bypassing collector between test sockets.
#include "subcore/modules/collector/boc.h"
#include "tests/module/collector_kit.h"

namespace boc_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {
CollectorParameters boc(std::uint32_t window = 3) {
  CollectorParameters p;
  p.kind = "boc";
  p.entries = 12;
  p.kind.as<BocChoice>().window = window;
  return p;
}
CollectorParameters write_back(std::uint32_t window) {
  CollectorParameters p = boc(window);
  p.kind.as<BocChoice>().write_policy = WritePolicy::write_back;
  return p;
}
}  // namespace

TEST_CASE("BOC sockets: three instructions at once, shared misses, places for results") {
  // i1 waits for the R2 that i0 asked for and is ready with it, before i0. With i0 here there is no room for
  // a fourth. In 7 i3 comes: R2 was last used by i1 and is a hit; R3 and the place for i0's R1 slide out. R5,
  // sent in 7 for 8, is a hit for i4 in 8, when the place of i1 goes; R1, sent in 7, too, finds its place
  // gone.
  collect(boc(), {"0: D i0 keeps 1",     "0: now w1 free",     "0: read R2.0",        "0: read R3.1",
                  "1: D i1 keeps 1",     "1: now w1 free",     "2: D i2 keeps 1",     "2: now w1 busy",
                  "2: read R6.0",        "3: left i1 w1 busy", "3: ready i1 v21",     "4: left i0 w1 free",
                  "4: ready i0 v21 v22", "5: left i2 w1 free", "5: ready i2 v23",     "7: D i0 loses 1",
                  "7: now w1 free",      "7: read R3.1",       "8: D i1 loses 1",     "8: now w1 free",
                  "8: read R1.1",        "9: left i3 w1 free", "9: ready i3 v21 v24", "10: left i4 w1 free",
                  "10: ready i4 v15 v11"},
          [](CollectorBench& b) {
            Instruction *i0 = b.give(0, alu({1}, {2, 3})), *i1 = b.give(1, alu({4}, {2})),
                        *i2 = b.give(2, alu({5}, {6}));
            b.bring(3, i0, 0, 21);
            b.bring(4, i0, 1, 22);
            b.dispatch(4, i1);
            b.bring(5, i2, 0, 23);
            b.dispatch(5, i0);
            b.dispatch(6, i2);
            Instruction* i3 = b.give(7, alu({}, {2, 3}));
            b.at(7, [&b] {
              b.port_d->send(result_of(1, 11), 8);
              b.port_d->send(result_of(5, 15), 8);
            });
            Instruction* i4 = b.give(8, alu({}, {5, 1}));
            b.bring(9, i3, 1, 24);
            b.bring(10, i4, 1, 11);
          });
}

TEST_CASE("BOC sockets: the oldest instruction is the one in the way, when it waits for its latch") {
  // i0, i1 and i2 are in their latches. i3 waits for i0's latch, which matters only when i5 has come.
  collect(boc(),
          {"0: left i0 w1 free", "0: now w1 free", "0: ready i0", "1: left i1 w1 free", "1: now w1 free",
           "1: ready i1", "2: left i2 w1 free", "2: now w1 free", "2: ready i2", "3: now w1 free",
           "4: now w1 free", "5: complete i3", "5: now w1 busy", "8: left i3 w1 free", "8: ready i3",
           "9: left i4 w1 free", "9: ready i4", "10: left i5 w1 free", "10: ready i5"},
          [](CollectorBench& b) {
            std::array<Instruction*, 6> i{};
            for (unsigned n = 0; n < 6; ++n) i[n] = b.give(n, alu({}, {}));
            for (unsigned n = 0; n < 3; ++n) b.dispatch(8 + n, i[n]);
          });
}

TEST_CASE("BOC sockets: with write-back, values go to the banks when they slide out") {
  // R1, here since 6, slides out in 9 and is on its way to the banks when i2 asks the banks for R1. R2, here
  // since 9, is written again by i2, so its value is not needed. The R2 that i2 writes slides out in 14, in
  // the cycle in which the result is sent. The result finds no place in 15 and goes to the banks from there.
  collect(write_back(2),
          {"0: D i0 keeps 1",     "0: left i0 w1 free", "0: now w1 free",      "0: ready i0",
           "7: D i1 keeps 1",     "7: left i1 w1 free", "7: now w1 free",      "7: ready i1",
           "9: D i2 keeps 1",     "9: back R1 v11",     "9: now w1 free",      "9: read R1.0",
           "10: left i2 w1 free", "10: ready i2 v11",   "12: left i3 w1 free", "12: now w1 free",
           "12: ready i3",        "14: D i2 loses 1",   "14: left i4 w1 free", "14: now w1 free",
           "14: ready i4",        "15: back R2 v22"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({1}, {}));
            b.dispatch(1, i0);
            b.result(5, result_of(1, 11));
            Instruction* i1 = b.give(7, alu({2}, {}));
            b.dispatch(8, i1);
            b.result(8, result_of(2, 12));
            Instruction* i2 = b.give(9, alu({2}, {1}));
            i2->produced[0] = 22;
            b.bring(10, i2, 0, 11);
            b.dispatch(11, i2);
            Instruction* i3 = b.give(12, alu({}, {}));
            b.dispatch(13, i3);
            b.give(14, alu({}, {}));
            b.result(14, result_of(2, 22));
          });
}

TEST_CASE("BOC sockets: memory instructions leave in program order, others do not wait") {
  collect(boc(),
          {"0: D i0 keeps 1", "0: now w1 free", "0: read R2.0", "1: D i1 keeps 1", "1: now w1 free",
           "2: left i2 w1 busy", "2: now w1 busy", "2: ready i2", "5: left i0 w1 free", "5: left i1 w1 free",
           "5: ready i0 v21", "5: ready i1"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, load({4}, {2}, 0x100));
            b.give(1, load({5}, {}, 0x200));
            b.give(2, alu({}, {}));
            b.bring(5, i0, 0, 21);
          });
}

TEST_CASE("BOC sockets: one instruction at a time still finds what the one before it read") {
  CollectorParameters p = boc();
  p.kind.as<BocChoice>().in_flight = InFlight::one;
  collect(p,
          {"0: now w1 busy", "0: read R2.0", "2: left i0 w1 free", "2: ready i0 v21", "3: complete i1",
           "3: now w1 busy", "6: left i1 w1 free", "6: ready i1 v21"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2}));
            b.bring(2, i0, 0, 21);
            b.give(3, alu({}, {2}));
            b.dispatch(6, i0);
          });
}

TEST_CASE("BOC sockets: a hit is no earlier than the bank's operand") {
  // Announced in 2 for 9: both are ready in 9, although i1 finds R2 in the window in 4.
  collect(boc(),
          {"0: now w1 free", "0: read R2.0", "4: now w1 free", "8: left i0 w1 free", "8: left i1 w1 free",
           "8: ready i0 v21", "8: ready i1 v21"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2}));
            b.bring(2, i0, 0, 21, 9);
            b.give(4, alu({}, {2}));
          });
}

TEST_CASE("BOC sockets: of two operands the one that is there later counts, whichever was announced first") {
  // R2, announced in 2, is there in 9; R3, announced in 3, in 5.
  collect(boc(),
          {"0: now w1 free", "0: read R2.0", "0: read R3.1", "8: left i0 w1 free", "8: ready i0 v21 v22",
           "20: 8 cycles: 8 0 0"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2, 3}));
            b.bring(2, i0, 0, 21, 9);
            b.bring(3, i0, 1, 22, 5);
            b.dispatch(9, i0);
            b.note_times(20);
          });
}

TEST_CASE("BOC sockets: a window ends at a taken branch, and with its warp") {
  CollectorParameters p = boc();
  p.branch = BranchHandling::flush_on_taken;
  // i1 is a branch, and the instruction behind it (i3) is not the next one in the code. So R2 is read again,
  // and the place for R1 is gone. In 8 warp 2 reads an R2 of its own.
  collect(p,
          {"0: D i0 keeps 1", "0: now w1 free", "0: read R2.0", "1: left i0 w1 free", "1: ready i0 v21",
           "3: left i1 w1 free", "3: now w1 free", "3: ready i1", "5: D i0 loses 1", "5: now w1 free",
           "5: read R2.0", "6: left i3 w1 free", "6: ready i3 v21", "8: now w2 free", "8: read R2.0",
           "9: left i4 w2 free", "9: ready i4 v5", "12: flushes 1"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({1}, {2}));
            b.bring(1, i0, 0, 21);
            b.dispatch(2, i0);
            Instruction* i1 = b.give(3, branch());
            b.dispatch(4, i1);
            b.instructions.add(alu({}, {}));  // jumped over
            Instruction* i3 = b.give(5, alu({}, {2}));
            b.bring(6, i3, 0, 21);
            b.dispatch(7, i3);
            Instruction* i4 = b.give(8, alu({}, {2}), 2);
            b.bring(9, i4, 0, 5);
            b.at(12, [&b] { b.note(b.next(), numbered("flushes ", b.module().flushes())); });
          });
}

TEST_CASE("BOC sockets: a branch to itself is taken, and the statistics count the window that ends") {
  CollectorParameters p = boc();
  p.branch = BranchHandling::flush_on_taken;
  // i2 is the branch i1 once more. The place for i0's R1 goes with the window.
  collect(p,
          {"0: D i0 keeps 1", "0: now w1 free", "0: read R2.0", "1: left i0 w1 free", "1: ready i0 v21",
           "3: left i1 w1 free", "3: now w1 free", "3: ready i1", "5: D i0 loses 1", "5: left i2 w1 free",
           "5: now w1 free", "5: ready i2", "20: windows ended: 1"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({1}, {2}));
            b.bring(1, i0, 0, 21);
            b.dispatch(2, i0);
            Instruction* i1 = b.give(3, branch());
            b.dispatch(4, i1);
            Instruction* i2 = b.give(5, branch());
            i2->code = i1->code;
            b.dispatch(6, i2);
            b.at(20, [&b] {
              StatisticsGroup all;
              b.module().register_statistics(all);
              b.note(b.next(), numbered("windows ended: ", all.sum("flushes")));
            });
          });
}

TEST_CASE("BOC sockets: each source is looked for, and only what is found is copied") {
  // i0 misses R2 and R3. i1 finds R2 and misses R5.
  std::deque<AccessCounts> counts;
  collect(boc(),
          {"0: now w1 free", "0: read R2.0", "0: read R3.1", "2: left i0 w1 free", "2: ready i0 v5 v6",
           "6: now w1 free", "6: read R5.1", "7: left i1 w1 free", "7: ready i1 v5 v7",
           "20: 4 searches, 1 read, 1 written"},
          [&counts](CollectorBench& b) {
            AccessCounts& n = counts.emplace_back(b.module());
            Instruction* i0 = b.give(0, alu({}, {2, 3}));
            b.bring(1, i0, 0, 5);
            b.bring(2, i0, 1, 6);
            b.dispatch(3, i0);
            Instruction* i1 = b.give(6, alu({}, {2, 5}));
            b.bring(7, i1, 1, 7);
            b.at(20, [&b, &n] {
              b.note(b.next(), std::to_string(n["tag_search"]) + " searches, " + std::to_string(n["fwd_rd"]) +
                                   " read, " + std::to_string(n["fwd_wr"]) + " written");
            });
          });
}

TEST_CASE("BOC sockets: a branch that is not taken ends nothing") {
  CollectorParameters p = boc();
  p.branch = BranchHandling::flush_on_taken;
  collect(p,
          {"0: now w1 free", "0: read R2.0", "1: left i0 w1 free", "1: ready i0 v21", "3: left i1 w1 free",
           "3: now w1 free", "3: ready i1", "5: left i2 w1 free", "5: now w1 free", "5: ready i2 v21"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2}));
            b.bring(1, i0, 0, 21);
            b.give(3, branch());
            b.give(5, alu({}, {2}));
          });
}

TEST_CASE("BOC sockets: results are used once they are read, and unused when they go unread") {
  // i1 reads R1. i1's own R2, here since 7, is written again by i2, whose R2 slides out with i5.
  collect(boc(),
          {"0: D i0 keeps 1",
           "0: left i0 w1 free",
           "0: now w1 free",
           "0: ready i0",
           "4: D i1 keeps 1",
           "4: left i1 w1 free",
           "4: now w1 free",
           "4: ready i1 v11",
           "8: D i2 keeps 1",
           "8: left i2 w1 free",
           "8: now w1 free",
           "8: ready i2",
           "12: left i3 w1 free",
           "12: now w1 free",
           "12: ready i3",
           "13: used 1, unused 1, left 1",
           "14: left i4 w1 free",
           "14: now w1 free",
           "14: ready i4",
           "16: left i5 w1 free",
           "16: now w1 free",
           "16: ready i5",
           "20: used 1, unused 2, left 0"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({1}, {}));
            b.dispatch(1, i0);
            b.result(2, result_of(1, 11));
            Instruction* i1 = b.give(4, alu({2}, {1}));
            b.dispatch(5, i1);
            b.result(6, result_of(2, 12));
            Instruction* i2 = b.give(8, alu({2}, {}));
            b.dispatch(9, i2);
            b.result(10, result_of(2, 12));
            for (const Cycle t : {12, 14, 16}) b.dispatch(t + 1, b.give(t, alu({}, {})));
            b.note_use(13, b.module());
            b.note_use(20, b.module());
          });
}

TEST_CASE("BOC sockets: the entries in use are summed over cycles") {
  // Three of eight entries are in use (R2, R3, R1) from 0 to 4, and five (R5 and R4, too) to 10. When i2
  // comes, R1, R2 and R3 slide out, so that two are in use to 16.
  CollectorParameters p = boc(2);
  p.entries = 8;
  collect(p, {"0: D i0 keeps 1",     "0: now w1 free",
              "0: read R2.0",        "0: read R3.1",
              "2: left i0 w1 free",  "2: ready i0 v5 v6",
              "4: D i1 keeps 1",     "4: now w1 free",
              "4: read R5.0",        "6: left i1 w1 free",
              "6: ready i1 v7",      "10: D i0 loses 1",
              "10: left i2 w1 free", "10: now w1 free",
              "10: ready i2",        "16: D i1 loses 1",
              "16: left i3 w1 free", "16: now w1 free",
              "16: ready i3",        "20: 16 cycles, 54 entry cycles: 6 4 6 0"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({1}, {2, 3}));
            b.bring(1, i0, 0, 5);
            b.bring(2, i0, 1, 6);
            b.dispatch(3, i0);
            Instruction* i1 = b.give(4, alu({4}, {5}));
            b.bring(6, i1, 0, 7);
            b.dispatch(7, i1);
            b.dispatch(11, b.give(10, alu({}, {})));
            b.dispatch(17, b.give(16, alu({}, {})));
            b.at(20, [&b] {
              StatisticsGroup all;
              b.module().register_statistics(all);
              std::string text = std::to_string(all.sum("window_cycles")) + " cycles, " +
                                 std::to_string(all.sum("window_entry_cycles")) + " entry cycles:";
              for (const char* part : {"quarter", "half", "three_quarters", "full"})
                text += ' ' + std::to_string(all.sum(std::string("occupancy_") + part));
              b.note(b.next(), text);
            });
          });
}

TEST_CASE("BOC sockets: the time of instructions is split by what they wait for") {
  // Three at once have latches of their own: i1 moves in 8 and is dispatched in 10.
  collect(boc(),
          {"0: now w1 free", "0: read R2.0", "0: read R3.1", "5: left i0 w1 free", "5: ready i0 v5 v6",
           "6: now w1 free", "6: read R4.0", "7: left i1 w1 free", "7: ready i1 v7", "20: 11 cycles: 6 0 5",
           "20: instructions 2, source_operands 3"},
          wait_for_all);
}

TEST_CASE("BOC sockets: one at a time waits for the only latch") {
  CollectorParameters p = boc();
  p.kind.as<BocChoice>().in_flight = InFlight::one;
  collect(p,
          {"0: now w1 busy", "0: read R2.0", "0: read R3.1", "5: left i0 w1 free", "5: ready i0 v5 v6",
           "6: now w1 busy", "6: read R4.0", "7: complete i1", "9: left i1 w1 free", "9: ready i1 v7",
           "20: 11 cycles: 6 2 3", "20: instructions 2, source_operands 3"},
          wait_for_all);
}

TEST_CASE("BOC sockets: a memory instruction waits for the older ones of its warp") {
  // The second has no operands, and leaves with the first, in 6.
  collect(boc(),
          {"0: now w1 free", "0: read R2.0", "1: now w1 free", "5: left i0 w1 free", "5: left i1 w1 free",
           "5: ready i0 v5", "5: ready i1", "20: 10 cycles: 5 4 1"},
          [](CollectorBench& b) {
            Instruction *i0 = b.give(0, store({2}, 0)), *i1 = b.give(1, store({}, 0));
            b.bring(5, i0, 0, 5);
            b.dispatch(6, i0);
            b.dispatch(7, i1);
            b.note_times(20);
          });
}

TEST_CASE("BOC sockets: the watchdog hears of instructions and of values for the banks") {
  // In 12 i2 waits for R1, i3 for i1's latch, and the R1 that slid out in 9 for its bank. By 20 all have
  // gone.
  collect(write_back(2),
          {"0: D i0 keeps 1", "0: left i0 w1 free", "0: now w1 free", "0: ready i0", "7: left i1 w1 free",
           "7: now w1 free", "7: ready i1", "9: now w1 free", "9: read R1.0", "10: now w1 busy",
           "12: 1 values wait to be written back", "12: w1, pc 0x20 waits for 1 operands",
           "12: w1, pc 0x30 waits for dispatch", "14: left i2 w1 free", "14: ready i2 v11",
           "16: left i3 w1 free", "16: ready i3"},
          [](CollectorBench& b) {
            b.banks->react = [](OperandTransfer&) {};  // keeps the value waiting
            Instruction* i0 = b.give(0, alu({1}, {}));
            b.dispatch(1, i0);
            b.result(5, result_of(1, 11));
            Instruction* i1 = b.give(7, alu({}, {}));
            Instruction* i2 = b.give(9, alu({}, {1}));
            b.give(10, alu({}, {}));
            b.note_waiting(12, b.module());
            b.bring(14, i2, 0, 11);
            b.dispatch(16, i1);
            b.at(18, [&b] {
              OperandTransfer written;
              written.stamp = b.next();
              b.banks->in.credit(written);
            });
            b.note_waiting(20, b.module());
          });
}

TEST_CASE("BOC: parts of the window and of the table of operands, counted by hand") {
  // An entry has valid, ready, and one of three instructions. Such an instruction has six slots, with valid,
  // ready, and one of twelve entries.
  CHECK(hardware(boc()) == Rows{"window: 12 x 1024, 3 ports", "window_tags: 12 x 8, 1 ports",
                                "window_state: 12 x 4, 1 ports", "operand_table: 18 x 6, 1 ports"});
  // The entry has a dirty bit, too, and the window has five instructions, of which one is here at a time.
  CollectorParameters p = write_back(5);
  p.kind.as<BocChoice>().in_flight = InFlight::one;
  p.slots = 4;
  CHECK(hardware(p) == Rows{"window: 12 x 1024, 3 ports", "window_tags: 12 x 8, 1 ports",
                            "window_state: 12 x 6, 1 ports", "operand_table: 4 x 6, 1 ports"});
}

}  // namespace boc_socket_test
