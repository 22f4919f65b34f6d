// The arbiter between test sockets. Unless a test says otherwise, two banks: even registers in bank 0, odd
// ones in bank 1. A request or result that is sent in t takes part in t+1; "b0 reads" and "b0 writes" are the
// cycles of the grants.
#include "subcore/model/policy/steering/near_filter.h"
#include "subcore/model/policy/steering/window.h"
#include "subcore/modules/arbiter/arbiter.h"
#include "subcore/modules/fixed_window/fixed_window.h"
#include "tests/module/socket_kit.h"

namespace arbiter_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct Options {
  RegisterFileParameters file;
  Arbiter::Ports ports{2, 0, 2, 0};     // two collectors, two units
  Chosen<CollectorChoice> kind{"ocu"};  // makes the arbiter
  unsigned banks = 2;
  std::function<std::unique_ptr<ResultSteering>()> steering = [] { return nullptr; };
};

struct ArbiterBench : SocketBench {
  ArbiterBench(const sc_core::sc_module_name& name, TickOrder order, const Options& o)
      : SocketBench(name, order),
        made(o.kind->make_arbiter(o.file, o.ports, BankMap(o.banks, BankWarpId::subcore_local, 0, 1),
                                  o.steering(), false)),
        arbiter(*made),
        port_d("port_d"),
        retired("retired") {
    add(arbiter);
    for (unsigned c = 0; c < arbiter.read_socket.size(); ++c)
      readers.emplace_back(numbered("reader", c).c_str()).out.bind(arbiter.read_socket[c]);
    for (unsigned u = 0; u < o.ports.results; ++u) {
      units.emplace_back(numbered("unit", u).c_str()).out.bind(arbiter.result_socket[u]);
      units[u].on_credit = [=](const ResultTransfer& t) { note(t.stamp, numbered("credit u", u)); };
    }
    for (unsigned w = 0; w < o.ports.write_backs; ++w) {
      caches.emplace_back(numbered("cache", w).c_str()).out.bind(arbiter.write_back_socket[w]);
      caches[w].on_credit = [=](const OperandTransfer& t) {
        note(t.stamp, numbered("credit w", w) + numbered(" R", t.reg));
      };
    }
    for (auto& socket : arbiter.accumulator_socket) {
      products.emplace_back(numbered("product", products.size()).c_str()).out.bind(socket);
    }
    for (unsigned b = 0; b < o.banks; ++b) {
      arbiter.bank_socket[b].bind(banks.emplace_back(numbered("bank", b).c_str()).in);
      banks[b].react = [=](OperandTransfer& t) { note(t.stamp, numbered("b", b) + text(t)); };
    }
    arbiter.destination_socket.bind(port_d.in);
    port_d.react = [=](DestinationTransfer& t) {
      if (t.kind == DestinationTransfer::Kind::announced) return note(t.stamp, numbered("D hears R", t.reg));
      const bool drops = t.kind == DestinationTransfer::Kind::invalidate;
      std::string event = numbered("D c", t.collector) + (drops ? " drops" : " takes");
      event += numbered(" R", t.reg);
      if (!drops) {  // a drop has nothing more to say
        event += numbered(" v", t.version.write);
        if (t.near) event += " near";
        if (t.partial()) event += " partly";
      }
      note(t.stamp, event);
    };
    arbiter.retire_socket.bind(retired.in);
    retired.react = [=](RetireTransfer& t) { note(t.stamp, numbered("retire ", t.instruction->sequence)); };
  }
  static std::string text(const OperandTransfer& t) {
    if (!t.writes())
      return numbered(" reads R", t.reg) + numbered(" for c", t.collector) + numbered(".", t.slot);
    return numbered(" writes R", t.reg) + numbered(" v", t.version.write) +
           (t.kind == OperandTransfer::Kind::partial_result ? " partly" : "");
  }
  // Collector c asks for these in cycle t, for slots from `slot` on.
  void read(Cycle t, unsigned c, const Registers& registers, unsigned slot = 0) {
    at(t, [=] {
      for (std::size_t n = 0; n < registers.size(); ++n) {
        OperandTransfer r;
        r.reg = registers[n];
        r.collector = static_cast<std::uint8_t>(c);
        r.slot = static_cast<std::uint8_t>(slot + n);
        readers[c].send(r, next());
      }
    });
  }
  // Accumulators of a product come in cycle t. The version of each is 10 more than its register number.
  void accumulate(Cycle t, const Registers& registers) {
    at(t, [=] {
      for (const Register r : registers) {
        OperandTransfer o;
        o.reg = r;
        o.version = {r + 10u};
        o.kind = OperandTransfer::Kind::result;
        products[0].send(o, next());
      }
    });
  }
  // An instruction of warp 1; the version of each result is 10 more than its register number.
  Instruction* make(const Registers& destinations, std::uint32_t mask = ~0u) {
    Instruction* i = instructions.add(alu(destinations, {}).with_mask(mask));
    for (unsigned d = 0; d < i->destination_count; ++d) i->produced[d] = i->destination(d) + 10u;
    return i;
  }
  void result(Cycle t, unsigned u, Instruction* i, std::uint8_t to_banks = 0xff) {
    at(t, [=] { units[u].send({0, i, to_banks}, next()); });
  }
  void back(Cycle t, unsigned w, const Registers& registers) {
    at(t, [=] {
      for (const Register r : registers) {
        OperandTransfer o;
        o.reg = r;
        o.version = {r + 10u};
        o.kind = OperandTransfer::Kind::write_back;
        caches[w].send(o, next());
      }
    });
  }
  // A collector tells this, backward on port D.
  void tell(Cycle t, unsigned c, SteeringUpdate update) {
    at(t, [=] {
      DestinationTransfer d;
      d.stamp = next();
      d.collector = static_cast<std::uint8_t>(c);
      d.update = update;
      d.kind = DestinationTransfer::Kind::steering;
      port_d.in.status(d);
    });
  }
  Arbiter& module() { return arbiter; }

  const std::unique_ptr<Arbiter> made;
  Arbiter& arbiter;
  Senders<OperandTransfer> readers, caches, products;
  Senders<ResultTransfer> units;
  Sinks<OperandTransfer> banks;
  Sink<DestinationTransfer> port_d;
  Sink<RetireTransfer> retired;
};

using Play = std::function<void(ArbiterBench&)>;

void play(const Rows& rows, const Play& script, const Options& options = {}) {
  expect<ArbiterBench>(rows, script, options);
}

SteeringUpdate holds(std::uint32_t warp, Cycle issued) {
  return {SteeringUpdate::Kind::holder, 0, warp, issued, nullptr};
}
SteeringUpdate reserved(const Instruction* i, std::uint8_t destinations) {
  return {SteeringUpdate::Kind::reserved, destinations, 0, 0, i};
}
SteeringUpdate released(const Instruction* i, std::uint8_t destinations) {
  return {SteeringUpdate::Kind::released, destinations, 0, 0, i};
}
Options near_filter() {
  Options o;
  o.steering = [] { return std::make_unique<NearFilter>(WriteFilter::Options{}, 2); };
  return o;
}
Options window(bool write_back) {
  Options o;
  o.steering = [=] { return std::make_unique<WindowSteering>(WindowSteering::Options{write_back, true}, 1); };
  return o;
}

}  // namespace

TEST_CASE("arbiter sockets: a FIFO per bank, one operand a cycle for each collector") {
  // In 1 the heads R2 and R3 want port S of c0 and came together, so the lower slot goes. R4 is behind R2. In
  // 2 R4 is a head, as young as R3, but of a higher slot. In 3 R4 and R5 go to different collectors.
  play({"1: b0 reads R2 for c0.0", "2: b1 reads R3 for c0.1", "3: b0 reads R4 for c0.2",
        "3: b1 reads R5 for c1.0", "4: b0 reads R6 for c1.1"},
       [](ArbiterBench& b) {
         b.read(0, 0, {2, 3, 4});
         b.read(1, 1, {5, 6});
       });
}

TEST_CASE("arbiter sockets: of two heads for one collector the older goes first, whatever its slot") {
  // R4 came a cycle before R5, but waits behind R2 and R12 until 3, when both are heads.
  play({"1: b0 reads R2 for c1.0", "2: b0 reads R12 for c1.1", "3: b0 reads R4 for c0.1",
        "4: b1 reads R5 for c0.0"},
       [](ArbiterBench& b) {
         b.read(0, 1, {2, 12});
         b.read(1, 0, {4}, 1);
         b.read(2, 0, {5}, 0);
       });
}

TEST_CASE("arbiter sockets: two steps a cycle are two turns of banks and port S") {
  Options two;
  two.file.steps_per_cycle = 2;
  // In 1: R2, then R3 (slot 1) before R4 (slot 2). In 2: R4, then R6.
  play(
      {"1: b0 reads R2 for c0.0", "1: b1 reads R3 for c0.1", "2: b0 reads R4 for c0.2",
       "2: b0 reads R6 for c0.3"},
      [](ArbiterBench& b) {
        b.read(0, 0, {2, 3, 4, 6});
      },
      two);
}

TEST_CASE("arbiter sockets: a limit counts all grants of a collector, behind those of others, too") {
  Options four;
  four.banks = 4;
  four.file.collector_port_limit = 2;
  // All heads are in banks of their own. In 1 R4 goes to c0, and R5 and R6 to c1, which has no port for R7.
  play(
      {"1: b0 reads R4 for c0.0", "1: b1 reads R5 for c1.0", "1: b2 reads R6 for c1.1",
       "2: b3 reads R7 for c1.2", "20: read_requests 4, bank_reads 4, bank_read_wait_cycles 1"},
      [](ArbiterBench& b) {
        b.read(0, 0, {4});
        b.read(0, 1, {5, 6, 7});
        b.note_counters(20, b.arbiter, {"read_requests", "bank_reads", "bank_read_wait_cycles"});
      },
      four);
}

TEST_CASE("arbiter sockets: a collector whose port is used waits, although the first grant was another's") {
  Options four;
  four.banks = 4;
  play(
      {"1: b0 reads R4 for c0.0", "1: b1 reads R5 for c1.0", "2: b2 reads R6 for c1.1"},
      [](ArbiterBench& b) {
        b.read(0, 0, {4});
        b.read(0, 1, {5, 6});
      },
      four);
}

TEST_CASE("arbiter sockets: the arbiter is drained when no read and no write of any kind waits") {
  Options all;
  all.ports.write_backs = 1;
  all.ports.accumulators = 1;
  // Two transfers of a kind come at a time, for bank 0. The second one alone is still there in the cycle in
  // which the bank takes the first one.
  play(
      {"1: b0 writes R2 v12",
       "1: busy",
       "2: b0 writes R4 v14",
       "2: credit u0",
       "2: retire 0",
       "3: drained",
       "5: b0 writes R4 v14",
       "5: busy",
       "5: credit w0 R4",
       "6: b0 writes R6 v16",
       "6: credit w0 R6",
       "7: drained",
       "9: b0 writes R8 v18",
       "9: busy",
       "10: b0 writes R10 v20",
       "11: drained",
       "13: b0 reads R2 for c0.0",
       "13: busy",
       "14: b0 reads R12 for c0.1",
       "15: drained"},
      [](ArbiterBench& b) {
        b.result(0, 0, b.make({2, 4}));
        b.back(4, 0, {4, 6});
        b.accumulate(8, {8, 10});
        b.read(12, 0, {2, 12});
        for (const Cycle t : {1, 3, 5, 7, 9, 11, 13, 15})
          b.at(t, [&b] { b.note(b.next(), b.arbiter.drained() ? "drained" : "busy"); });
      },
      all);
}

TEST_CASE(
    "arbiter sockets: without a limit the banks alone decide, and another reader has a limit of its own") {
  Options o;
  o.file.collector_port_limit = 0;
  o.ports.other_readers = 1;
  o.ports.other_reader_port = 1;
  // c0 gets both banks in 1. The other reader, number 2, is next in both queues, and may have one in 2.
  play(
      {"1: b0 reads R2 for c0.0", "1: b1 reads R3 for c0.1", "2: b0 reads R4 for c2.0",
       "3: b1 reads R5 for c2.1"},
      [](ArbiterBench& b) {
        b.read(0, 0, {2, 3});
        b.read(1, 2, {4, 5});
      },
      o);
}

TEST_CASE(
    "arbiter sockets: a read of an accumulator is behind the other reads of its cycle, not of later ones") {
  Options o;
  o.ports.other_readers = 1;
  o.ports.accumulators = 1;
  // A product, reader 2, asks for R2 in 0, and so does c0 for R4, before or after the product. c0 asks for R6
  // a cycle later. All registers are in bank 0.
  play(
      {"1: b0 reads R4 for c0.0", "2: b0 reads R2 for c2.0", "3: b0 reads R6 for c0.0"},
      [](ArbiterBench& b) {
        b.at(0, [&b] {
          OperandTransfer r;
          r.reg = 2;
          r.collector = 2;
          r.kind = OperandTransfer::Kind::accumulator;
          b.readers[2].send(r, 1);
        });
        b.read(0, 0, {4});
        b.read(1, 0, {6});
      },
      o);
}

TEST_CASE("arbiter sockets: writes before reads, and a result keeps its latch until it is written whole") {
  // In 1 u0 gets bank 0 for R2 and needs it again for R4; of u1's result R3 finds bank 1. R6 comes after R4,
  // and only then do the reads of bank 0; bank 1 is free for R5 in 2.
  play({"1: b0 writes R2 v12", "1: b1 writes R3 v13", "2: b0 writes R4 v14", "2: b1 reads R5 for c0.1",
        "2: credit u0", "2: retire 0", "3: b0 writes R6 v16", "3: credit u1", "3: retire 1",
        "4: b0 reads R8 for c0.0"},
       [](ArbiterBench& b) {
         Instruction *first = b.make({2, 4}), *second = b.make({6, 3});
         b.result(0, 1, second);  // comes first or last, and is second all the same
         b.result(0, 0, first);
         b.read(0, 0, {8, 5});
       });
}

TEST_CASE("arbiter sockets: each result that waits for its bank counts in each cycle") {
  // In 1 R4 and R6 of u0's wait, and R8 of u1's; in 2 R6 and R8; in 3 R8.
  play({"1: b0 writes R2 v12", "2: b0 writes R4 v14", "3: b0 writes R6 v16", "3: credit u0", "3: retire 0",
        "4: b0 writes R8 v18", "4: credit u1", "4: retire 1", "20: 6 cycles"},
       [](ArbiterBench& b) {
         b.result(0, 0, b.make({2, 4, 6}));
         b.result(0, 1, b.make({8}));
         b.at(20, [&b] {
           b.note(b.next(),
                  std::to_string(std::uint64_t{b.arbiter.counters().write_wait_cycles}) + " cycles");
         });
       });
}

TEST_CASE("arbiter sockets: results go by stamp, then by unit, and one without a write retires at once") {
  // u1's result is a cycle older than u0's. Instructions 2 and 3 write nothing: one has no destination, and
  // one has none for the banks.
  play({"1: b0 writes R2 v12", "2: b0 writes R4 v14", "2: credit u1", "2: retire 0", "3: b0 writes R6 v16",
        "3: credit u0", "3: retire 1", "5: credit u0", "5: credit u1", "5: retire 2", "5: retire 3"},
       [](ArbiterBench& b) {
         b.result(0, 1, b.make({2, 4}));
         b.result(1, 0, b.make({6}));
         b.result(4, 0, b.make({}));
         b.result(4, 1, b.make({2}), 0);
       });
}

TEST_CASE("arbiter sockets: a result of some lanes says so") {
  play({"1: b0 writes R2 v12 partly", "1: credit u0", "1: retire 0"},
       [](ArbiterBench& b) { b.result(0, 0, b.make({2}, 0xff)); });
}

TEST_CASE("arbiter sockets: what caches write back, in order and before results that came with it") {
  Options o;
  o.ports.write_backs = 2;
  // In 1: w0 R4 before w1 R2, both in bank 0; R3 has bank 1. In 2: R2 is written, and R7 is read. R8 came in
  // 1, too, and is behind the write-backs: 3. R6 is a read: 4. w1's R10 comes in 3 and is no older than R8.
  play(
      {"1: b0 writes R4 v14", "1: b1 writes R3 v13", "1: credit w0 R4", "1: credit w1 R3",
       "2: b0 writes R2 v12", "2: b1 reads R7 for c0.1", "2: credit w1 R2", "3: b0 writes R8 v18",
       "3: credit u0", "3: retire 0", "4: b0 writes R10 v20", "4: credit w1 R10", "5: b0 reads R6 for c0.0"},
      [](ArbiterBench& b) {
        b.back(0, 1, {2, 3});
        b.back(0, 0, {4});
        b.result(0, 0, b.make({8}));
        b.read(0, 0, {6, 7});
        b.back(2, 1, {10});
      },
      o);
}

TEST_CASE("arbiter sockets: a narrow way back, and nothing passes what waits for it") {
  Options o;
  o.ports.write_backs = 2;
  o.ports.write_back_port = 1;
  // Write-backs go one a cycle: R4, R2, R3. R3 keeps bank 1 from R7 until it is written, R2 keeps bank 0.
  play(
      {"1: b0 writes R4 v14", "1: credit w0 R4", "2: b0 writes R2 v12", "2: credit w1 R2",
       "3: b0 reads R6 for c0.0", "3: b1 writes R3 v13", "3: credit w1 R3", "4: b1 reads R7 for c0.1"},
      [](ArbiterBench& b) {
        b.back(0, 1, {2, 3});
        b.back(0, 0, {4});
        b.read(0, 0, {6, 7});
      },
      o);
}

TEST_CASE("arbiter sockets: steering as results are written, to who holds the warp in that cycle") {
  // c0 holds warp 1 from 1 on, warp 2 from 3 on. R2 and R3 are near and written in 1: port D takes one a
  // cycle, so R3's old copy is dropped. R4, far, is written in 2, when its bank is free, and R5, near, too.
  // In 3 warp 1 holds nothing any more; R8 of warp 2 is near.
  play(
      {"1: D c0 drops R3",
       "1: D c0 takes R2 v12 near",
       "1: b0 writes R2 v12",
       "1: b1 writes R3 v13",
       "2: D c0 drops R4",
       "2: D c0 takes R5 v15 near",
       "2: b0 writes R4 v14",
       "2: b1 writes R5 v15",
       "2: credit u0",
       "2: credit u1",
       "2: retire 0",
       "2: retire 1",
       "3: D c0 takes R8 v18 near",
       "3: b0 writes R8 v18",
       "3: b1 writes R7 v17",
       "3: credit u0",
       "3: credit u1",
       "3: retire 2",
       "3: retire 3",
       "20: results 4, bank_writes 6, bank_write_wait_cycles 1",
       "21: port_d_writes 3, port_d_filtered 2, port_d_invalidates 2"},
      [](ArbiterBench& b) {
        Instruction *three = b.make({2, 3, 4}), *near = b.make({5}), *left = b.make({7}),
                    *other = b.make({8});
        three->destination_near = 3;
        near->destination_near = left->destination_near = other->destination_near = 1;
        other->warp_uid = 2;
        b.tell(0, 0, holds(1, 1));
        b.result(0, 0, three);
        b.result(1, 1, near);
        b.tell(2, 0, holds(2, 3));
        b.result(2, 0, left);
        b.result(2, 1, other);
        b.note_counters(20, b.arbiter, {"results", "bank_writes", "bank_write_wait_cycles"});
        b.note_counters(21, b.arbiter, {"port_d_writes", "port_d_filtered", "port_d_invalidates"});
      },
      near_filter());
}

TEST_CASE("arbiter sockets: results for the collector of their warp that issued last, others forget") {
  // Both collectors hold warp 1; c1 since 2, and c0 takes it over by an issue in 5. A partial result is
  // partial on port D, too.
  play(
      {"4: D c0 drops R2", "4: D c1 takes R2 v12 near", "4: b0 writes R2 v12", "4: credit u0", "4: retire 0",
       "5: D c0 takes R4 v14 near partly", "5: D c1 drops R4", "5: b0 writes R4 v14 partly", "5: credit u0",
       "5: retire 1"},
      [](ArbiterBench& b) {
        Instruction *one = b.make({2}), *two = b.make({4}, 0xff);
        one->destination_near = two->destination_near = 1;
        b.tell(0, 0, holds(1, 1));
        b.tell(1, 1, holds(1, 2));
        b.result(3, 0, one);
        b.tell(4, 0, holds(1, 5));
        b.result(4, 0, two);
      },
      near_filter());
}

TEST_CASE("arbiter sockets: steering at arrival keeps results out of the banks") {
  // Instruction 0: R2 has a place in the window, R4 goes to the bank. Instruction 1: both have places.
  // Instruction 2: its place goes in 8, and its result comes in 7. Instruction 3: its result comes in 8, when
  // its place has gone. Instruction 4 writes some lanes, to the window and the bank.
  play(
      {"5: D c1 takes R2 v12", "5: b0 writes R4 v14", "5: credit u0", "5: retire 0", "6: D c1 takes R6 v16",
       "6: D c1 takes R8 v18", "6: credit u1", "6: retire 1", "7: D c0 takes R3 v13", "7: credit u0",
       "7: retire 2", "8: b1 writes R5 v15", "8: credit u0", "8: retire 3", "9: D c0 takes R7 v17 partly",
       "9: b1 writes R7 v17 partly", "9: credit u1", "9: retire 4"},
      [](ArbiterBench& b) {
        std::vector<Instruction*> i{b.make({2, 4}), b.make({6, 8}), b.make({3}), b.make({5}),
                                    b.make({7}, 0xff)};
        b.tell(0, 1, reserved(i[0], 1));
        b.tell(1, 1, reserved(i[1], 3));
        for (unsigned n : {2, 3, 4}) b.tell(n, 0, reserved(i[n], 1));
        b.result(4, 0, i[0]);
        b.result(5, 1, i[1]);
        b.result(6, 0, i[2]);
        b.tell(7, 0, released(i[2], 1));
        b.result(7, 0, i[3]);
        b.tell(7, 0, released(i[3], 1));
        b.result(8, 1, i[4]);
      },
      window(true));
}

TEST_CASE("arbiter sockets: a value that was sent back as a newer one came is dropped") {
  // Results of R4, and of some lanes of R6, come in 1. Values that the cache gave back before are written
  // first, in 1. The values that it sends in 1 are older than R4's result, which the bank keeps. The bank
  // gets R6, and the R4 that is sent in 2.
  Options o;
  o.ports.write_backs = 1;
  o.steering = [] { return std::make_unique<NearFilter>(WriteFilter::Options{}, 2, true); };
  play(
      {"1: b0 writes R4 v14", "1: credit w0 R4", "2: b0 writes R4 v14", "2: credit u0", "2: credit w0 R4",
       "2: retire 0", "3: b0 writes R6 v16 partly", "3: credit u1", "3: retire 1", "4: b0 writes R6 v16",
       "4: credit w0 R6", "5: b0 writes R4 v14", "5: credit w0 R4",
       "20: bank_writes 2, write_backs 3, outdated_write_backs 1"},
      [](ArbiterBench& b) {
        b.back(0, 0, {4});
        b.result(0, 0, b.make({4}));
        b.result(0, 1, b.make({6}, 0xff));
        b.back(1, 0, {4, 6});
        b.back(2, 0, {4});
        b.note_counters(20, b.arbiter, {"bank_writes", "write_backs", "outdated_write_backs"});
      },
      o);
}

TEST_CASE("arbiter sockets: a result outdates its own registers, and no other") {
  // The result of R4 comes in 1. Of the two values that are sent back in 1, R4 is older than the result. R0
  // goes to its bank.
  Options o;
  o.ports.write_backs = 1;
  o.steering = [] { return std::make_unique<NearFilter>(WriteFilter::Options{}, 2, true); };
  play(
      {"1: b0 writes R4 v14", "1: credit u0", "1: retire 0", "2: b0 writes R0 v10", "2: credit w0 R0",
       "2: credit w0 R4"},
      [](ArbiterBench& b) {
        b.result(0, 0, b.make({4}));
        b.back(1, 0, {4, 0});
      },
      o);
}

TEST_CASE("arbiter sockets: steering at arrival with write-through goes both ways, and once") {
  // R4 is sent to the window in 1 like R2, and not again when it gets its bank in 2.
  play(
      {"1: D c0 takes R2 v12", "1: D c0 takes R4 v14", "1: b0 writes R2 v12", "2: b0 writes R4 v14",
       "2: credit u0", "2: retire 0"},
      [](ArbiterBench& b) {
        Instruction* i = b.make({2, 4});
        b.tell(0, 0, reserved(i, 3));
        b.result(0, 0, i);
      },
      window(false));
}

TEST_CASE("arbiter sockets: a collector hears of each result as it is written, or as it goes to no bank") {
  Options hears;
  hears.ports.announces = true;
  play(
      {"1: D hears R2", "1: D hears R6", "1: b0 writes R2 v12", "2: D hears R4", "2: b0 writes R4 v14",
       "2: credit u0", "2: retire 0", "20: announced_results 3"},
      [](ArbiterBench& b) {
        b.result(0, 0, b.make({2, 4, 6}), 3);
        b.note_counters(20, b.arbiter, {"announced_results"});
      },
      hears);  // R6 is not for the banks
}

TEST_CASE("arbiter sockets: a collector hears of all results as they arrive, where they are steered then") {
  Options hears = window(false);
  hears.ports.announces = true;
  play(
      {"1: D hears R2", "1: D hears R4", "1: b0 writes R2 v12", "2: b0 writes R4 v14", "2: credit u0",
       "2: retire 0"},
      [](ArbiterBench& b) {
        b.result(0, 0, b.make({2, 4}));
      },
      hears);
}

TEST_CASE("arbiter sockets: in a fixed window, results of a timed unit are written in their order") {
  // Unit 1 has results that the compiler counts on: R4 for cycle 1, R6 for cycle 2. Unit 0 is timed by a
  // table, and its results R2 and R3 belong to different warps. R2 waits for bank 0 until 3. So does R3,
  // whose bank is free in 2.
  Options o;
  o.kind = "fixed_window";
  play(
      {"1: b0 writes R4 v14", "1: credit u1", "1: retire 0", "2: b0 writes R6 v16", "2: credit u1",
       "2: retire 1", "3: b0 writes R2 v12", "3: b1 writes R3 v13", "3: credit u0", "3: credit u0",
       "3: retire 2", "3: retire 3"},
      [](ArbiterBench& b) {
        const auto timed = [&b](Register r) {
          Op op = alu({r}, {}, ExecutionClass::special);
          op.code.latency = 20;
          op.code.completion = LatencyClass::queued;
          Instruction* i = b.instructions.add(op);
          i->produced[0] = r + 10u;
          return i;
        };
        b.result(0, 1, b.make({4}));
        b.result(1, 1, b.make({6}));
        b.result(0, 0, timed(2));
        Instruction* other = timed(3);
        other->warp_uid = 2;
        other->warp_slot = 2;
        b.result(1, 0, other);
      },
      o);
}

TEST_CASE("arbiter sockets: an accumulator takes a write port of its bank in a fixed window") {
  // Two accumulators come for bank 0, which has one port for writes.
  Options o;
  o.kind = "fixed_window";
  o.ports.accumulators = 1;
  play(
      {"1: b0 writes R8 v18", "2: b0 writes R10 v20"},
      [](ArbiterBench& b) {
        b.accumulate(0, {8, 10});
      },
      o);
}

TEST_CASE("arbiter sockets: a waveform shows who reads or writes which register of which warp slot") {
  // In 1 collector 1 reads R5 of slot 3. In 3 a result of the integer unit, R2 of slot 7, is written.
  struct Wave : BeatObserver {
    std::vector<Signal> signals;
    Rows rows;
    Cycle beat_done(Cycle cycle) override {
      for (const Signal& s : signals) {
        const std::uint64_t value = s.text ? s.value(cycle) : Signal::x;
        if (value != Signal::x) rows.push_back(std::to_string(cycle) + ": " + s.name + ' ' + s.text(value));
      }
      return never;
    }
  } wave;
  ArbiterBench b("bench", TickOrder::pipeline, {});
  wave.signals = b.arbiter.signals();
  b.conductor.observe_beats(wave);
  b.at(0, [&b] {
    OperandTransfer r;
    r.warp_slot = 3;
    r.reg = 5;
    r.collector = 1;
    b.readers[1].send(r, 1);
  });
  Instruction* i = b.make({2});
  i->warp_slot = 7;
  b.result(2, 0, i);
  run_cycles(20);
  CHECK(wave.rows == Rows{"1: bank_0_access read:c1:s3:R5", "3: bank_1_access write:integer:s7:R2"});
}

}  // namespace arbiter_socket_test
