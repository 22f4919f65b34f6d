// The dispatch scheduler between test sockets. An instruction that is ready from t on is dispatched in t at
// the earliest, one a cycle. Its unit, and the latch behind its collector, are told in that cycle, for the
// next.
#include "subcore/modules/dispatch_scheduler/dispatch_scheduler.h"
#include "tests/module/socket_kit.h"

namespace dispatch_scheduler_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr auto integer = ExecutionClass::integer;
constexpr auto single = ExecutionClass::single;
constexpr auto half = ExecutionClass::half;

// Three collectors, and units whose credits the script gives back.
struct DispatchBench : SocketBench {
  DispatchBench(const sc_core::sc_module_name& name, TickOrder order, DispatchOrder rule, unsigned queue)
      : SocketBench(name, order), scheduler("scheduler", rule, 3, queue), entered("entered") {
    add(scheduler);
    for (unsigned c = 0; c < 3; ++c) {
      collectors.emplace_back(numbered("collector", c).c_str()).out.bind(scheduler.dispatch_socket[c]);
      collectors[c].on_credit = [=](const DispatchTransfer& t) {
        note(t.stamp, numbered("credit c", c) + numbered(" i", t.instruction->sequence));
      };
    }
    for (unsigned u = 0; u < execution_unit_count; ++u) {
      scheduler.unit_socket[u].bind(units.emplace_back(numbered("unit", u).c_str()).in);
      units[u].react = [=](DispatchTransfer& t) {
        note(t.stamp, std::string(execution_units[u].name) + numbered(" i", t.instruction->sequence));
      };
    }
    scheduler.entered_socket.bind(entered.in);
    entered.react = [=](EnteredTransfer& t) {
      note(t.stamp, numbered("entered i", t.instruction->sequence));
    };
  }
  // Collector c has everything that `op` needs from cycle t on.
  Instruction* ready(Cycle t, unsigned c, const Op& op) {
    Instruction* i = instructions.add(op);
    at(t - 1, [=] { collectors[c].send({0, i}, t); });
    return i;
  }
  Instruction* ready(Cycle t, unsigned c, ExecutionClass e) { return ready(t, c, alu({2}, {}, e)); }
  // The unit takes another instruction from cycle t on. `i`: the instruction that it has begun.
  void free(Cycle t, ExecutionUnitKind u, Instruction* i = nullptr) {
    at(t - 1, [=] {
      DispatchTransfer credit{t, i};
      units[static_cast<unsigned>(u)].in.credit(credit);
    });
  }
  DispatchScheduler& module() { return scheduler; }

  DispatchScheduler scheduler;
  Senders<DispatchTransfer> collectors;
  Sinks<DispatchTransfer> units;
  Sink<EnteredTransfer> entered;
};

void play(const Rows& rows, const std::function<void(DispatchBench&)>& script,
          DispatchOrder rule = DispatchOrder::oldest, unsigned queue = 8) {
  expect<DispatchBench>(rows, script, rule, queue);
}

}  // namespace

TEST_CASE("dispatch scheduler sockets: one a cycle, ties in turn, unit and latch are told at once") {
  play({"1: credit c0 i0", "1: integer i0", "2: credit c1 i1", "2: single i1", "3: credit c2 i2",
        "3: half i2"},
       [](DispatchBench& b) {
         b.ready(1, 0, integer);
         b.ready(1, 1, single);
         b.ready(1, 2, half);
       });
}

namespace {
// i0 occupies the unit until 6, and the turn is c1's. i1 waits longest, i2 is next in turn.
void three_for_one_unit(DispatchBench& b) {
  b.ready(1, 0, integer);
  b.ready(2, 2, integer);
  b.ready(3, 1, integer);
  b.free(6, ExecutionUnitKind::integer);
  b.free(8, ExecutionUnitKind::integer);
}
}  // namespace

TEST_CASE("dispatch scheduler sockets: who waits longest") {
  play({"1: credit c0 i0", "1: integer i0", "6: credit c2 i1", "6: integer i1", "8: credit c1 i2",
        "8: integer i2"},
       three_for_one_unit);
}

TEST_CASE("dispatch scheduler sockets: who is next in turn") {
  play({"1: credit c0 i0", "1: integer i0", "6: credit c1 i2", "6: integer i2", "8: credit c2 i1",
        "8: integer i1"},
       three_for_one_unit, DispatchOrder::round_robin);
}

TEST_CASE("dispatch scheduler sockets: a busy unit is passed over, and a credit counts from its stamp on") {
  // The credit is given back in 4 and counts from 9 on, whatever else wakes the scheduler before.
  play({"1: credit c0 i0", "1: integer i0", "5: credit c2 i2", "5: single i2", "9: credit c1 i1",
        "9: integer i1"},
       [](DispatchBench& b) {
         b.ready(1, 0, integer);
         b.ready(3, 1, integer);
         b.ready(5, 2, single);
         b.at(4, [&b] {
           DispatchTransfer credit{9, nullptr};
           b.units[0].in.credit(credit);
         });
       });
}

TEST_CASE("dispatch scheduler sockets: of one collector the oldest that is complete") {
  // i1 is complete a cycle after i2, but both wait for the unit until 6.
  play({"1: credit c1 i0", "1: integer i0", "6: credit c0 i1", "6: integer i1", "8: credit c0 i2",
        "8: integer i2"},
       [](DispatchBench& b) {
         b.ready(1, 1, integer);
         b.ready(4, 0, integer);
         b.ready(3, 0, integer);
         b.free(6, ExecutionUnitKind::integer);
         b.free(8, ExecutionUnitKind::integer);
       });
}

TEST_CASE("dispatch scheduler sockets: memory instructions of a warp keep their order") {
  // In 6 it is c1's turn, but its instruction is younger than the one that waits in c2.
  play(
      {"1: credit c0 i0", "1: load_store i0", "5: entered i0", "6: credit c2 i1", "6: load_store i1",
       "7: entered i1", "8: credit c1 i2", "8: load_store i2"},
      [](DispatchBench& b) {
        Instruction* first = b.ready(1, 0, store({1}, 0x100));
        Instruction* second = b.ready(2, 2, store({1}, 0x100));
        b.ready(3, 1, store({1}, 0x100));
        b.free(6, ExecutionUnitKind::load_store, first);
        b.free(8, ExecutionUnitKind::load_store, second);
      },
      DispatchOrder::round_robin, 1);
}

TEST_CASE("dispatch scheduler sockets: memory instructions of two warps go in turn") {
  play(
      {"1: credit c0 i0", "1: load_store i0", "5: entered i0", "6: credit c1 i2", "6: load_store i2",
       "7: entered i2", "8: credit c2 i1", "8: load_store i1"},
      [](DispatchBench& b) {
        Instruction* first = b.ready(1, 0, store({1}, 0x100));
        b.ready(2, 2, store({1}, 0x100));
        Instruction* other = b.ready(3, 1, store({1}, 0x100));
        other->warp_uid = 9;
        b.free(6, ExecutionUnitKind::load_store, first);
        b.free(8, ExecutionUnitKind::load_store, other);
      },
      DispatchOrder::round_robin, 1);
}

TEST_CASE("dispatch scheduler sockets: a queue of two credits, and who barriers wait for has entered") {
  // i0 and i1 fill the queue in 1 and 2; i2 goes when i0 has been begun. Constants do not count.
  play(
      {"1: credit c0 i0", "1: load_store i0", "2: credit c1 i1", "2: load_store i1", "4: entered i0",
       "5: credit c2 i2", "5: load_store i2", "8: entered i2"},
      [](DispatchBench& b) {
        Instruction* i0 = b.ready(1, 0, load({2}, {1}, 0x100));
        Instruction* i1 = b.ready(1, 1, load({3}, {1}, 0x100, MemorySpace::constant));
        Instruction* i2 = b.ready(1, 2, store({1}, 0x100));
        b.free(5, ExecutionUnitKind::load_store, i0);
        b.free(7, ExecutionUnitKind::load_store, i1);
        b.free(9, ExecutionUnitKind::load_store, i2);
      },
      DispatchOrder::oldest, 2);
}

}  // namespace dispatch_scheduler_socket_test
