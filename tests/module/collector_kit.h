// A collector of any kind between test sockets. Rows, besides those of socket_kit.h:
//   read R2.1               to the arbiter, for slot 1
//   ready i0 v1 v2          to the dispatch scheduler, with what was collected
//   left i0 w1 near free    over port R, with the status; "now ..." is status only
//   complete i0             over port R: it has all operands and waits for dispatch
//   D ...                   to the arbiter, backward on port D
//   back R2 v1              a value for the banks
#pragma once

#include "subcore/modules/collector/collector.h"
#include "subcore/modules/operand_path/collector_parameters.h"
#include "tests/module/socket_kit.h"

namespace subcore::test {

struct CollectorBench : SocketBench {
  CollectorBench(const sc_core::sc_module_name& name, TickOrder order, const CollectorParameters& p)
      : SocketBench(name, order),
        collector(p.kind->make("collector", p, {})),
        issue("issue"),
        arbiter("arbiter"),
        port_s("port_s"),
        scheduler("scheduler") {
    add(*collector);
    issue.out.bind(collector->issue_socket);
    issue.on_credit = [=](const IssueTransfer& t) {
      REQUIRE(t.kind == IssueTransfer::Kind::left);
      note(t.stamp, numbered("left i", t.instruction->sequence) + text(t.status));
    };
    issue.on_update = [=](const IssueTransfer& t) {
      note(t.stamp, t.kind == IssueTransfer::Kind::complete ? numbered("complete i", t.instruction->sequence)
                                                            : "now" + text(t.status));
    };
    collector->read_socket.bind(arbiter.in);
    arbiter.react = [=](OperandTransfer& t) {
      note(t.stamp, numbered("read R", t.reg) + numbered(".", t.slot));
    };
    port_s.out.bind(collector->source_socket);
    collector->dispatch_socket.bind(scheduler.in);
    scheduler.react = [=](DispatchTransfer& t) {
      std::string event = numbered("ready i", t.instruction->sequence);
      for (unsigned s = 0; s < t.instruction->source_count; ++s)
        event += numbered(" v", t.instruction->operands[s].collected.write);
      note(t.stamp, event);
    };
    if (InPort<DestinationTransfer>* in = collector->port_d()) {
      port_d = std::make_unique<Sender<DestinationTransfer>>("port_d");
      port_d->out.bind(*in);
      port_d->on_update = [=](const DestinationTransfer& t) {
        REQUIRE(t.kind == DestinationTransfer::Kind::steering);
        const SteeringUpdate& u = t.update;
        note(t.stamp, u.kind == SteeringUpdate::Kind::holder
                          ? numbered("D w", u.warp_uid) + numbered(" since ", u.issued)
                          : numbered("D i", u.producer->sequence) +
                                numbered(u.kind == SteeringUpdate::Kind::reserved ? " keeps " : " loses ",
                                         u.destinations));
      };
    }
    if (OutPort<OperandTransfer>* out = collector->write_back_port()) {
      banks = std::make_unique<Sink<OperandTransfer>>("banks");
      out->bind(banks->in);
      banks->react = [=](OperandTransfer& t) {
        note(t.stamp, numbered("back R", t.reg) + numbered(" v", t.version.write));
        banks->in.credit(t);
      };
    }
  }
  static std::string text(const CollectorStatus& s) {
    return (s.holds ? numbered(" w", s.warp_uid) : "") + (s.has_near ? " near" : "") +
           (s.free ? " free" : " busy");
  }
  // Issues `op` in t from `warp`; the versions of its results are 10 more than their registers.
  Instruction* give(Cycle t, const Op& op, std::uint32_t warp = 1) {
    Instruction* i = instructions.add(op);
    i->warp_uid = warp;
    i->source_near = op.code.source_near;
    for (unsigned d = 0; d < i->destination_count; ++d) i->produced[d] = i->destination(d) + 10u;
    at(t, [=] { issue.send({0, i}, next()); });
    return i;
  }
  // The operand of slot s is sent in t, and there from `stamp` on.
  void bring(Cycle t, Instruction* i, unsigned s, std::uint32_t v, Cycle stamp = 0) {
    at(t, [=] {
      OperandTransfer o;
      o.instruction = i;
      o.version = {v};
      o.reg = i->source(s);
      o.slot = static_cast<std::uint8_t>(s);
      port_s.send(o, stamp == 0 ? next() : stamp);
    });
  }
  // Dispatches `i` in t: the latch is free in the next cycle.
  void dispatch(Cycle t, Instruction* i) {
    at(t, [=] {
      DispatchTransfer credit{next(), i};
      scheduler.in.credit(credit);
    });
  }
  // Sends a result on port D, to be used from t+1 on.
  void result(Cycle t, DestinationTransfer d) {
    at(t, [=] { port_d->send(d, next()); });
  }
  // Notes how long instructions have waited by cycle t: for operands, for the latch, for dispatch.
  void note_times(Cycle t) {
    at(t, [this] {
      StatisticsGroup all;
      collector->register_statistics(all);
      const auto cycles = [&](const std::string& part) {
        return std::to_string(all.sum("collection_" + part + "cycles"));
      };
      note(next(), cycles("") + " cycles: " + cycles("operands_") + ' ' + cycles("latch_") + ' ' +
                       cycles("dispatch_"));
    });
  }
  OperandPath& module() { return *collector; }

  std::unique_ptr<OperandPath> collector;
  Sender<IssueTransfer> issue;
  Sink<OperandTransfer> arbiter;
  Sender<OperandTransfer> port_s;
  Sink<DispatchTransfer> scheduler;
  std::unique_ptr<Sender<DestinationTransfer>> port_d;
  std::unique_ptr<Sink<OperandTransfer>> banks;
};

// A result of warp 1, whole and far unless said otherwise.
inline DestinationTransfer result_of(Register r, std::uint32_t v, bool near = false,
                                     std::uint32_t lanes = ~0u) {
  DestinationTransfer d;
  d.warp_uid = 1;
  d.reg = r;
  d.version = {v};
  d.near = near;
  d.lanes = lanes;
  return d;
}
inline DestinationTransfer outdated(Register r) {
  DestinationTransfer d = result_of(r, 0);
  d.kind = DestinationTransfer::Kind::invalidate;
  return d;
}

// Instruction i0, here from 1 on, has its operands from 6 on and is dispatched in 9. Instruction i1, here
// from 7 on, has its operands from 8 on, finds the latch free from 10 on, and is dispatched in 10.
inline void wait_for_all(CollectorBench& b) {
  Instruction* i0 = b.give(0, alu({}, {2, 3}));
  b.bring(2, i0, 0, 5);
  b.bring(5, i0, 1, 6);
  Instruction* i1 = b.give(6, alu({}, {4}));
  b.bring(7, i1, 0, 7);
  b.dispatch(9, i0);
  b.dispatch(10, i1);
  b.note_times(20);
  b.note_counters(20, b.module(), {"instructions", "source_operands"});
}

// The hardware of a collector, part by part.
inline Rows hardware(const CollectorParameters& p) {
  const std::unique_ptr<OperandPath> unit(p.kind->make("collector", p, {}));
  return parts_of(*unit);
}

inline void collect(const CollectorParameters& p, const Rows& rows,
                    const std::function<void(CollectorBench&)>& script) {
  expect<CollectorBench>(rows, script, p);
}

}  // namespace subcore::test
