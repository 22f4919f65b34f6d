// A collector of any kind between test sockets. Rows, besides those of socket_kit.h:
//   read R2.1               to the arbiter, for slot 1
//   ready i0 v1 v2          to the dispatch scheduler, with what was collected
//   left i0 w1 near free    over port R, with the status; "news ..." is status only
//   complete i0             over port R: it has all operands and waits for dispatch
//   D ...                   to the arbiter, backward on port D
//   back R2 v1              a value for the banks
#pragma once

#include "modules/collector/collector.h"
#include "modules/collector/collector_parameters.h"
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
      note(t.stamp, numbered("left i", t.instruction->sequence) + text(t.status));
    };
    issue.on_news = [=](const IssueTransfer& t) {
      note(t.stamp, t.complete ? numbered("complete i", t.instruction->sequence) : "news" + text(t.status));
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
        event += numbered(" v", t.instruction->operands[s].collected);
      note(t.stamp, event);
    };
    if (InPort<DestinationTransfer>* in = collector->port_d()) {
      port_d = std::make_unique<Sender<DestinationTransfer>>("port_d");
      port_d->out.bind(*in);
      port_d->on_news = [=](const DestinationTransfer& t) {
        const SteeringNews& n = t.news;
        note(t.stamp, n.producer == nullptr ? numbered("D w", n.warp_uid) + numbered(" since ", n.issued)
                                            : numbered("D i", n.producer->sequence) +
                                                  numbered(n.reserved != 0 ? " keeps " : " loses ",
                                                           n.reserved != 0 ? n.reserved : n.released));
      };
    }
    if (OutPort<OperandTransfer>* out = collector->write_back_port()) {
      banks = std::make_unique<Sink<OperandTransfer>>("banks");
      out->bind(banks->in);
      banks->react = [=](OperandTransfer& t) {
        note(t.stamp, numbered("back R", t.reg) + numbered(" v", t.version));
        banks->in.credit(t);
      };
    }
  }
  static std::string text(const CollectorStatus& s) {
    return (s.holds ? numbered(" w", s.warp_uid) : "") + (s.has_near ? " near" : "") +
           (s.free ? " free" : " busy");
  }
  // Issued in t by `warp`; the versions of its results are 10 more than their registers.
  Instruction* give(Cycle t, const Op& op, std::uint32_t warp = 1) {
    Instruction* i = instructions.add(op);
    i->warp_uid = warp;
    i->source_near = op.code.source_near;
    for (unsigned d = 0; d < i->destination_count; ++d) i->produced[d] = i->destination(d) + 10u;
    at(t, [=] { issue.send({0, i, {}}, next()); });
    return i;
  }
  // The operand of slot s is sent in t, and there from `stamp` on.
  void bring(Cycle t, Instruction* i, unsigned s, Version v, Cycle stamp = 0) {
    at(t, [=] {
      OperandTransfer o;
      o.instruction = i;
      o.version = v;
      o.reg = i->source(s);
      o.slot = static_cast<std::uint8_t>(s);
      port_s.send(o, stamp == 0 ? next() : stamp);
    });
  }
  // Dispatched in t: the latch is free in the next cycle.
  void dispatch(Cycle t, Instruction* i) {
    at(t, [=] {
      DispatchTransfer credit{next(), i};
      scheduler.in.credit(credit);
    });
  }
  // On port D, to be used from t+1 on.
  void result(Cycle t, DestinationTransfer d) {
    at(t, [=] { port_d->send(d, next()); });
  }
  Collector& module() { return *collector; }

  std::unique_ptr<Collector> collector;
  Sender<IssueTransfer> issue;
  Sink<OperandTransfer> arbiter;
  Sender<OperandTransfer> port_s;
  Sink<DispatchTransfer> scheduler;
  std::unique_ptr<Sender<DestinationTransfer>> port_d;
  std::unique_ptr<Sink<OperandTransfer>> banks;
};

// A result of warp 1, whole and far unless said otherwise.
inline DestinationTransfer result_of(Register r, Version v, bool near = false, std::uint32_t lanes = ~0u) {
  DestinationTransfer d;
  d.warp_uid = 1;
  d.reg = r;
  d.version = v;
  d.near = near;
  d.lanes = lanes;
  return d;
}
inline DestinationTransfer outdated(Register r) {
  DestinationTransfer d = result_of(r, 0);
  d.invalidate = true;
  return d;
}

inline void collect(const CollectorParameters& p, const Rows& rows,
                    const std::function<void(CollectorBench&)>& script) {
  expect<CollectorBench>(rows, script, p);
}

}  // namespace subcore::test
