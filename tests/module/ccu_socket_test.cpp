// A caching collector between test sockets. Operands that an instruction read, and results that came on port
// D, are there for later instructions of the same warp.
#include <optional>

#include "subcore/model/passes/annotation.h"
#include "subcore/modules/collector/ccu.h"
#include "tests/module/collector_kit.h"

namespace ccu_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {
CollectorParameters ccu(std::uint32_t entries = 8) {
  CollectorParameters p;
  p.kind = "ccu";
  p.entries = entries;
  p.kind.as<CcuChoice>().replacement = "lru";
  return p;
}
CollectorParameters writing_back(std::uint32_t entries) {
  CollectorParameters p = ccu(entries);
  p.kind.as<CcuChoice>().write_back = true;
  return p;
}
// A result that the banks do not get.
DestinationTransfer only(Register r, std::uint32_t version, std::uint32_t warp = 1) {
  DestinationTransfer d = result_of(r, version);
  d.only_copy = true;
  d.warp_uid = warp;
  return d;
}

// A caching collector that keeps the value that its table gave up last.
class Victim final : public Ccu {
 public:
  using Ccu::Ccu;

 private:
  bool recall(const Warp&, Register r, Operand& found, Cycle) override {
    if (!kept_ || kept_->reg != r) return false;
    found = *kept_;
    kept_.reset();
    return true;
  }
  void evicted(const Warp&, const Operand& o, Cycle) override { kept_ = o; }
  std::optional<Operand> kept_;
};
class VictimChoice final : public CcuChoice {
 public:
  OtherOperands other_operands() const override { return 1; }
  Collector* make(const char* name, const CollectorParameters& p, const CollectorSite& site) const override {
    return new Victim(name, p, *this, site);
  }
};
}  // namespace

TEST_CASE("CCU sockets: misses, hits, and a change of warp") {
  // i1 hits R3 and misses R4. i2 hits both and is ready in its own cycle, so busy and free again are both
  // told in 9. Warp 2 does not find R2, and the arbiter is told of each holder, once.
  collect(ccu(),
          {"0: D w1 since 1", "0: now w1 busy", "0: read R2.0", "0: read R3.1", "3: left i0 w1 free",
           "3: ready i0 v5 v7", "6: now w1 busy", "6: read R4.1", "7: left i1 w1 free", "7: ready i1 v7 v1",
           "9: left i2 w1 free", "9: now w1 busy", "9: ready i2 v5 v1", "12: D w2 since 13",
           "12: now w2 busy", "12: read R2.0", "13: left i3 w2 free", "13: ready i3 v6"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2, 3}));
            b.bring(2, i0, 1, 7);
            b.bring(3, i0, 0, 5);
            b.dispatch(4, i0);
            Instruction* i1 = b.give(6, alu({}, {3, 4}));
            b.bring(7, i1, 1, 1);
            b.dispatch(8, i1);
            Instruction* i2 = b.give(9, alu({}, {2, 4}));
            b.dispatch(10, i2);
            Instruction* i3 = b.give(12, alu({}, {2}), 2);
            b.bring(13, i3, 0, 6);
          });
}

TEST_CASE("CCU sockets: hits wait for the latch behind them") {
  // i1 hits everything in 3, but i0 leaves the latch in 6: announced in 6, as of 7.
  collect(ccu(),
          {"0: D w1 since 1", "0: now w1 busy", "0: read R2.0", "2: left i0 w1 free", "2: ready i0 v5",
           "3: complete i1", "3: now w1 busy", "6: left i1 w1 free", "6: ready i1 v5"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2}));
            b.bring(2, i0, 0, 5);
            b.give(3, alu({}, {2}));
            b.dispatch(6, i0);
          });
}

TEST_CASE(
    "CCU sockets: a result is there in the cycle after it was sent, and the scheduler hears of near values") {
  // R9 is sent in 4 and is there in 5, near, so the status changes as of 6. Instruction i1, issued in 5,
  // finds R9, which is far after a far use. R2 is outdated in 9 for i2, which issues in 9 and reads R2 again.
  collect(ccu(),
          {"0: D w1 since 1", "0: now w1 busy", "0: read R2.0", "2: left i0 w1 free", "2: ready i0 v5",
           "5: left i1 w1 free", "5: now w1 busy", "5: now w1 near free", "5: ready i1 v19", "9: now w1 busy",
           "9: read R2.0", "10: left i2 w1 free", "10: ready i2 v6 v19"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({9}, {2}));
            b.bring(2, i0, 0, 5);
            b.dispatch(3, i0);
            b.result(4, result_of(9, 19, true));
            Instruction* i1 = b.give(5, alu({}, {9}));
            b.dispatch(6, i1);
            b.result(8, outdated(2));
            Instruction* i2 = b.give(9, alu({}, {2, 9}));
            b.bring(10, i2, 0, 6);
          });
}

TEST_CASE("CCU sockets: a kind that keeps what the table gives up gives it back, and only that") {
  // The table has two entries. i2's R4 takes the entry of R2, which goes beside the table. i3 gets R2 back,
  // for which R3 leaves. i4 gets R3 back. A result of eight lanes makes an entry for R9, which goes beside
  // the table for i5's R5. Then i6 gets R9 back with its eight lanes, and i7 finds R9 in the table.
  CollectorChoice::choices().add<VictimChoice>("one_victim", "keeps one value beside the cache table");
  CollectorParameters p;
  p.kind = "one_victim";
  p.entries = 2;
  p.partial_write = PartialWrite::ignore;
  p.kind.as<VictimChoice>().replacement = "lru";
  collect(p, {"0: D w1 since 1",     "0: now w1 busy",
              "0: read R2.0",        "1: left i0 w1 free",
              "1: ready i0 v5",      "4: now w1 busy",
              "4: read R3.0",        "5: left i1 w1 free",
              "5: ready i1 v6",      "8: now w1 busy",
              "8: read R4.0",        "9: left i2 w1 free",
              "9: ready i2 v7",      "12: left i3 w1 free",
              "12: now w1 busy",     "12: ready i3 v5",
              "16: left i4 w1 free", "16: now w1 busy",
              "16: ready i4 v6",     "18: cache_read_hits 2, incomplete_hits 0",
              "22: now w1 busy",     "22: read R5.1",
              "23: left i5 w1 free", "23: ready i5 v6 v8",
              "26: left i6 w1 free", "26: now w1 busy",
              "26: ready i6 v19",    "28: cache_read_hits 4, incomplete_hits 1",
              "30: left i7 w1 free", "30: now w1 busy",
              "30: ready i7 v19",    "32: cache_read_hits 5, incomplete_hits 2"},
          [](CollectorBench& b) {
            for (unsigned n = 0; n < 3; ++n) {
              Instruction* i = b.give(4 * n, alu({}, {static_cast<Register>(2 + n)}));
              b.bring(4 * n + 1, i, 0, 5 + n);
              b.dispatch(4 * n + 2, i);
            }
            b.dispatch(13, b.give(12, alu({}, {2})));
            b.dispatch(17, b.give(16, alu({}, {3})));
            b.result(19, result_of(9, 19, false, 0xff));
            Instruction* i5 = b.give(22, alu({}, {3, 5}));
            b.bring(23, i5, 1, 8);
            b.dispatch(24, i5);
            b.dispatch(27, b.give(26, alu({}, {9})));
            b.dispatch(31, b.give(30, alu({}, {9})));
            for (const Cycle t : {18, 28, 32})
              b.note_counters(t, b.module(), {"cache_read_hits", "incomplete_hits"});
          });
}

TEST_CASE("CCU sockets: results do not push out operands that are being collected") {
  // Three entries: R2 and R3 are locked from 0 on, R9 takes the third and R10 has to take it from R9. So i1
  // hits R2 and R10, and i2 misses R9.
  collect(ccu(3),
          {"0: D w1 since 1", "0: now w1 busy", "0: read R2.0", "0: read R3.1", "6: left i0 w1 free",
           "6: ready i0 v5 v6", "8: left i1 w1 free", "8: now w1 busy", "8: ready i1 v5 v20",
           "10: now w1 busy", "10: read R9.0", "11: left i2 w1 free", "11: ready i2 v19"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2, 3}));
            b.result(1, result_of(9, 19));
            b.result(2, result_of(10, 20));
            b.bring(5, i0, 0, 5);
            b.bring(6, i0, 1, 6);
            b.dispatch(7, i0);
            Instruction* i1 = b.give(8, alu({}, {2, 10}));
            b.dispatch(9, i1);
            Instruction* i2 = b.give(10, alu({}, {9}));
            b.bring(11, i2, 0, 19);
          });
}

TEST_CASE("CCU sockets: a result for an operand that is being collected is an error") {
  CHECK_THROWS_WITH(collect(ccu(), {},
                            [](CollectorBench& b) {
                              b.give(0, alu({}, {2}));
                              b.result(2, result_of(2, 12));
                            }),
                    Catch::Contains("a result hit an operand that is still being collected"));
}

TEST_CASE("CCU sockets: results of some lanes, and results that come late") {
  // R9 is not here, because some lanes make no entry. R2 is here, and is completed. In 7 the collector goes
  // to warp 2. R4, sent for 7, goes with the other values of warp 1, and R5, sent for 8, is not taken.
  collect(ccu(),
          {"0: D w1 since 1", "0: now w1 busy", "0: read R2.0", "1: left i0 w1 free", "1: ready i0 v5",
           "4: now w1 busy", "4: read R9.1", "5: left i1 w1 free", "5: ready i1 v12 v3", "7: D w2 since 8",
           "7: now w2 busy", "7: read R4.0", "7: read R5.1", "9: left i2 w2 free", "9: ready i2 v1 v2"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2}));
            b.bring(1, i0, 0, 5);
            b.dispatch(2, i0);
            b.at(2, [&b] {
              b.port_d->send(result_of(9, 19, false, 0xff), 3);
              b.port_d->send(result_of(2, 12, false, 0xff), 3);
            });
            Instruction* i1 = b.give(4, alu({}, {2, 9}));
            b.bring(5, i1, 1, 3);
            b.dispatch(6, i1);
            b.result(6, result_of(4, 14));
            Instruction* i2 = b.give(7, alu({}, {4, 5}), 2);
            b.result(7, result_of(5, 15));
            b.bring(8, i2, 0, 1);
            b.bring(9, i2, 1, 2);
          });
}

TEST_CASE("CCU sockets: a hit is incomplete where the entry lacks a lane that is read") {
  // Without care for lanes, a result of eight lanes makes the entry of R9. Instruction i1 reads these eight
  // lanes, i2 half of them, i3 more than them, and i4 other lanes, and R2, which is whole.
  CollectorParameters p = ccu();
  p.partial_write = PartialWrite::ignore;
  const auto reads = [](std::uint32_t mask, const Registers& sources) {
    return alu({}, sources).with_mask(mask);
  };
  collect(p, {"0: D w1 since 1",     "0: now w1 busy",     "0: read R2.0",        "1: left i0 w1 free",
              "1: ready i0 v5",      "6: left i1 w1 free", "6: now w1 busy",      "6: ready i1 v19",
              "8: left i2 w1 free",  "8: now w1 busy",     "8: ready i2 v19",     "9: 0 incomplete",
              "10: left i3 w1 free", "10: now w1 busy",    "10: ready i3 v19",    "11: 1 incomplete",
              "12: left i4 w1 free", "12: now w1 busy",    "12: ready i4 v5 v19", "13: 2 incomplete"},
          [&](CollectorBench& b) {
            const auto note = [&b](Cycle t) {
              b.at(t, [&b] {
                StatisticsGroup all;
                b.module().register_statistics(all);
                b.note(b.next(), std::to_string(all.sum("incomplete_hits")) + " incomplete");
              });
            };
            Instruction* i0 = b.give(0, alu({}, {2}));
            b.bring(1, i0, 0, 5);
            b.dispatch(2, i0);
            b.result(4, result_of(9, 19, false, 0xff));
            b.dispatch(7, b.give(6, reads(0xff, {9})));
            b.dispatch(9, b.give(8, reads(0x0f, {9})));
            note(9);
            b.dispatch(11, b.give(10, reads(0x1ff, {9})));
            note(11);
            b.dispatch(13, b.give(12, reads(0xff00, {2, 9})));
            note(13);
          });
}

TEST_CASE("CCU sockets: results are used once they are read, and unused when they go unread") {
  // R9 is read in 6, and its next value comes in 9. R10 comes in 11, R11 in 13 in the place of R2, and R12 in
  // 15 in the place of R9. R10 is outdated in 17. Warp 2 ends R11 and R12 in 22.
  collect(ccu(3),
          {"0: D w1 since 1", "0: now w1 busy", "0: read R2.0", "2: left i0 w1 free", "2: ready i0 v5",
           "6: left i1 w1 free", "6: now w1 busy", "6: ready i1 v19", "20: used 1, unused 2, left 2",
           "22: D w2 since 23", "22: left i2 w2 free", "22: now w2 busy", "22: ready i2",
           "30: used 1, unused 4, left 0"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({9}, {2}));
            b.bring(2, i0, 0, 5);
            b.dispatch(3, i0);
            b.result(4, result_of(9, 19));
            Instruction* i1 = b.give(6, alu({}, {9}));
            b.dispatch(7, i1);
            b.result(8, result_of(9, 20));
            b.result(10, result_of(10, 20));
            b.result(12, result_of(11, 21));
            b.result(14, result_of(12, 22));
            b.result(16, outdated(10));
            b.note_use(20, b.module());
            Instruction* i2 = b.give(22, alu({}, {}), 2);
            b.dispatch(24, i2);
            b.note_use(30, b.module());
          });
}

TEST_CASE("CCU sockets: with write-back a result goes to the banks when it leaves, unless it is dead") {
  // The table has three entries. R10 and R11 leave for R12 and R13, and go to the banks. R9, which was read
  // for the last time in 9, leaves for R14 and does not go there. Nor does R12, which is outdated in 17. Warp
  // 2 sends R13 and R14 to the banks in 19, and R15 of warp 1 comes late. Warp 2 has no further instruction,
  // so no value of warp 2 is needed any more.
  Annotation last;
  last.last_use = 1;
  collect(writing_back(3),
          {"0: D w1 since 1",
           "0: now w1 busy",
           "0: read R2.0",
           "1: left i0 w1 free",
           "1: ready i0 v5",
           "9: left i1 w1 free",
           "9: now w1 busy",
           "9: ready i1 v19",
           "11: back R10 v20",
           "13: back R11 v21",
           "19: D w2 since 20",
           "19: back R13 v23",
           "19: back R14 v24",
           "19: left i2 w2 free",
           "19: now w2 busy",
           "19: ready i2",
           "20: back R15 v25",
           "25: D w3 since 26",
           "25: left i3 w3 free",
           "25: now w3 busy",
           "25: ready i3",
           "30: only_copies 8, dead_copies 3, late_results 1, flushes 2",
           "31: cache_writes 7, result_allocations 7, invalidations 1"},
          [&](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2}));
            i0->followed = true;
            b.bring(1, i0, 0, 5);
            b.dispatch(2, i0);
            b.result(2, only(9, 19));
            b.result(4, only(10, 20));
            b.result(6, only(11, 21));
            Op reads = alu({}, {9});
            reads.code.annotation = &last;
            Instruction* i1 = b.give(9, reads);
            i1->followed = true;
            b.dispatch(10, i1);
            b.result(10, only(12, 22));
            b.result(12, only(13, 23));
            b.result(14, only(14, 24));
            b.result(16, outdated(12));
            Instruction* i2 = b.give(19, alu({}, {}), 2);
            b.dispatch(20, i2);
            b.result(19, only(15, 25));
            b.result(22, only(5, 15, 2));
            b.give(25, alu({}, {}), 3);
            b.note_counters(30, b.module(), {"only_copies", "dead_copies", "late_results", "flushes"});
            b.note_counters(31, b.module(), {"cache_writes", "result_allocations", "invalidations"});
          });
}

TEST_CASE("CCU sockets: with write-back an outdated value does not go to the banks to make room") {
  // R12 and R13 make room for themselves in the cycle in which R9 and R10 are outdated.
  collect(writing_back(3),
          {"0: D w1 since 1", "0: now w1 busy", "0: read R2.0", "1: left i0 w1 free", "1: ready i0 v5"},
          [&](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {2}));
            i0->followed = true;
            b.bring(1, i0, 0, 5);
            b.dispatch(2, i0);
            b.result(2, only(9, 19));
            b.result(4, only(10, 20));
            b.result(6, only(11, 21));
            b.result(8, only(12, 22));
            b.result(8, only(13, 23));
            b.result(8, outdated(9));
            b.result(8, outdated(10));
          });
}

TEST_CASE("CCU sockets: with write-back a late result of another warp does not outdate a value") {
  // Warp 2's R9 is here from 7 on. In 9 comes a result of warp 1 for a register of the same number. The R9 of
  // warp 2 goes to the banks when warp 3 comes.
  collect(writing_back(3),
          {"0: D w1 since 1", "0: left i0 w1 free", "0: now w1 busy", "0: ready i0", "4: D w2 since 5",
           "4: left i1 w2 free", "4: now w2 busy", "4: ready i1", "14: D w3 since 15", "14: back R9 v29",
           "14: left i2 w3 free", "14: now w3 busy", "14: ready i2", "20: late_results 1, dead_copies 0"},
          [](CollectorBench& b) {
            Instruction* i0 = b.give(0, alu({}, {}));
            b.dispatch(1, i0);
            Instruction* i1 = b.give(4, alu({}, {}), 2);
            i1->followed = true;
            b.dispatch(5, i1);
            b.result(6, only(9, 29, 2));
            b.result(8, result_of(9, 19));
            b.give(14, alu({}, {}), 3);
            b.note_counters(20, b.module(), {"late_results", "dead_copies"});
          });
}

TEST_CASE("CCU sockets: the time of instructions is split by what they wait for") {
  collect(ccu(),
          {"0: D w1 since 1", "0: now w1 busy", "0: read R2.0", "0: read R3.1", "5: left i0 w1 free",
           "5: ready i0 v5 v6", "6: now w1 busy", "6: read R4.0", "7: complete i1", "9: left i1 w1 free",
           "9: ready i1 v7", "20: 11 cycles: 6 2 3", "20: instructions 2, source_operands 3"},
          wait_for_all);
}

TEST_CASE("CCU: parts of the cache table and of the table of operands, counted by hand") {
  // An entry has valid, lock, reuse bit, and its place among eight. A slot has valid, ready, and one of eight
  // entries. The owner is valid, and one of 64 warps. Results come through one port.
  CollectorParameters p = ccu();
  CHECK(hardware(p) == Rows{"cache_table: 8 x 1024, 3 ports", "cache_table_tags: 8 x 8, 1 ports",
                            "cache_table_state: 8 x 6, 1 ports", "operand_table: 6 x 5, 1 ports",
                            "owner: 1 x 7, 1 ports"});
  // With write-back an entry has two bits more, and there are two ports for results.
  p = writing_back(16);
  p.kind.as<CcuChoice>().result_ports = 2;
  CHECK(hardware(p) == Rows{"cache_table: 16 x 1024, 4 ports", "cache_table_tags: 16 x 8, 1 ports",
                            "cache_table_state: 16 x 9, 1 ports", "operand_table: 6 x 6, 1 ports",
                            "owner: 1 x 7, 1 ports"});
}

}  // namespace ccu_socket_test
