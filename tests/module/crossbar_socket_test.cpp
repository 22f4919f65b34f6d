// The crossbar between test sockets: it takes no time and decides nothing.
#include "subcore/modules/crossbar/crossbar.h"
#include "tests/module/socket_kit.h"

namespace crossbar_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Two banks; two collectors with a port D, and a third reader.
struct CrossbarBench : SocketBench {
  CrossbarBench(const sc_core::sc_module_name& name, TickOrder order)
      : SocketBench(name, order), crossbar("crossbar", 2, 3, 2), arbiter("arbiter") {
    conductor.add(late);
    for (unsigned b = 0; b < 2; ++b)
      banks.emplace_back(numbered("bank", b).c_str()).out.bind(crossbar.data_socket[b]);
    for (unsigned r = 0; r < 3; ++r) {
      crossbar.source_socket[r].bind(readers.emplace_back(numbered("reader", r).c_str()).in);
      readers[r].react = [=](OperandTransfer& t) {
        note(t.stamp, numbered("S", r) + numbered(" R", t.reg) + numbered(".", t.slot) +
                          numbered(" v", t.version.write) + numbered(" of i", t.instruction->sequence));
      };
    }
    arbiter.out.bind(crossbar.write_socket);
    arbiter.on_update = [=](const DestinationTransfer& t) {
      note(t.stamp, numbered("update of c", t.collector) + numbered(" w", t.update.warp_uid));
    };
    for (unsigned c = 0; c < 2; ++c) {
      crossbar.destination_socket[c].bind(ports.emplace_back(numbered("port_d", c).c_str()).in);
      ports[c].react = [=](DestinationTransfer& t) {
        note(t.stamp,
             numbered("D", c) + (t.kind == DestinationTransfer::Kind::invalidate ? " drops R" : " takes R") +
                 std::to_string(t.reg) + numbered(" v", t.version.write) + numbered(" w", t.warp_uid) +
                 (t.near ? " near" : "") + (t.partial() ? " partly" : ""));
      };
    }
  }
  Crossbar& module() { return crossbar; }

  Crossbar crossbar;
  Senders<OperandTransfer> banks;
  Sinks<OperandTransfer> readers;
  Sender<DestinationTransfer> arbiter;
  Sinks<DestinationTransfer> ports;
};

}  // namespace

TEST_CASE("crossbar sockets: operands go to port S of who asked, with the stamp that the bank gave") {
  // Bank 0 reads both of its operands in different cycles. Bank 1 serves the third reader in 1, too, after a
  // read latency of 4: the operand that was sent in 1 may be used in 6.
  expect<CrossbarBench>(
      {"1: S0 R4.2 v7 of i0", "1: S2 R5.0 v8 of i1 from 6", "2: S1 R6.1 v9 of i1"}, [](CrossbarBench& b) {
        Instruction *one = b.instructions.add(alu({}, {})), *two = b.instructions.add(alu({}, {}));
        b.at(1, [=, &b] { b.banks[0].send({0, one, {7}, 0, 4, 0, 2}, 2); });
        b.at(1, [=, &b] { b.banks[1].send({0, two, {8}, 0, 5, 2, 0}, 6); });
        b.at(2, [=, &b] { b.banks[0].send({0, two, {9}, 0, 6, 1, 1}, 3); });
      });
}

TEST_CASE("crossbar sockets: results go to port D whole, and collectors' updates back to the arbiter") {
  expect<CrossbarBench>(
      {"1: D0 drops R4 v0 w3", "1: D1 takes R5 v2 w4 near partly", "1: update of c0 w6",
       "2: D1 takes R7 v3 w4", "2: update of c1 w5 from 4"},
      [](CrossbarBench& b) {
        b.at(1, [&b] {
          DestinationTransfer d;
          d.warp_uid = 4, d.version = {2}, d.reg = 5, d.collector = 1, d.near = true, d.lanes = 0xf;
          b.arbiter.send(d, 2);
          DestinationTransfer drop;
          drop.warp_uid = 3, drop.reg = 4, drop.kind = DestinationTransfer::Kind::invalidate;
          b.arbiter.send(drop, 2);
        });
        b.at(2, [&b] {
          DestinationTransfer d;
          d.warp_uid = 4, d.version = {3}, d.reg = 7, d.collector = 1;
          b.arbiter.send(d, 3);
        });
        const auto update = [&b](Cycle t, unsigned c, std::uint32_t warp, Cycle stamp) {
          b.at(t, [=, &b] {
            DestinationTransfer d;
            d.stamp = stamp, d.collector = static_cast<std::uint8_t>(c), d.update.warp_uid = warp;
            d.kind = DestinationTransfer::Kind::steering;
            b.ports[c].in.status(d);
          });
        };
        update(1, 0, 6, 2);
        update(2, 1, 5, 4);
      });
}

}  // namespace crossbar_socket_test
