// The operand cache between test sockets, with policies that make it do all it can. Transfers to it in t
// count from t+1 on; reads are answered, or passed on, in the cycle in which they come.
#include "subcore/model/passes/annotation.h"
#include "subcore/modules/operand_cache/operand_cache.h"
#include "tests/module/socket_kit.h"

namespace operand_cache_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Two collectors, two units, two warp slots. The script answers misses, and frees results and write-backs.
struct CacheBench : SocketBench {
  CacheBench(const sc_core::sc_module_name& name, TickOrder order, const OperandCacheParameters& p)
      : SocketBench(name, order),
        cache("cache", 2, 2, 2, p),
        write_back("write_back"),
        prefetch("prefetch"),
        prefetched("prefetched"),
        scheduler("scheduler") {
    add(cache);
    for (unsigned c = 0; c < 2; ++c) {
      readers.emplace_back(numbered("reader", c).c_str()).out.bind(cache.read_socket[c]);
      crossbar.emplace_back(numbered("crossbar", c).c_str()).out.bind(cache.fill_socket[c]);
      cache.miss_socket[c].bind(misses.emplace_back(numbered("miss", c).c_str()).in);
      cache.source_socket[c].bind(ports.emplace_back(numbered("port_s", c).c_str()).in);
      misses[c].react = [=](OperandTransfer& t) { note(t.stamp, numbered("miss c", c) + place(t)); };
      ports[c].react = [=](OperandTransfer& t) {
        note(t.stamp, numbered("to c", c) + place(t) + numbered(" v", t.version.write));
      };
      units.emplace_back(numbered("unit", c).c_str()).out.bind(cache.result_socket[c]);
      units[c].on_credit = [=](const ResultTransfer& t) { note(t.stamp, numbered("credit u", c)); };
      cache.bank_socket[c].bind(banks.emplace_back(numbered("banks", c).c_str()).in);
      banks[c].react = [=](ResultTransfer& t) {
        note(t.stamp,
             numbered("u", c) + numbered(" i", t.instruction->sequence) + numbered(" banks ", t.to_banks));
      };
    }
    cache.write_back_socket.bind(write_back.in);
    write_back.react = [=](OperandTransfer& t) {
      note(t.stamp,
           numbered("back s", t.warp_slot) + numbered(" R", t.reg) + numbered(" v", t.version.write));
    };
    cache.prefetch_socket.bind(prefetch.in);
    prefetch.react = [=](OperandTransfer& t) {
      note(t.stamp,
           numbered("fetch s", t.warp_slot) + numbered(" R", t.reg) + numbered(" for ", t.collector));
    };
    prefetched.out.bind(cache.prefetched_socket);
    scheduler.out.bind(cache.warp_socket);
    scheduler.on_update = [=](const WarpTransfer& t) { note(t.stamp, numbered("moved s", t.warp_slot)); };
  }
  static std::string place(const OperandTransfer& t) { return numbered(" R", t.reg) + numbered(".", t.slot); }
  // The versions of results are 10 more than their registers.
  Instruction* make(const Op& op, const Annotation* h = nullptr) {
    Op hinted = op;
    hinted.code.annotation = h;
    Instruction* i = instructions.add(hinted);
    for (unsigned d = 0; d < i->destination_count; ++d) i->produced[d] = i->destination(d) + 10u;
    return i;
  }
  OperandTransfer operand(Instruction* i, unsigned s, std::uint32_t v) {
    OperandTransfer o;
    o.instruction = i;
    o.version = {v};
    o.reg = i->source(s);
    o.slot = static_cast<std::uint8_t>(s);
    return o;
  }
  void read(Cycle t, unsigned c, Instruction* i, unsigned s = 0) {
    at(t, [=] { readers[c].send(operand(i, s, 0), next()); });
  }
  void fill(Cycle t, unsigned c, Instruction* i, std::uint32_t v) {
    at(t, [=] { crossbar[c].send(operand(i, 0, v), next()); });
  }
  void result(Cycle t, unsigned u, Instruction* i) {
    at(t, [=] { units[u].send({0, i}, next()); });
  }
  void tell(Cycle t, WarpTransfer::Kind kind, Instruction* i, std::uint16_t slot = 0) {
    at(t, [=] { scheduler.send({0, i, slot, kind}, next()); });
  }
  // A value of slot 0 that the cache wrote back is in the banks.
  void written(Cycle t) {
    at(t, [=] {
      OperandTransfer credit;
      credit.stamp = next();
      write_back.in.credit(credit);
    });
  }
  void answer(Cycle t, Register r, std::uint32_t v, Cycle stamp) {
    at(t, [=] {
      OperandTransfer o;
      o.reg = r;
      o.version = {v};
      prefetched.send(o, stamp);
    });
  }
  OperandCache& module() { return cache; }

  OperandCache cache;
  Senders<OperandTransfer> readers, crossbar;
  Sinks<OperandTransfer> misses, ports;
  Senders<ResultTransfer> units;
  Sinks<ResultTransfer> banks;
  Sink<OperandTransfer> write_back, prefetch;
  Sender<OperandTransfer> prefetched;
  Sender<WarpTransfer> scheduler;
  // Makes the annotation of an instruction in an interval with these registers.
  Annotation* interval(const Registers& registers) {
    RegisterSet& set = sets.emplace_back();
    for (const Register r : registers) set.set(r);
    Annotation& annotation = annotations.emplace_back();
    annotation.working_set = &set;
    return &annotation;
  }

  std::deque<Annotation> annotations;
  std::deque<RegisterSet> sets;
};

void play(const char* kind, std::uint32_t entries, std::uint32_t hit_latency, const Rows& rows,
          const std::function<void(CacheBench&)>& script) {
  OperandCacheParameters p;
  p.kind = kind;
  p.entries = entries;
  p.hit_latency = hit_latency;
  expect<CacheBench>(rows, script, p);
}

}  // namespace

TEST_CASE("operand cache sockets: a result is a hit from its cycle on, after the latency of a hit") {
  // The warp is active from 1 on. i0's result was asked about in 0, before that, so it goes to the banks and
  // not here. R2 is here from 3 on: a miss in 2, and in 3 a hit that may be used in 5. Values from the banks
  // pass in their cycle.
  play("rfc", 2, 1,
       {"0: u1 i0 banks 255", "1: moved s0", "2: miss c0 R2.0", "2: u0 i1 banks 0", "3: miss c1 R6.1",
        "3: to c0 R2.0 v12 from 5", "4: to c1 R6.0 v3", "5: credit u0", "5: credit u1"},
       [](CacheBench& b) {
         b.result(0, 1, b.make(alu({6}, {})));
         Instruction *one = b.make(alu({2}, {})), *user = b.make(alu({}, {2, 6})),
                     *other = b.make(alu({}, {6}));
         b.tell(0, WarpTransfer::Kind::enters, one);
         b.read(2, 0, user);
         b.result(2, 0, one);
         b.read(3, 0, user);
         b.read(3, 1, user, 1);
         b.fill(4, 1, other, 3);
         for (const unsigned u : {0u, 1u}) {
           b.at(5, [=, &b] {
             ResultTransfer credit{6, nullptr};
             b.banks[u].in.credit(credit);
           });
         }
       });
}

TEST_CASE("operand cache sockets: results of a cycle by unit, partial ones first, and a warp that leaves") {
  // R2 of u0 and R3 of u1 come in 3 and fill the cache, R2 the older. In 5 the partial R2 completes what is
  // here before R4 pushes it out. In 7 the new R3 is written before the warp leaves with it. Three values are
  // on their way; the last is in the banks as of 12. Results that come afterwards go to the banks.
  play("rfc", 2, 1,
       {"1: moved s0", "2: u0 i0 banks 0", "2: u1 i1 banks 0", "4: u0 i2 banks 0", "4: u1 i3 banks 255",
        "5: back s0 R2 v22", "6: u0 i4 banks 0", "7: back s0 R3 v33", "7: back s0 R4 v14", "7: miss c0 R3.0",
        "8: u0 i5 banks 255", "11: moved s0"},
       [](CacheBench& b) {
         Instruction *i0 = b.make(alu({2}, {})), *i1 = b.make(alu({3}, {})), *i2 = b.make(alu({4}, {})),
                     *i3 = b.make(alu({2}, {}).with_mask(0xff)), *i4 = b.make(alu({3}, {})),
                     *i5 = b.make(alu({6}, {3}));
         i3->produced[0] = 22;
         i4->produced[0] = 33;
         b.tell(0, WarpTransfer::Kind::enters, i0);
         b.result(2, 1, i1);
         b.result(2, 0, i0);
         b.result(4, 0, i2);
         b.result(4, 1, i3);
         b.tell(6, WarpTransfer::Kind::leaves, nullptr);
         b.result(6, 0, i4);
         b.read(7, 0, i5);
         b.result(8, 0, i5);
         for (const Cycle t : {8, 9, 11}) b.written(t);
       });
}

TEST_CASE("operand cache sockets: a warp with nothing to write back has left at once") {
  play("rfc", 2, 1, {"1: moved s1", "5: moved s1"}, [](CacheBench& b) {
    b.tell(0, WarpTransfer::Kind::enters, b.make(alu({}, {})), 1);
    b.tell(4, WarpTransfer::Kind::leaves, nullptr, 1);
  });
}

TEST_CASE("operand cache sockets: an interval's registers are fetched, and it has settled with the last") {
  // R3 is here from 3 on, R2 from 7, which is told as of 8. Hits take no time of their own here. i1's result
  // R5 is no member and goes to the banks. The next interval has R3 and R6: R2, dirty, goes back, and R6
  // alone is asked for; it is here from 13 on, before R2 is in its bank.
  play("ltrf", 4, 0,
       {"1: fetch s0 R2 for 2", "1: fetch s0 R3 for 2", "2: miss c0 R3.1", "3: to c0 R3.1 v9",
        "6: miss c0 R2.0", "7: moved s0", "7: to c0 R2.0 v8", "8: u0 i1 banks 2", "11: back s0 R2 v12",
        "11: fetch s0 R6 for 2", "13: moved s0"},
       [](CacheBench& b) {
         Annotation *first = b.interval({2, 3}), *second = b.interval({3, 6});
         Instruction *i0 = b.make(alu({}, {2, 3}), first), *i1 = b.make(alu({2, 5}, {}), first),
                     *i2 = b.make(alu({}, {6}), second);
         b.tell(0, WarpTransfer::Kind::enters, i0);
         b.answer(2, 3, 9, 3);
         b.read(2, 0, i0, 1);
         b.read(3, 0, i0, 1);
         b.answer(4, 2, 8, 7);
         b.read(6, 0, i0, 0);
         b.read(7, 0, i0, 0);
         b.result(8, 0, i1);
         b.tell(10, WarpTransfer::Kind::enters, i2);
         b.answer(12, 6, 1, 13);
         b.written(14);
       });
}

TEST_CASE("operand cache sockets: the watchdog hears of registers that move") {
  // R2 and R3 are asked for in 1 and are here in 6. For the next interval the dirty R2 goes back in 11, and
  // R6 is asked for.
  play("ltrf", 4, 0,
       {"1: fetch s0 R2 for 2", "1: fetch s0 R3 for 2",
        "3: s0: 0 registers on their way to the banks, 2 on their way from them", "6: moved s0",
        "8: u0 i1 banks 0", "11: back s0 R2 v12", "11: fetch s0 R6 for 2",
        "12: s0: 1 registers on their way to the banks, 1 on their way from them", "14: moved s0"},
       [](CacheBench& b) {
         Annotation *first = b.interval({2, 3}), *second = b.interval({3, 6});
         Instruction *i0 = b.make(alu({}, {2, 3}), first), *i1 = b.make(alu({2}, {}), first),
                     *i2 = b.make(alu({}, {6}), second);
         b.tell(0, WarpTransfer::Kind::enters, i0);
         b.note_waiting(3, b.cache);
         b.answer(4, 3, 9, 5);
         b.answer(5, 2, 8, 6);
         b.result(8, 0, i1);
         b.tell(10, WarpTransfer::Kind::enters, i2);
         b.note_waiting(12, b.cache);
         b.answer(13, 6, 1, 14);
         b.written(16);
         b.note_waiting(20, b.cache);
       });
}

TEST_CASE("operand cache sockets: an operand from the banks is kept from the cycle on in which it is there") {
  // i0 misses R2 and is to keep it. The bank's answer is here from 3 on. i1 and i2 are to find R2.
  play("software_rfc", 3, 1,
       {"0: miss c0 R2.0", "2: miss c1 R2.0", "2: to c0 R2.0 v5", "3: to c1 R2.0 v5 from 5"},
       [](CacheBench& b) {
         Annotation *keeps = &b.annotations.emplace_back(), *finds = &b.annotations.emplace_back();
         keeps->keep_source = 1;
         keeps->keep_entry[0] = 1;
         finds->read_from[0] = {OperandLevel::orf, 1};
         Instruction *i0 = b.make(alu({}, {2}), keeps), *i1 = b.make(alu({}, {2}), finds);
         b.at(0, [=, &b] {  // an issued instruction is told after its reads
           b.readers[0].send(b.operand(i0, 0, 0), 1);
           b.scheduler.send({0, i0, 0, WarpTransfer::Kind::issued}, 1);
         });
         b.fill(2, 0, i0, 5);
         b.read(2, 1, i1);
         b.read(3, 1, i1);
       });
}

TEST_CASE("operand cache sockets: a value that an issued load completes in the banks goes there at once") {
  // R2 is here from 3 on. A load of some lanes of R2 issues in 5, and its result will not come here.
  play("rfc", 2, 1, {"1: moved s0", "2: u0 i0 banks 0", "5: back s0 R2 v12"}, [](CacheBench& b) {
    Instruction *i0 = b.make(alu({2}, {})), *part = b.make(load({2}, {}, 0x100).with_mask(0xff));
    b.tell(0, WarpTransfer::Kind::enters, i0);
    b.result(2, 0, i0);
    b.tell(5, WarpTransfer::Kind::issued, part);
    b.written(8);
  });
}

TEST_CASE("operand cache sockets: results are used once they are read, and unused when they go unread") {
  // R2, here since 3, is read in 3. R4 pushes it out in 6; R3 and R4 go unread with their warp in 10.
  play("rfc", 2, 1,
       {"1: moved s0", "2: u0 i0 banks 0", "3: to c0 R2.0 v12 from 5", "4: u0 i1 banks 0", "5: u0 i2 banks 0",
        "6: back s0 R2 v12", "8: used 1, unused 0, left 2", "10: back s0 R3 v13", "10: back s0 R4 v14",
        "14: moved s0", "20: used 1, unused 2, left 0"},
       [](CacheBench& b) {
         Instruction *i0 = b.make(alu({2}, {})), *i1 = b.make(alu({3}, {})), *i2 = b.make(alu({4}, {}));
         b.tell(0, WarpTransfer::Kind::enters, i0);
         b.result(2, 0, i0);
         b.read(3, 0, b.make(alu({}, {2})));
         b.result(4, 0, i1);
         b.result(5, 0, i2);
         b.note_use(8, b.cache);
         b.tell(9, WarpTransfer::Kind::leaves, nullptr);
         for (const Cycle t : {12, 13, 14}) b.written(t);
         b.note_use(20, b.cache);
       });
}

TEST_CASE("operand cache sockets: hits of a collector pass its port one by one") {
  // R2 and R3 are here from 3 on. In 4 c0 asks for both and c1 for R3; c0's second hit waits a cycle. In 5 c0
  // has its second one due when the next would come.
  play("rfc", 4, 1,
       {"1: moved s0", "2: u0 i0 banks 0", "4: to c0 R2.0 v12 from 6", "4: to c0 R3.1 v13 from 7",
        "4: to c1 R3.1 v13 from 6", "5: to c0 R2.0 v12 from 8", "9: to c0 R2.0 v12 from 11", "19: waits 2"},
       [](CacheBench& b) {
         Instruction *both = b.make(alu({2, 3}, {})), *reads = b.make(alu({}, {2, 3}));
         b.tell(0, WarpTransfer::Kind::enters, both);
         b.result(2, 0, both);
         b.at(4, [=, &b] {
           for (const unsigned s : {0u, 1u}) b.readers[0].send(b.operand(reads, s, 0), 5);
         });
         b.read(4, 1, reads, 1);
         b.read(5, 0, reads, 0);
         b.read(9, 0, reads, 0);
         b.at(19, [&b] {
           StatisticsGroup all;
           b.cache.register_statistics(all);
           b.note(20, numbered("waits ", all.sum("hit_waits")));
         });
       });
}

TEST_CASE("operand cache sockets: a hit whose value is on its way comes when that does") {
  // i0 misses R2, which is to be kept. i1 asks for R2 in 1 and gets the value a cycle after the cache has it.
  // The cache gives R2 to i2 in 5. i3 belongs to another warp. Its operand comes first, in the same slot, and
  // is not what i1 waits for.
  play("near", 2, 1,
       {"0: miss c0 R2.0", "0: miss c1 R6.0",
        "2: R2 of w1 is asked for while the banks are bringing this register to an older "
        "instruction",
        "2: to c1 R6.0 v9", "3: to c0 R2.0 v5", "4: to c1 R2.0 v5", "5: to c1 R2.0 v5 from 7",
        "21: cache_read_hits 2, early_hits 1, misses 2, fills 1"},
       [](CacheBench& b) {
         Instruction *i0 = b.make(alu({}, {2})), *i1 = b.make(alu({}, {2})), *i2 = b.make(alu({}, {2})),
                     *i3 = b.make(alu({}, {6}));
         for (Instruction* i : {i0, i1, i2}) i->source_near = 1, i->followed = true;
         i3->followed = true;
         i3->warp_uid = 2;
         i3->warp_slot = 1;
         const auto issue = [&b](Cycle t, unsigned c, Instruction* i) {
           b.at(t, [=, &b] {  // an issued instruction is told after its reads
             b.readers[c].send(b.operand(i, 0, 0), t + 1);
             b.scheduler.send({0, i, 0, WarpTransfer::Kind::issued}, t + 1);
           });
         };
         issue(0, 0, i0);
         issue(0, 1, i3);
         issue(1, 1, i1);
         b.fill(2, 1, i3, 9);
         b.fill(3, 0, i0, 5);
         issue(5, 1, i2);
         for (const Cycle t : {2, 20}) b.note_waiting(t, b.cache);
         b.note_counters(21, b.cache, {"cache_read_hits", "early_hits", "misses", "fills"});
       });
}

}  // namespace operand_cache_socket_test
